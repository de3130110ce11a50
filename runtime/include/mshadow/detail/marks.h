// SPDX-License-Identifier: Apache-2.0
/// \file marks.h
/// How functions of packet regions and emitted formulas are marked.
#ifndef MSHADOW_MARKS_H_
#define MSHADOW_MARKS_H_

#include "mshadow/detail/config.h"

/// A function of a packet region or of an emitted formula.
#define MSHADOW_MAP MSHADOW_XINLINE
/// What an emitted kernel does. On a CPU it need not be inlined where it is called, which is once:
/// GCC copies what it is forced to inline.
#if defined(__CUDACC__) || (defined(__clang__) && defined(__OPTIMIZE__))
#define MSHADOW_BODY MSHADOW_XINLINE
#else
#define MSHADOW_BODY
#endif
// Packets are handed to these by reference: where nothing is optimized they need not be inlined,
// and compile faster.
#if defined(__CUDACC__) || defined(__OPTIMIZE__)
/// A loop over the elements of a row, which calls a step.
#define MSHADOW_SWEEP MSHADOW_XINLINE
/// The step, a lambda, in front of its body.
#define MSHADOW_INLINED __attribute__((always_inline))
#else
#define MSHADOW_SWEEP
#define MSHADOW_INLINED
#endif

#endif  // MSHADOW_MARKS_H_
