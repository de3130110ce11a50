// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/add_rows.h"
#include "mshadow/isa.h"
#include "mshadow/packet/prelude.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

namespace baseline {
constexpr int kBytes = 16;
#include "indexing_rows.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
constexpr int kBytes = 32;
#include "indexing_rows.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
constexpr int kBytes = 64;
#include "indexing_rows.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

}  // namespace

template <typename DType>
void AddRowsAt(DType *to, const index_t *at, index_t count, const DType *from, index_t stride,
               index_t cols) {
  [[maybe_unused]] const Isa isa = ActiveIsa();
#if MSHADOW_HAS_AVX512
  if (isa == Isa::kAvx512) return avx512::AddRows(to, at, count, from, stride, cols);
#endif
#if MSHADOW_HAS_AVX2
  if (isa >= Isa::kAvx2) return avx2::AddRows(to, at, count, from, stride, cols);
#endif
  baseline::AddRows(to, at, count, from, stride, cols);
}
template void AddRowsAt(float *, const index_t *, index_t, const float *, index_t, index_t);
template void AddRowsAt(double *, const index_t *, index_t, const double *, index_t, index_t);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"
