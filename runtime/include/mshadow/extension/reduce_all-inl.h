// SPDX-License-Identifier: Apache-2.0
/// \file reduce_all-inl.h
/// How reductions to one value are evaluated: as a row of all elements in row-major order, whatever
/// their shape. Parts of it, whole subtrees, are reduced side by side; then the parts.
#ifndef MSHADOW_EXTENSION_REDUCE_ALL_INL_H_
#define MSHADOW_EXTENSION_REDUCE_ALL_INL_H_

#include "mshadow/detail/divider.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/expr/check.h"
#include "mshadow/expr/materialised.h"
#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/pairwise_tree.h"
#include "mshadow/extension/reduce_all.h"
#include "mshadow/extension/reduce_parts.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
template <typename Device, int dimension, typename DType>
class TensorContainer;
MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
/// Element (0, part * kReduceLanes + lane): a lane of a part of all elements.
template <typename Reducer, typename SrcExp, typename SrcDType, typename Acc>
struct AllPartsExp : MakeTensorExp<AllPartsExp<Reducer, SrcExp, SrcDType, Acc>, SrcExp, 2, Acc> {
  static constexpr int kDim = ExpInfo<SrcExp>::kDim;
  SrcExp src_;
  Shape<2> source_;
  index_t part_;  ///< elements

  explicit AllPartsExp(const SrcExp &src) : src_(src) {
    source_ = ShapeCheck<kDim, SrcExp>::Check(src).FlatTo2D();
    part_ = PartRows(source_.Size(), kReduceLeaf, 8 * kReduceLeaf, 1024);
    this->shape_ = Shape2(1, (source_.Size() + part_ - 1) / part_ * kReduceLanes);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return part_ / kReduceLanes; }
};
}  // namespace detail

template <typename Reducer, typename SrcExp, typename SrcDType, typename Acc>
class Plan<detail::AllPartsExp<Reducer, SrcExp, SrcDType, Acc>, Acc> {
 public:
  explicit Plan(const detail::AllPartsExp<Reducer, SrcExp, SrcDType, Acc> &exp)
      : src_(MakePlan(exp.src_)),
        size_(exp.source_.Size()),
        part_(exp.part_),
        cols_(exp.source_[1]) {}

  MSHADOW_XINLINE Acc Eval(index_t, index_t i) const {
    detail::PairwiseTree<Reducer, Acc, 1> tree;
    const index_t end = Within(i / kLanes * part_ + part_, size_);
    index_t n = i / kLanes * part_ + i % kLanes;
    index_t y = n;
    index_t x = cols_.Split(&y);
    for (index_t leaf = i / kLanes * part_; leaf < end; leaf += detail::kReduceLeaf) {
      const index_t leaf_end = Within(leaf + detail::kReduceLeaf, end);
      Acc lane;
      Reducer::SetInitValue(lane);
      for (; n < leaf_end; n += kLanes) {
        Take(&lane, y, x);
        for (x += kLanes; x >= cols_.divisor(); x -= cols_.divisor()) ++y;
      }
      tree.Push(&lane);
    }
    return *tree.Finish();
  }

  static constexpr bool kRuns = true;
  /// All lanes of a part at once; runs begin at one.
  void EvalRun(index_t, index_t x, int n, Acc *out) const {
    int i = 0;
    for (; x % kLanes == 0 && i + kLanes <= n; i += kLanes) Part((x + i) / kLanes, out + i);
    for (; i < n; ++i) out[i] = Eval(0, x + i);
  }

 private:
  static constexpr int kLanes = detail::kReduceLanes;

  MSHADOW_XINLINE static index_t Within(index_t i, index_t end) { return i < end ? i : end; }

