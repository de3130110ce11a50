// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/softmax.h"

#include "mshadow/detail/softmax_sum.h"
#include "mshadow/extension/pairwise_tree.h"
#include "mshadow/isa.h"
#include "mshadow/packet/begin_strict.h"

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

/// The exponentials of one region.
template <typename T>
struct Exponentials {
  void (*row)(const T *x, T max, int64_t n, T *out);
  void (*columns)(const T *x, const T *max, int64_t n, T *out);
};

template <typename T>
Exponentials<T> ExponentialsFor() {
#if MSHADOW_HAS_AVX512
  if (ActiveIsa() >= Isa::kAvx512) return {avx512::ExpRow<T>, avx512::ExpColumns<T>};
#endif
#if MSHADOW_HAS_AVX2
  if (ActiveIsa() >= Isa::kAvx2) return {avx2::ExpRow<T>, avx2::ExpColumns<T>};
#endif
  return {baseline::ExpRow<T>, baseline::ExpColumns<T>};
}

/// Exponentials are worth more than their bytes.
constexpr index_t kWork = 16;

/// Rows of classes. Counted in rows, so that none is cut in two.
template <typename DType>
struct Rows {
  using Acc = Promoted<DType>;
  Tensor<cpu, 2, DType> dst, energy;
  Exponentials<Acc> exp;

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
    exp.row(x, max, static_cast<int64_t>(n), y);
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

/// Classes in the middle, float or double: neighbouring positions side by side, each as
/// SoftmaxVector does it.
template <typename DType>
struct Columns {
  static constexpr int kWidth = 64;
  Tensor<cpu, 3, DType> dst, energy;
  index_t rows, cols;
  Exponentials<DType> exp;

  void operator()(index_t n, index_t begin, index_t end) const {
    const index_t row = n * dst.shape_[1];
    for (index_t x = begin; x < end; x += kWidth) {
      Block(energy.dptr_ + row * energy.stride_ + x, dst.dptr_ + row * dst.stride_ + x,
            static_cast<int>(end - x < kWidth ? end - x : kWidth));
    }
  }

  void Block(const DType *x, DType *y, int width) const {
    DType max[kWidth];
    for (int i = 0; i < width; ++i) max[i] = x[i];
    for (index_t c = 1; c < dst.shape_[1]; ++c) {
      const DType *const row = x + c * energy.stride_;
      for (int i = 0; i < width; ++i) max[i] = detail::LargerOrNan(max[i], row[i]);
    }
    for (index_t c = 0; c < dst.shape_[1]; ++c) {
      exp.columns(x + c * energy.stride_, max, width, y + c * dst.stride_);
    }
    Divide(y, width);
  }
  /// Each column by its sum.
  void Divide(DType *y, int width) const {
    constexpr index_t kLeaf = detail::SoftmaxVector<DType, false>::kLeaf;
    const index_t classes = dst.shape_[1];
    expr::detail::PairwiseTree<red::sum, DType, kWidth, true> tree(width);
    for (index_t begin = 0; begin < classes; begin += kLeaf) {
      DType leaf[kWidth] = {};
      for (index_t c = begin; c < classes && c < begin + kLeaf; ++c) {
        for (int i = 0; i < width; ++i) leaf[i] += y[c * dst.stride_ + i];
      }
      tree.Push(leaf);
    }
    const DType *const total = tree.Finish();
    for (index_t c = 0; c < classes; ++c) {
      for (int i = 0; i < width; ++i) y[c * dst.stride_ + i] /= total[i];
    }
  }
};

}  // namespace

template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  const Rows<DType> task{dst, energy, ExponentialsFor<Promoted<DType>>()};
  ParallelFor(dst.shape_[0], dst.shape_[1] * kWork * static_cast<index_t>(sizeof(DType)),
              Rows<DType>::Run, &task);
}

template <typename DType>
void Softmax(Tensor<cpu, 3, DType> dst, const Tensor<cpu, 3, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  const index_t bytes = dst.shape_[1] * kWork * static_cast<index_t>(sizeof(DType));
  const index_t rows = dst.shape_[0], cols = dst.shape_[2];
  if constexpr (detail::IsSame<Promoted<DType>, DType>::value) {
    const Columns<DType> body{dst, energy, rows, cols, ExponentialsFor<DType>()};
    detail::RunBody("Softmax", body, bytes, dst.stream_);
  } else {
    const detail::SoftmaxColumn<cpu, DType> body{dst, energy, rows, cols};
    detail::RunBody("Softmax", body, bytes, dst.stream_);
  }
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
