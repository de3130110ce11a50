// SPDX-License-Identifier: Apache-2.0
/// \file lazy.h
/// Broadcasts as kernels read them. mshadow::expr::lazy has the broadcasts of mshadow::expr, but
/// evaluates their source where an element is read, rather than once when the Plan is made. So the
/// Plan owns no memory, and reads none before the kernel runs. The elements are the same.
#ifndef MSHADOW_LAZY_H_
#define MSHADOW_LAZY_H_

#include "mshadow/expr/engine.h"
#include "mshadow/extension.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A source that is evaluated where it is read.
template <typename SrcExp, typename DType>
struct LazyExp : MakeTensorExp<LazyExp<SrcExp, DType>, SrcExp, ExpInfo<SrcExp>::kDim, DType> {
  SrcExp src_;
  explicit LazyExp(const SrcExp &src) : src_(src) {
    this->shape_ = ShapeCheck<ExpInfo<SrcExp>::kDim, SrcExp>::Check(src);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, false);
  }
};

template <typename SrcExp, typename DType>
constexpr bool kIsComputed<LazyExp<SrcExp, DType>> = false;

/// When the Plan is made, the element may not have been written, or the host may not be able to
/// read it.
template <typename E, typename SrcExp, typename DType, int dim>
class BroadcastScalarPlan<E, LazyExp<SrcExp, DType>, DType, dim, true>
    : public BroadcastScalarPlan<E, LazyExp<SrcExp, DType>, DType, dim, false> {
 public:
  using BroadcastScalarPlan<E, LazyExp<SrcExp, DType>, DType, dim, false>::BroadcastScalarPlan;
};

template <typename E, typename DType, int etype>
LazyExp<E, DType> Lazy(const Exp<E, DType, etype> &src) {
  return LazyExp<E, DType>(src.self());
}

}  // namespace detail

template <typename SrcExp, typename DType>
class Plan<detail::LazyExp<SrcExp, DType>, DType> : public detail::PlanOf<SrcExp> {
 public:
  explicit Plan(const detail::LazyExp<SrcExp, DType> &exp)
      : detail::PlanOf<SrcExp>(MakePlan(exp.src_)) {}
};

namespace lazy {

template <int dimcast, typename E, typename DType, int etype, int dim>
auto broadcast(const Exp<E, DType, etype> &src, const Shape<dim> &shape) {
  return expr::broadcast<dimcast>(detail::Lazy(src), shape);
}
template <typename E, typename DType, int etype>
auto repmat(const Exp<E, DType, etype> &src, index_t nrow) {
  return expr::repmat(detail::Lazy(src), nrow);
}
template <typename E, typename DType, int etype, int dim>
auto broadcast_scalar(const Exp<E, DType, etype> &src, const Shape<dim> &shape) {
  return expr::broadcast_scalar(detail::Lazy(src), shape);
}
template <typename E, typename DType, int etype>
auto broadcast_with_axis(const Exp<E, DType, etype> &src, int axis, index_t size) {
  return expr::broadcast_with_axis(detail::Lazy(src), axis, size);
}
template <typename E, typename DType, int etype>
auto broadcast_keepdim(const Exp<E, DType, etype> &src, int axis, index_t size) {
  return expr::broadcast_keepdim(detail::Lazy(src), axis, size);
}
template <typename E, typename DType, int etype, typename Axes, typename Sizes>
auto broadcast_multi_axes(const Exp<E, DType, etype> &src, const Axes &axes, const Sizes &sizes) {
  return expr::broadcast_multi_axes(detail::Lazy(src), axes, sizes);
}
template <typename E, typename DType, int etype, typename Target>
auto broadcast_to(const Exp<E, DType, etype> &src, const Target &shape) {
  return expr::broadcast_to(detail::Lazy(src), shape);
}

}  // namespace lazy
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_LAZY_H_
