// SPDX-License-Identifier: Apache-2.0
/// \file implicit_dot.h
/// implicit_dot(a, b): the product of two matrix expressions as an expression, evaluated element by
/// element. dot is faster, for tensors; this one joins larger expressions and takes every element
/// type.
#ifndef MSHADOW_EXTENSION_IMPLICIT_DOT_H_
#define MSHADOW_EXTENSION_IMPLICIT_DOT_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"
#include "mshadow/extension/pairwise_tree.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// lhs times rhs.
template <typename LhsExp, typename RhsExp, typename DType>
struct ImplicitGEMMExp : MakeTensorExp<ImplicitGEMMExp<LhsExp, RhsExp, DType>, LhsExp, 2, DType> {
  LhsExp lhs_;
  RhsExp rhs_;
  index_t prod_size_;  ///< columns of lhs, rows of rhs

  ImplicitGEMMExp(const LhsExp &lhs, const RhsExp &rhs) : lhs_(lhs), rhs_(rhs) {
    const Shape<2> a = ShapeCheck<2, LhsExp>::Check(lhs);
    const Shape<2> b = ShapeCheck<2, RhsExp>::Check(rhs);
    if (a[1] != b[0]) {
      detail::ThrowMisfit("implicit_dot",
                          "expected as many columns on the left as rows on the right", a.shape_, 2,
                          b.shape_, 2);
    }
    prod_size_ = a[1];
    this->shape_ = Shape2(a[0], b[1]);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(lhs_, true);
    f(rhs_, true);
  }
  index_t CountReads() const { return prod_size_; }
};

template <typename LhsExp, typename RhsExp, typename DType>
struct ExpInfo<ImplicitGEMMExp<LhsExp, RhsExp, DType>> : detail::DevicesOf<LhsExp, RhsExp> {
  static constexpr int kDim = 2;
};

/// Products are added in the order of their index; 16-bit floats in float.
template <typename LhsExp, typename RhsExp, typename DType>
class Plan<ImplicitGEMMExp<LhsExp, RhsExp, DType>, DType> {
 public:
  explicit Plan(const ImplicitGEMMExp<LhsExp, RhsExp, DType> &exp)
      : lhs_(MakePlan(exp.lhs_)), rhs_(MakePlan(exp.rhs_)), size_(exp.prod_size_) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    Acc sum = 0;
    for (index_t k = 0; k < size_; ++k) {
      Add(&sum, static_cast<Acc>(lhs_.Eval(y, k)), static_cast<Acc>(rhs_.Eval(k, x)));
    }
    return ScalarCast<DType>(sum);
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    Acc sum[detail::kMaxRun];
    for (int i = 0; i < n; ++i) sum[i] = 0;
    for (index_t k = 0; k < size_; ++k) {
      const Acc factor = static_cast<Acc>(lhs_.Eval(y, k));
      const detail::Run<Plan<RhsExp, DType>, DType> run(rhs_, k, x, n);
      for (int i = 0; i < n; ++i) Add(sum + i, factor, static_cast<Acc>(run[i]));
    }
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(sum[i]);
  }

 private:
  using Acc = typename detail::Accumulator<DType>::type;
  MSHADOW_XINLINE static void Add(Acc *sum, Acc a, Acc b) {
    *sum = op::plus::Map(*sum, op::mul::Map(a, b));
  }

  Plan<LhsExp, DType> lhs_;
  Plan<RhsExp, DType> rhs_;
  index_t size_;
};

/// The product of two matrices, each any expression.
/// \throws Error unless \p lhs has as many columns as \p rhs has rows
template <typename LhsExp, typename RhsExp, typename DType, int e1, int e2>
ImplicitGEMMExp<LhsExp, RhsExp, DType> implicit_dot(const Exp<LhsExp, DType, e1> &lhs,
                                                    const Exp<RhsExp, DType, e2> &rhs) {
  static_assert(detail::CheckSource<LhsExp, e1>() && detail::CheckSource<RhsExp, e2>());
  static_assert(ExpInfo<LhsExp>::kDim == 2 && ExpInfo<RhsExp>::kDim == 2,
                "implicit_dot takes two matrices");
  return ImplicitGEMMExp<LhsExp, RhsExp, DType>(lhs.self(), rhs.self());
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_IMPLICIT_DOT_H_
