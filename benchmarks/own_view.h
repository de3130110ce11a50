// SPDX-License-Identifier: Apache-2.0
/// \file own_view.h
/// An expression of a user's own, which the generator knows nothing of: the rows in reverse order,
/// as `flip(in, 0)` has them.
#ifndef MSHADOW_BENCHMARKS_OWN_VIEW_H_
#define MSHADOW_BENCHMARKS_OWN_VIEW_H_

#include <mshadow/tensor.h>

namespace slow_parts {

template <typename SrcExp, typename DType, int dim>
struct OwnViewExp
    : mshadow::expr::MakeTensorExp<OwnViewExp<SrcExp, DType, dim>, SrcExp, dim, DType> {
  SrcExp src_;
  explicit OwnViewExp(const SrcExp &src) : src_(src) {
    this->shape_ = mshadow::expr::ShapeCheck<dim, SrcExp>::Check(src);
  }
};

template <typename SrcExp, typename DType, int etype>
OwnViewExp<SrcExp, DType, mshadow::expr::ExpInfo<SrcExp>::kDim> own_view(
    const mshadow::expr::Exp<SrcExp, DType, etype> &src) {
  return OwnViewExp<SrcExp, DType, mshadow::expr::ExpInfo<SrcExp>::kDim>(src.self());
}

}  // namespace slow_parts

namespace mshadow {
namespace expr {

template <typename SrcExp, typename DType, int dim>
class Plan<slow_parts::OwnViewExp<SrcExp, DType, dim>, DType> {
 public:
  explicit Plan(const slow_parts::OwnViewExp<SrcExp, DType, dim> &exp)
      : src_(MakePlan(exp.src_)), last_(exp.shape_[0] - 1) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return src_.Eval(last_ - y, x); }

 private:
  Plan<SrcExp, DType> src_;
  index_t last_;
};

}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_BENCHMARKS_OWN_VIEW_H_
