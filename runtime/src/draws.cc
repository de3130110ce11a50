// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/draws.h"

#include "mshadow/isa.h"
#include "mshadow/packet/begin_strict.h"

namespace mshadow {
namespace {

namespace baseline {
#include <mshadow/packet/baseline.inc>
#include <mshadow/packet/draws.inc>

#include "draws_of_region.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>
#include <mshadow/packet/draws.inc>

#include "draws_of_region.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>
#include <mshadow/packet/draws.inc>

#include "draws_of_region.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

}  // namespace

MSHADOW_VERSION_BEGIN
namespace detail {

template <DrawKind kDraw, typename DType>
void FillDraws(const DrawKey &key, uint64_t first, int64_t n, DType *out) {
#if MSHADOW_HAS_AVX512
  if (ActiveIsa() >= Isa::kAvx512) return avx512::FillAllDraws<kDraw>(key, first, n, out);
#endif
#if MSHADOW_HAS_AVX2
  if (ActiveIsa() >= Isa::kAvx2) return avx2::FillAllDraws<kDraw>(key, first, n, out);
#endif
  baseline::FillAllDraws<kDraw>(key, first, n, out);
}

#define MSHADOW_DRAWS(draw, type) \
  template void FillDraws<DrawKind::draw>(const DrawKey &, uint64_t, int64_t, type *);
MSHADOW_DRAWS(kBits, int32_t)
MSHADOW_DRAWS(kUniform, float)
MSHADOW_DRAWS(kUniform, double)
MSHADOW_DRAWS(kUniform, half::half_t)
MSHADOW_DRAWS(kUniform, bfloat::bf16_t)
MSHADOW_DRAWS(kNormal, float)
MSHADOW_DRAWS(kNormal, double)
MSHADOW_DRAWS(kNormal, half::half_t)
MSHADOW_DRAWS(kNormal, bfloat::bf16_t)
MSHADOW_DRAWS(kBernoulli, float)
MSHADOW_DRAWS(kBernoulli, double)
MSHADOW_DRAWS(kBernoulli, half::half_t)
MSHADOW_DRAWS(kBernoulli, bfloat::bf16_t)
MSHADOW_DRAWS(kBernoulli, int8_t)
MSHADOW_DRAWS(kBernoulli, uint8_t)
MSHADOW_DRAWS(kBernoulli, int16_t)
MSHADOW_DRAWS(kBernoulli, int32_t)
MSHADOW_DRAWS(kBernoulli, int64_t)
#undef MSHADOW_DRAWS

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
