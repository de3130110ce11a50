// SPDX-License-Identifier: Apache-2.0
/// \file arg_reduce.h
/// Reductions to the number of an element, red::arg<Chooser>: first the value that is chosen, then
/// the first element that is it. So neither depends on the order in which elements are taken.
#ifndef MSHADOW_EXTENSION_ARG_REDUCE_H_
#define MSHADOW_EXTENSION_ARG_REDUCE_H_

#include <type_traits>

#include "mshadow/detail/divider.h"
#include "mshadow/emitted/channels.h"
#include "mshadow/expr/compare.h"
#include "mshadow/expr/materialised.h"
#include "mshadow/extension/broadcast.h"
#include "mshadow/extension/broadcast_scalar.h"
#include "mshadow/extension/errors.h"
#include "mshadow/extension/pairwise_tree.h"
#include "mshadow/extension/reduce_all.h"
#include "mshadow/extension/reduce_to_1d.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// What elements of DType are counted in: floats in themselves, as far as these hold whole numbers.
template <typename DType, typename Acc = typename Accumulator<DType>::type>
using NumberType = std::conditional_t<std::is_floating_point<Acc>::value, Acc, int64_t>;

/// Stands for "no element": greater than all numbers.
template <typename Number>
MSHADOW_XINLINE Number NoNumber() {
  return red::limits::MaxValue<Number>();
}

/// Whether an element is the one that was chosen. If that is a NaN, each NaN is.
struct is_chosen {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType element, DType chosen) {
    return DType(element == chosen || element != element);
  }
};
/// Of no elements, 0.
struct known_number {
  template <typename Number>
  MSHADOW_XINLINE static Number Map(Number number) {
    return number == NoNumber<Number>() ? Number(0) : number;
  }
};

/// The number of each element of a source of type \p SrcExp among those that are reduced with it.
template <typename SrcExp, typename Number>
struct NumberExp : MakeTensorExp<NumberExp<SrcExp, Number>, SrcExp, ExpInfo<SrcExp>::kDim, Number> {
  ChannelShape source_;  ///< inner is 0 where columns are reduced
  NumberExp(const Shape<ExpInfo<SrcExp>::kDim> &shape, const ChannelShape &source)
      : source_(source) {
    this->shape_ = shape;
  }
  template <typename Function>
  void ForEachOperand(Function &&) const {}
};

}  // namespace detail

template <typename SrcExp, typename Number>
class Plan<detail::NumberExp<SrcExp, Number>, Number> {
 public:
  explicit Plan(const detail::NumberExp<SrcExp, Number> &exp)
      : columns_(exp.source_.inner == 0),
        planes_(exp.source_.inner * exp.source_.kept),
        inner_(exp.source_.inner),
        cols_(exp.source_.cols) {}
  MSHADOW_XINLINE Number Eval(index_t y, index_t x) const {
    if (columns_) return ScalarCast<Number>(y);
    index_t row = y;
    const index_t in_plane = inner_.Split(&row);
    return ScalarCast<Number>((planes_.Quotient(y) * inner_.divisor() + in_plane) * cols_ + x);
  }

 private:
  bool columns_;
  ::mshadow::detail::Divider planes_;  ///< the rows of all planes with one outer index
  ::mshadow::detail::Divider inner_;
  index_t cols_;
};

