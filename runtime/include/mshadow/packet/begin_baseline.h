// SPDX-License-Identifier: Apache-2.0
/// \file begin_baseline.h
/// From here to the end of the file: no contraction of multiply and add, no fast math, whatever
/// flags the file is compiled with. For files without a region beyond the baseline: others include
/// begin_strict.h, which is this and the compiler's intrinsics.
///
/// Clang's -ffp-contract=fast overrides its pragma: there the packets also guard their products
/// (Opaque in vec.inc).
#include "mshadow/packet/prelude.h"

// GCC passes a packet to a function that it does not inline as the caller's instruction set says,
// not as the function's own does: what arrives there is something else.
#ifndef MSHADOW_XINLINE_IS_FORCED
#error "a file that includes emitted code must leave MSHADOW_XINLINE as config.h defines it"
#endif
// Vectors are reinterpreted by casts in C's style: there is no other for them.
#pragma GCC diagnostic ignored "-Wold-style-cast"
#if defined(MSHADOW_TEST_WITHOUT_GUARD)  // tests must be able to fail
#elif defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#elif defined(__GNUC__)
#if defined(__CUDACC__)  // nvcc hands the pragma on to GCC; it only complains of not knowing it
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif
#pragma GCC optimize("fp-contract=off,no-fast-math")
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
#endif
