// SPDX-License-Identifier: Apache-2.0
/// \file softmax_sum.h
/// The softmax of one vector, the same on every device: the sum of exponentials is a fixed tree.
#ifndef MSHADOW_SOFTMAX_SUM_H_
#define MSHADOW_SOFTMAX_SUM_H_

#include "mshadow/detail/cast.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/functions.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Adds leaves 0, 1, 2, … as ((0 1) (2 3)) ((4 5) …: the tree depends on their number alone, and
/// runs of 2^k leaves that begin at a multiple of 2^k are subtrees of it.
template <typename Acc>
class PairwiseSum {
 public:
  MSHADOW_XINLINE void Push(Acc leaf) {
    level_[depth_++] = leaf;
    for (index_t n = count_++; (n & 1) != 0; n >>= 1) Merge();
  }
  /// The sum; 0 if there was no leaf.
  MSHADOW_XINLINE Acc Finish() {
    if (depth_ == 0) return Acc(0);
    while (depth_ > 1) Merge();
    return level_[0];
  }

 private:
  MSHADOW_XINLINE void Merge() {
    --depth_;
    level_[depth_ - 1] += level_[depth_];
  }
  Acc level_[64];
  int depth_ = 0;
  index_t count_ = 0;
};

/// The larger; a NaN if one is.
template <typename Acc>
MSHADOW_XINLINE Acc LargerOrNan(Acc a, Acc b) {
  return !(b <= a) && a == a ? b : a;
}

/// n energies, `step` elements apart, and where their softmax goes.
/// \tparam kRow the steps are 1, which the compiler had better know
template <typename DType, bool kRow>
struct SoftmaxVector {
  using Acc = Promoted<DType>;
  static constexpr index_t kLeaf = 16;  ///< terms that are added one after the other
  const DType *x;
  index_t x_step;
  DType *y;
  index_t y_step;
  index_t n;

  MSHADOW_XINLINE Acc at(index_t i) const { return static_cast<Acc>(x[kRow ? i : i * x_step]); }

  /// The sum of leaf number \p leaf. exp(x - max) cannot overflow, and the largest term is 1.
  MSHADOW_XINLINE Acc Leaf(index_t leaf, Acc max) const {
    Acc sum = 0;
    const index_t begin = leaf * kLeaf;
    for (index_t i = begin; i < n && i < begin + kLeaf; ++i) sum += math::exp(at(i) - max);
    return sum;
  }
  MSHADOW_XINLINE index_t leaves() const { return (n + kLeaf - 1) / kLeaf; }

  MSHADOW_XINLINE void Store(index_t i, Acc max, Acc total) const {
    y[kRow ? i : i * y_step] = ScalarCast<DType>(math::exp(at(i) - max) / total);
  }

  MSHADOW_XINLINE void Run() const {
    Acc max = at(0);
    for (index_t i = 1; i < n; ++i) max = LargerOrNan(max, at(i));
    PairwiseSum<Acc> sum;
    for (index_t leaf = 0; leaf < leaves(); ++leaf) sum.Push(Leaf(leaf, max));
    const Acc total = sum.Finish();
    for (index_t i = 0; i < n; ++i) Store(i, max, total);
  }
};

/// Classes in the middle: (batch, classes, positions), one vector for each position.
template <typename Device, typename DType>
struct SoftmaxColumn {
  Tensor<Device, 3, DType> dst, energy;
  index_t rows, cols;

  MSHADOW_XINLINE void operator()(index_t n, index_t begin, index_t end) const {
    for (index_t x = begin; x < end; ++x) {
      const index_t classes = dst.shape_[1];
      SoftmaxVector<DType, false>{energy.dptr_ + n * classes * energy.stride_ + x, energy.stride_,
                                  dst.dptr_ + n * classes * dst.stride_ + x, dst.stride_, classes}
          .Run();
    }
  }
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_SOFTMAX_SUM_H_
