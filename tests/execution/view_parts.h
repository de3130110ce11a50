// SPDX-License-Identifier: Apache-2.0
// An index map that the generator has never seen, and a reducer: what a rule's own header declares.
#ifndef MSHADOW_TESTS_EXECUTION_VIEW_PARTS_H_
#define MSHADOW_TESTS_EXECUTION_VIEW_PARTS_H_

#include <mshadow/tensor.h>

namespace view_parts {

/// Every second row in reverse: how a plough goes over a field.
template <typename SrcExp, typename DType, int dim>
struct PloughExp : mshadow::expr::MakeTensorExp<PloughExp<SrcExp, DType, dim>, SrcExp, dim, DType> {
  SrcExp src_;
  explicit PloughExp(const SrcExp &src) : src_(src) {
    this->shape_ = mshadow::expr::ShapeCheck<dim, SrcExp>::Check(src);
  }
};

template <typename SrcExp, typename DType, int etype>
PloughExp<SrcExp, DType, mshadow::expr::ExpInfo<SrcExp>::kDim> plough(
    const mshadow::expr::Exp<SrcExp, DType, etype> &src) {
  return PloughExp<SrcExp, DType, mshadow::expr::ExpInfo<SrcExp>::kDim>(src.self());
}

/// The element that comes last.
struct latest {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(volatile DType &dst, volatile DType src) {
    dst = src;
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = DType(0);
  }
};

}  // namespace view_parts

namespace mshadow {
namespace expr {

template <typename SrcExp, typename DType, int dim>
class Plan<view_parts::PloughExp<SrcExp, DType, dim>, DType> {
 public:
  explicit Plan(const view_parts::PloughExp<SrcExp, DType, dim> &exp)
      : src_(MakePlan(exp.src_)), last_(exp.shape_[dim - 1] - 1) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return src_.Eval(y, y % 2 == 0 ? x : last_ - x);
  }

 private:
  Plan<SrcExp, DType> src_;
  index_t last_;
};

}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_TESTS_EXECUTION_VIEW_PARTS_H_
