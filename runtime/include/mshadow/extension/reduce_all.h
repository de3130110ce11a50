// SPDX-License-Identifier: Apache-2.0
/// \file reduce_all.h
/// A whole expression reduced to one value: reduce_all, on the right of an assignment to a vector
/// of one element, and reduce_scalar, at once.
#ifndef MSHADOW_EXTENSION_REDUCE_ALL_H_
#define MSHADOW_EXTENSION_REDUCE_ALL_H_

#include "mshadow/divider.h"
#include "mshadow/expr_check.h"
#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/pairwise_tree.h"
#include "mshadow/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
template <typename Device, int dimension, typename DType>
class TensorContainer;
MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
/// Each element is the reduction of kChunk elements of the source, in row-major order.
template <typename Reducer, typename SrcExp, typename SrcDType, typename DType>
struct ReduceChunksExp
    : MakeTensorExp<ReduceChunksExp<Reducer, SrcExp, SrcDType, DType>, SrcExp, 1, DType> {
  static constexpr index_t kChunk = 4096;
  static constexpr int kDim = ExpInfo<SrcExp>::kDim;
  SrcExp src_;
  Shape<2> source_;

  explicit ReduceChunksExp(const SrcExp &src) : src_(src) {
    source_ = ShapeCheck<kDim, SrcExp>::Check(src).FlatTo2D();
    const index_t chunks = (source_.Size() + kChunk - 1) / kChunk;
    this->shape_ = Shape1(chunks > 0 ? chunks : 1);  // of nothing it is the initial value
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return kChunk; }
};
}  // namespace detail

template <typename Reducer, typename SrcExp, typename SrcDType, typename DType>
class Plan<detail::ReduceChunksExp<Reducer, SrcExp, SrcDType, DType>, DType> {
 public:
  using Node = detail::ReduceChunksExp<Reducer, SrcExp, SrcDType, DType>;
  explicit Plan(const Node &exp)
      : src_(MakePlan(exp.src_)), size_(exp.source_.Size()), cols_(exp.source_[1]) {}

  /// Element n goes to lane n % kLanes; the lanes are combined by PairwiseTree.
  MSHADOW_XINLINE DType Eval(index_t, index_t chunk) const {
    DType lanes[kLanes];
    for (DType &value : lanes) Reducer::SetInitValue(value);
    index_t n = chunk * Node::kChunk;
    const index_t end = n + Node::kChunk < size_ ? n + Node::kChunk : size_;
    index_t y = n;
    index_t x = cols_.Split(&y);
    while (n < end) {
      const index_t left = cols_.divisor() - x;
      const index_t part = left < end - n ? left : end - n;
      Row(y, x, static_cast<int>(n % kLanes), part, lanes);
      n += part;
      x = 0;
      ++y;
    }
    detail::PairwiseTree<Reducer, DType, 1> across;
    for (int l = 0; l < kLanes; ++l) across.Push(lanes + l);
    return *across.Finish();
  }

 private:
  static constexpr int kLanes = 16;

  /// Elements (y, x) … (y, x + count - 1), the first of which goes to \p lane.
  MSHADOW_XINLINE void Row(index_t y, index_t x, int lane, index_t count, DType *lanes) const {
    const index_t end = x + count;
    for (; lane != 0 && x < end; ++x, lane = (lane + 1) % kLanes) Take(lanes + lane, y, x);
    for (; x + kLanes <= end; x += kLanes) {
      for (int l = 0; l < kLanes; ++l) Take(lanes + l, y, x + l);
    }
    for (int l = 0; x < end; ++l, ++x) Take(lanes + l, y, x);
  }
  MSHADOW_XINLINE void Take(DType *lane, index_t y, index_t x) const {
    Reducer::Reduce(*lane, static_cast<DType>(src_.Eval(y, x)));
  }

  Plan<SrcExp, SrcDType> src_;
  index_t size_;
  ::mshadow::detail::Divider cols_;
};

/// \p Reducer over all elements, times a scale.
template <typename SrcExp, typename DType, typename Reducer>
struct ReduceAllExp : Exp<ReduceAllExp<SrcExp, DType, Reducer>, DType, type::kComplex> {
  SrcExp src_;
  DType scale_;
  ReduceAllExp(const SrcExp &src, DType scale) : src_(src), scale_(scale) {}
};
template <typename SrcExp, typename DType, typename Reducer>
struct ExpInfo<ReduceAllExp<SrcExp, DType, Reducer>> {
  static constexpr int kDim = 1;
  static constexpr int kDevMask = ExpInfo<SrcExp>::kDevMask;
};

namespace detail {

/// `dst saver scale * reduction of exp`, where dst has one element. Chunks are reduced side by
/// side, then chunks of their results, until one is left: the order depends on the count alone.
template <typename Saver, typename Reducer, typename Device, typename Acc, typename DType,
          typename E, int etype>
void ReduceToOne(Tensor<Device, 1, DType> dst, const Exp<E, Acc, etype> &exp, DType scale) {
  const ReduceChunksExp<Reducer, E, Acc, Acc> chunks(exp.self());
  TensorContainer<Device, 1, Acc> parts;
  parts.set_stream(dst.stream_);
  parts.Resize(chunks.shape_);
  parts = chunks;
  const Tensor<Device, 1, Acc> view = parts;
  if (chunks.shape_[0] > 1) {
    ReduceToOne<Saver, typename MergeOf<Reducer>::type>(dst, view, scale);
  } else {
    ExpEngine<Saver, Tensor<Device, 1, DType>, DType>::Eval(
        &dst, tcast<DType>(view * ScalarCast<Acc>(scale)));
  }
}

}  // namespace detail

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
    if constexpr (::mshadow::detail::IsSame<Acc, DType>::value) {
      detail::ReduceToOne<Saver, Reducer>(*dst, exp.src_, exp.scale_);
    } else {
      detail::ReduceToOne<Saver, Reducer>(*dst, tcast<Acc>(exp.src_), exp.scale_);
    }
  }
};

/// \p Reducer over all elements of \p src. It stands alone on the right of an assignment to a
/// vector of one element: v (=, +=, -=, *=, /=) [scale *] reduce_all<red::sum>(e). 16-bit floats
/// are reduced in float. The order is fixed, whatever the number of threads.
template <typename Reducer, typename SrcExp, typename DType, int etype>
ReduceAllExp<SrcExp, DType, Reducer> reduce_all(const Exp<SrcExp, DType, etype> &src) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return ReduceAllExp<SrcExp, DType, Reducer>(src.self(), ScalarCast<DType>(1));
}
template <typename SrcExp, typename DType, typename Reducer, typename S, detail::IfScalar<S> = 0>
ReduceAllExp<SrcExp, DType, Reducer> operator*(const ReduceAllExp<SrcExp, DType, Reducer> &exp,
                                               S scale) {
  return ReduceAllExp<SrcExp, DType, Reducer>(exp.src_,
                                              op::mul::Map(exp.scale_, ScalarCast<DType>(scale)));
}
template <typename S, typename SrcExp, typename DType, typename Reducer, detail::IfScalar<S> = 0>
ReduceAllExp<SrcExp, DType, Reducer> operator*(S scale,
                                               const ReduceAllExp<SrcExp, DType, Reducer> &exp) {
  return exp * scale;
}

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
    TensorContainer<gpu, 1, DType> value;
    value.set_stream(StreamInfo<gpu, SrcExp>::Get(src.self()));
    value.Resize(Shape1(1));
    value = reduce_all<Reducer>(src);
    Copy(result, value, value.stream_);
    if (value.stream_ != nullptr) value.stream_->Wait();
  }
  return result[0];
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_ALL_H_
