// SPDX-License-Identifier: Apache-2.0
// expected: this expression cannot be evaluated: specialise mshadow::expr::Plan for it
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

/// An expression of a user's, as the guide has it; what evaluates it may be forgotten.
template <typename SrcExp, typename DType>
struct DoubledExp : MakeTensorExp<DoubledExp<SrcExp, DType>, SrcExp, 2, DType> {
  SrcExp src_;
  explicit DoubledExp(const SrcExp &src) : src_(src) {
    this->shape_ = ShapeCheck<2, SrcExp>::Check(src);
  }
};
template <typename SrcExp, typename DType, int etype>
DoubledExp<SrcExp, DType> doubled(const Exp<SrcExp, DType, etype> &src) {
  return DoubledExp<SrcExp, DType>(src.self());
}

#ifndef MUST_FAIL
namespace mshadow {
namespace expr {
template <typename SrcExp, typename DType>
class Plan<DoubledExp<SrcExp, DType>, DType> {
 public:
  explicit Plan(const DoubledExp<SrcExp, DType> &exp) : src_(MakePlan(exp.src_)) {}
  DType Eval(index_t y, index_t x) const { return 2 * src_.Eval(y, x); }

 private:
  Plan<SrcExp, DType> src_;
};
}  // namespace expr
}  // namespace mshadow
#endif

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() { a = doubled(b); }
