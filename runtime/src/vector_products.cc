// SPDX-License-Identifier: Apache-2.0
#include "vector_products.h"

#include <cstring>
#include <type_traits>

#include "mshadow/isa.h"
#include "mshadow/packet/prelude.h"

#include "mshadow/detail/strict_push.h"
#if defined(__GNUC__)
// Functions that return four doubles are inlined. To the end: that is where GCC complains.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace mshadow {
namespace blas {
namespace {

namespace baseline {
constexpr int kBytes = 16;
#include "vector_products.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
constexpr int kBytes = 32;
#include "vector_products.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
constexpr int kBytes = 64;
#include "vector_products.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

}  // namespace

template <typename T>
const VectorLoops<T> &ActiveVectorLoops() {
  [[maybe_unused]] const Isa isa = ActiveIsa();
#if MSHADOW_HAS_AVX512
  if (isa == Isa::kAvx512) return avx512::kLoops<T>;
#endif
#if MSHADOW_HAS_AVX2
  if (isa >= Isa::kAvx2) return avx2::kLoops<T>;
#endif
  return baseline::kLoops<T>;
}
template const VectorLoops<float> &ActiveVectorLoops();
template const VectorLoops<double> &ActiveVectorLoops();

}  // namespace blas
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"
