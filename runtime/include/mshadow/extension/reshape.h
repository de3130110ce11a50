// SPDX-License-Identifier: Apache-2.0
/// \file reshape.h
/// reshape(e, shape): the same elements, in row-major order, in another shape. It can be assigned
/// if e is a tensor or another assignable view.
#ifndef MSHADOW_EXTENSION_RESHAPE_H_
#define MSHADOW_EXTENSION_RESHAPE_H_

#include "mshadow/detail/divider.h"
#include "mshadow/extension/slice.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// The elements of a source of rank dimsrc, in shape shape_.
template <typename SrcExp, typename DType, int dimdst, int dimsrc>
struct ReshapeExp : detail::BaseOfView<ReshapeExp<SrcExp, DType, dimdst, dimsrc>, SrcExp, dimdst,
                                       DType>::type {
  SrcExp src_;
  index_t ishapex_;  ///< the length of a row of the source

  ReshapeExp(const SrcExp &src, const Shape<dimdst> &shape) : src_(src) {
    const Shape<dimsrc> source = ShapeCheck<dimsrc, SrcExp>::Check(src);
    if (source.Size() != shape.Size()) {
      detail::ThrowMisfit("reshape", "the numbers of elements differ", source.shape_, dimsrc,
                          shape.shape_, dimdst);
    }
    ishapex_ = source[dimsrc - 1];
    this->shape_ = shape;
  }
  MSHADOW_VIEW_ASSIGNMENT(ReshapeExp)
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, detail::StepThrough(*this));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    map->Reshape(this->shape_.shape_, dimdst);
  }
};

template <typename SrcExp, typename DType, int dimdst, int dimsrc>
class Plan<ReshapeExp<SrcExp, DType, dimdst, dimsrc>, DType> {
 public:
  explicit Plan(const ReshapeExp<SrcExp, DType, dimdst, dimsrc> &exp)
      : src_(MakePlan(exp.src_)), cols_(exp.shape_[dimdst - 1]), source_cols_(exp.ishapex_) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    index_t row = y * cols_ + x;
    const index_t col = source_cols_.Split(&row);
    return src_.Eval(row, col);
  }
  MSHADOW_XINLINE DType &REval(index_t y, index_t x) const {
    index_t row = y * cols_ + x;
    const index_t col = source_cols_.Split(&row);
    return src_.REval(row, col);
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    index_t row = y * cols_ + x;
    index_t col = source_cols_.Split(&row);
    for (int i = 0; i < n; ++row, col = 0) {
      const index_t left = source_cols_.divisor() - col;
      const int part = left < static_cast<index_t>(n - i) ? static_cast<int>(left) : n - i;
      const detail::Run<Plan<SrcExp, DType>, DType> run(src_, row, col, part);
      for (int j = 0; j < part; ++j) out[i + j] = run[j];
      i += part;
    }
  }

 private:
  Plan<SrcExp, DType> src_;
  index_t cols_;
  ::mshadow::detail::Divider source_cols_;
};

namespace detail {

/// \throws Error if rows are padded, and do not remain rows
template <typename Device, int dim, typename DType, int dimdst>
Tensor<Device, dimdst, DType> Reshaped(const Tensor<Device, dim, DType> &src,
                                       const Shape<dimdst> &shape) {
  const index_t cols = shape[dimdst - 1];
  const bool keeps_rows = cols == src.shape_[dim - 1];
  if (!keeps_rows) ::mshadow::detail::CheckFlat(src.shape_, src.stride_);
  return {src.dptr_, shape, keeps_rows ? src.stride_ : cols, src.stream_};
}

/// A reshaped tensor is a tensor, unless its rows are padded and do not remain rows.
template <typename SrcExp, typename DType, int dimdst, int dimsrc>
struct AsTensor<ReshapeExp<SrcExp, DType, dimdst, dimsrc>> {
  static constexpr bool kKnown = AsTensor<SrcExp>::kKnown;
  static constexpr bool kIsItself = false;
  static auto Of(const ReshapeExp<SrcExp, DType, dimdst, dimsrc> &exp) {
    return Reshaped(AsTensor<SrcExp>::Of(exp.src_), exp.shape_);
  }
};

}  // namespace detail

/// The elements of \p src, in row-major order, in shape \p shape.
/// \throws Error if the numbers of elements differ
template <typename SrcExp, typename DType, int etype, int dimdst>
ReshapeExp<SrcExp, DType, dimdst, ExpInfo<SrcExp>::kDim> reshape(
    const Exp<SrcExp, DType, etype> &src, const Shape<dimdst> &shape) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return ReshapeExp<SrcExp, DType, dimdst, ExpInfo<SrcExp>::kDim>(src.self(), shape);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_RESHAPE_H_