namespace detail {

/// `dst saver scale * numbers`, for each result the least of the numbers of the elements that are
/// the one chosen.
/// \param everywhere gives the vector of those as a tensor of the source's shape
template <typename Saver, typename Reduction, typename Device, typename DType, typename SrcExp,
          typename Everywhere>
void FindNumbers(Tensor<Device, 1, DType> *dst, const SrcExp &src, const ChannelShape &source,
                 DType scale, const Everywhere &everywhere) {
  using Acc = typename Accumulator<DType>::type;
  using Number = NumberType<DType>;
  constexpr int kDim = ExpInfo<SrcExp>::kDim;
  const Shape<kDim> shape = ShapeCheck<kDim, SrcExp>::Check(src);
  const index_t count = dst->shape_[0];
  CheckNumbers(::mshadow::detail::FindUncountable<DType>(count > 0 ? shape.Size() / count : 0));
  const MaterialisedTemporary<Device, 1, Acc> chosen_memory(dst->shape_, dst->stream_);
  const MaterialisedTemporary<Device, 1, Number> found_memory(dst->shape_, dst->stream_);
  Tensor<Device, 1, Acc> chosen = chosen_memory.view();
  Tensor<Device, 1, Number> found = found_memory.view();
  chosen = Reduction::Choose(tcast<Acc>(src));
  found = Reduction::Least(where(F<is_chosen>(tcast<Acc>(src), everywhere(chosen, shape)),
                                 NumberExp<SrcExp, Number>(shape, source), NoNumber<Number>()));
  const Acc factor = static_cast<Acc>(scale);
  ExpEngine<Saver, Tensor<Device, 1, DType>, DType>::Eval(
      dst, tcast<DType>(tcast<Acc>(F<known_number>(found)) * factor));
}

template <typename Chooser, int dimkeep>
struct ArgExceptDim {
  template <typename E>
  static auto Choose(const E &exp) {
    return reduce_except_dim<dimkeep, Chooser>(exp);
  }
  template <typename E>
  static auto Least(const E &exp) {
    return reduce_except_dim<dimkeep, red::minimum>(exp);
  }
};
template <typename Chooser>
struct ArgAll {
  template <typename E>
  static auto Choose(const E &exp) {
    return reduce_all<Chooser>(exp);
  }
  template <typename E>
  static auto Least(const E &exp) {
    return reduce_all<red::minimum>(exp);
  }
};

}  // namespace detail

template <typename Saver, typename Device, typename DType, typename SrcExp, typename Chooser,
          int dimkeep>
struct ExpComplexEngine<Saver, Tensor<Device, 1, DType>,
                        ReduceTo1DExp<SrcExp, DType, red::arg<Chooser>, dimkeep>, DType> {
  static constexpr int kDim = ExpInfo<SrcExp>::kDim;

  static void Eval(Tensor<Device, 1, DType> *dst,
                   const ReduceTo1DExp<SrcExp, DType, red::arg<Chooser>, dimkeep> &exp) {
    const Shape<kDim> shape = ShapeCheck<kDim, SrcExp>::Check(exp.src_);
    if (dst->shape_[0] != shape[dimkeep]) {
      ::mshadow::detail::ThrowShapes("destination and reduction", dst->shape_.shape_, 1,
                                     Shape1(shape[dimkeep]).shape_, 1);
    }
    detail::CheckAliasing(*dst, exp);
    detail::CheckElements(exp.src_);
    constexpr bool kColumns = dimkeep == kDim - 1;
    const ChannelShape source{shape.ProdShape(0, dimkeep), shape[dimkeep],
                              kColumns ? 0 : shape.ProdShape(dimkeep + 1, kDim - 1),
                              shape[kDim - 1]};
    detail::FindNumbers<Saver, detail::ArgExceptDim<Chooser, dimkeep>>(
        dst, exp.src_, source, exp.scale_, [](const auto &chosen, const Shape<kDim> &whole) {
          return broadcast<dimkeep>(chosen, whole);
        });
  }
};

template <typename Saver, typename Device, typename DType, typename SrcExp, typename Chooser>
struct ExpComplexEngine<Saver, Tensor<Device, 1, DType>,
                        ReduceAllExp<SrcExp, DType, red::arg<Chooser>>, DType> {
  static constexpr int kDim = ExpInfo<SrcExp>::kDim;

  static void Eval(Tensor<Device, 1, DType> *dst,
                   const ReduceAllExp<SrcExp, DType, red::arg<Chooser>> &exp) {
    if (dst->shape_[0] != 1) {
      ::mshadow::detail::ThrowShapes("destination and reduction to one element", dst->shape_.shape_,
                                     1, Shape1(1).shape_, 1);
    }
    detail::CheckElements(exp.src_);
    const Shape<2> shape = ShapeCheck<kDim, SrcExp>::Check(exp.src_).FlatTo2D();
    detail::FindNumbers<Saver, detail::ArgAll<Chooser>>(
        dst, exp.src_, ChannelShape{1, 1, shape[0], shape[1]}, exp.scale_,
        [](const auto &chosen, const Shape<kDim> &whole) {
          return broadcast_scalar(chosen, whole);
        });
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_ARG_REDUCE_H_
