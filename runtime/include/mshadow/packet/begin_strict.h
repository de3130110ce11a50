// SPDX-License-Identifier: Apache-2.0
/// \file begin_strict.h
/// From here to the end of the file: no contraction of multiply and add, no fast math, whatever
/// flags the file is compiled with. Emitted .cc files include it last, before their regions.
/// Headers, which must leave the includer's settings alone, use strict_push.h and strict_pop.h
/// instead.
///
/// Clang's -ffp-contract=fast overrides its pragma: there the packets also guard their products
/// (Opaque in vec.inc).
#if defined(__x86_64__)
#include <immintrin.h>  // a third of a second, so not for those who only include emitted headers
#endif

#include "mshadow/packet/begin_baseline.h"