  void Part(index_t part, Acc *out) const {
    detail::PairwiseTree<Reducer, Acc, kLanes> tree;
    const index_t end = Within(part * part_ + part_, size_);
    index_t y = part * part_;
    index_t x = cols_.Split(&y);
    for (index_t leaf = part * part_; leaf < end; leaf += detail::kReduceLeaf) {
      Acc lanes[kLanes];
      for (Acc &value : lanes) Reducer::SetInitValue(value);
      Leaf(&y, &x, Within(detail::kReduceLeaf, end - leaf), lanes);
      tree.Push(lanes);
    }
    const Acc *const result = tree.Finish();
    for (int l = 0; l < kLanes; ++l) out[l] = result[l];
  }

  /// \p count elements from (y, x) on, which become what follows them.
  void Leaf(index_t *y, index_t *x, index_t count, Acc *lanes) const {
    for (index_t n = 0; n < count;) {
      const index_t in_row = Within(cols_.divisor() - *x, count - n);
      Row(*y, *x, static_cast<int>(n % kLanes), in_row, lanes);
      n += in_row;
      *x += in_row;
      if (*x < cols_.divisor()) return;
      *x = 0;
      ++*y;
    }
  }

  /// Elements (y, x) … (y, x + count - 1), the first of which goes to \p lane.
  void Row(index_t y, index_t x, int lane, index_t count, Acc *lanes) const {
    const index_t end = x + count;
    for (; lane != 0 && x < end; ++x, lane = (lane + 1) % kLanes) Take(lanes + lane, y, x);
    for (; x + kLanes <= end; x += kLanes) {
      for (int l = 0; l < kLanes; ++l) Take(lanes + l, y, x + l);
    }
    for (int l = 0; x < end; ++l, ++x) Take(lanes + l, y, x);
  }
  MSHADOW_XINLINE void Take(Acc *lane, index_t y, index_t x) const {
    Reducer::Reduce(*lane, static_cast<Acc>(src_.Eval(y, x)));
  }

  Plan<SrcExp, SrcDType> src_;
  index_t size_;
  index_t part_;
  ::mshadow::detail::Divider cols_;
};

template <typename Saver, typename Device, typename DType, typename SrcExp, typename Reducer>
struct ExpComplexEngine<Saver, Tensor<Device, 1, DType>, ReduceAllExp<SrcExp, DType, Reducer>,
                        DType> {
  static void Eval(Tensor<Device, 1, DType> *dst, const ReduceAllExp<SrcExp, DType, Reducer> &exp) {
    if (dst->shape_[0] != 1) {
      ::mshadow::detail::ThrowShapes("destination and reduction to one element", dst->shape_.shape_,
                                     1, Shape1(1).shape_, 1);
    }
    detail::CheckElements(exp.src_);
    using Acc = typename detail::Accumulator<DType>::type;
    const detail::AllPartsExp<Reducer, SrcExp, DType, Acc> parts(exp.src_);
    const detail::MaterialisedTemporary<Device, 2, Acc> memory(parts.shape_, dst->stream_);
    Tensor<Device, 2, Acc> results = memory.view();
    results = parts;
    detail::FinishParts<Saver, Reducer, false, Acc>(dst, results, exp.scale_);
  }
};

/// The value of reduce_all<Reducer>(src), now. For tensors of a GPU it waits for the stream of the
/// first of them.
template <typename Reducer, typename SrcExp, typename DType, int etype>
DType reduce_scalar(const Exp<SrcExp, DType, etype> &src) {
  TensorContainer<cpu, 1, DType> result;
  if constexpr ((ExpInfo<SrcExp>::kDevMask & cpu::kDevMask) != 0) {
    result.Resize(Shape1(1));
    result = reduce_all<Reducer>(src);
  } else {
    result.Resize(Shape1(1));
    const detail::MaterialisedTemporary<gpu, 1, DType> memory(
        Shape1(1), StreamInfo<gpu, SrcExp>::Get(src.self()));
    Tensor<gpu, 1, DType> value = memory.view();
    value = reduce_all<Reducer>(src);
    Copy(result, value, value.stream_);
    if (value.stream_ != nullptr) value.stream_->Wait();
  }
  return result[0];
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"
#include "mshadow/extension/arg_reduce.h"

#endif  // MSHADOW_EXTENSION_REDUCE_ALL_INL_H_
