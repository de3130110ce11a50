// SPDX-License-Identifier: Apache-2.0
#include "mshadow/softmax.h"

#include "mshadow/isa.h"
#include "mshadow/packet/begin_strict.h"
#include "mshadow/softmax_sum.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace {

// Exponentials, once for each instruction set: the bits of math::exp.

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "softmax_row.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "softmax_row.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "softmax_row.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

template <typename T>
auto ExpRowFor() {
#if MSHADOW_HAS_AVX512
  if (ActiveIsa() >= Isa::kAvx512) return avx512::ExpRow<T>;
#endif
#if MSHADOW_HAS_AVX2
  if (ActiveIsa() >= Isa::kAvx2) return avx2::ExpRow<T>;
#endif
  return baseline::ExpRow<T>;
}

/// Exponentials are worth more than their bytes.
constexpr index_t kWork = 16;

/// Rows of classes. Counted in rows, so that none is cut in two.
template <typename DType>
struct Rows {
  using Acc = Promoted<DType>;
  Tensor<cpu, 2, DType> dst, energy;
  void (*exp_row)(const Acc *, Acc, int64_t, Acc *);

  static void Run(const void *context, index_t begin, index_t end) {
    const Rows &task = *static_cast<const Rows *>(context);
    const index_t n = task.dst.shape_[1];
    for (index_t y = begin; y < end; ++y) {
      const DType *const x = task.energy.dptr_ + y * task.energy.stride_;
      DType *const to = task.dst.dptr_ + y * task.dst.stride_;
      if constexpr (detail::IsSame<Acc, DType>::value) {
        task.Row(x, n, to);
      } else {
        detail::SoftmaxVector<DType, true>{x, 1, to, 1, n}.Run();
      }
    }
  }

  /// What SoftmaxVector does, but the exponentials are computed once, and side by side.
  void Row(const Acc *x, index_t n, Acc *y) const {
    Acc max = x[0];
    for (index_t i = 1; i < n; ++i) max = detail::LargerOrNan(max, x[i]);
    exp_row(x, max, static_cast<int64_t>(n), y);
    constexpr index_t kLeaf = detail::SoftmaxVector<DType, true>::kLeaf;
    detail::PairwiseSum<Acc> sum;
    for (index_t begin = 0; begin < n; begin += kLeaf) {
      Acc leaf = 0;
      for (index_t i = begin; i < n && i < begin + kLeaf; ++i) leaf += y[i];
      sum.Push(leaf);
    }
    const Acc total = sum.Finish();
    for (index_t i = 0; i < n; ++i) y[i] /= total;
  }
};

}  // namespace

template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  const Rows<DType> task{dst, energy, ExpRowFor<Promoted<DType>>()};
  ParallelFor(dst.shape_[0], dst.shape_[1] * kWork * static_cast<index_t>(sizeof(DType)),
              Rows<DType>::Run, &task);
}

template <typename DType>
void Softmax(Tensor<cpu, 3, DType> dst, const Tensor<cpu, 3, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  detail::RunBody("Softmax",
                  detail::SoftmaxColumn<cpu, DType>{dst, energy, dst.shape_[0], dst.shape_[2]},
                  dst.shape_[1] * kWork * static_cast<index_t>(sizeof(DType)), dst.stream_);
}

#define MSHADOW_SOFTMAX(T)                                             \
  template void Softmax(Tensor<cpu, 2, T>, const Tensor<cpu, 2, T> &); \
  template void Softmax(Tensor<cpu, 3, T>, const Tensor<cpu, 3, T> &);
MSHADOW_SOFTMAX(float)
MSHADOW_SOFTMAX(double)
MSHADOW_SOFTMAX(half::half_t)
MSHADOW_SOFTMAX(bfloat::bf16_t)
#undef MSHADOW_SOFTMAX

MSHADOW_VERSION_END
}  // namespace mshadow
