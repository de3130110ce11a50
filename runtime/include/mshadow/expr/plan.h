// SPDX-License-Identifier: Apache-2.0
/// \file plan.h
/// The Plans of the library's basic expressions: how each computes its element (y, x).
#ifndef MSHADOW_EXPR_PLAN_H_
#define MSHADOW_EXPR_PLAN_H_

#include "mshadow/detail/tensor_view.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/expr/run.h"
#include "mshadow/expression.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// The Plan of an expression for which there is no specialisation. The expression may have been
/// refused already, for its element type or because it cannot be evaluated element by element. Then
/// this Plan adds no further error.
template <typename E, typename DType>
class Plan {
  using Traits = typename ExpTraits<E>::type;
  static constexpr bool kRefused =
      !::mshadow::detail::IsSame<typename Traits::ElementType, DType>::value ||
      ExpInfo<E>::kDim < 1;

 public:
  template <typename Any>
  explicit Plan(const Any &) {
    static_assert(kRefused || ::mshadow::detail::AlwaysFalse<Any>::value,
                  "this expression cannot be evaluated: specialise mshadow::expr::Plan for it, "
                  "with a constructor from it and DType Eval(index_t y, index_t x) const");
  }
  MSHADOW_XINLINE DType Eval(index_t, index_t) const { return DType(); }
};

/// The Plan of an expression. The constructor of a Plan takes the expression. If that of your own
/// Plan takes something else, overload this function.
template <typename E, typename DType, int etype>
MSHADOW_CINLINE Plan<E, DType> MakePlan(const Exp<E, DType, etype> &exp) {
  return Plan<E, DType>(exp.self());
}

template <typename DType>
class Plan<ScalarExp<DType>, DType> {
 public:
  MSHADOW_CINLINE explicit Plan(const ScalarExp<DType> &exp) : scalar_(exp.scalar_) {}
  MSHADOW_XINLINE DType Eval(index_t, index_t) const { return scalar_; }
  static constexpr bool kUniform = true;

 private:
  DType scalar_;
};

template <typename Device, int dim, typename DType>
class Plan<Tensor<Device, dim, DType>, DType> {
 public:
  MSHADOW_CINLINE explicit Plan(const Tensor<Device, dim, DType> &t)
      : dptr_(t.dptr_), stride_(t.stride_) {}
  MSHADOW_XINLINE DType &REval(index_t y, index_t x) const { return dptr_[y * stride_ + x]; }
  MSHADOW_XINLINE const DType &Eval(index_t y, index_t x) const { return dptr_[y * stride_ + x]; }

 private:
  DType *dptr_;
  index_t stride_;
};

/// A vector is one row, whatever y is, so a broadcast of it need not treat it as a special case.
template <typename Device, typename DType>
class Plan<Tensor<Device, 1, DType>, DType> {
 public:
  MSHADOW_CINLINE explicit Plan(const Tensor<Device, 1, DType> &t) : dptr_(t.dptr_) {}
  MSHADOW_XINLINE DType &REval(index_t, index_t x) const { return dptr_[x]; }
  MSHADOW_XINLINE const DType &Eval(index_t, index_t x) const { return dptr_[x]; }

 private:
  DType *dptr_;
};

template <typename DstDType, typename SrcDType, typename E, int etype>
class Plan<TypecastExp<DstDType, SrcDType, E, etype>, DstDType> {
 public:
  MSHADOW_CINLINE explicit Plan(const TypecastExp<DstDType, SrcDType, E, etype> &exp)
      : src_(MakePlan(exp.exp)) {}
  MSHADOW_XINLINE DstDType Eval(index_t y, index_t x) const {
    return ScalarCast<DstDType>(src_.Eval(y, x));
  }
  static constexpr bool kRuns = detail::kHasRuns<Plan<E, SrcDType>>;
  static constexpr bool kUniform = detail::kIsUniform<Plan<E, SrcDType>>;
  static constexpr bool kShortByElement = detail::kShortByElement<Plan<E, SrcDType>>;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t y, index_t x, int n) : src_(p.src_, y, x, n) {}
    MSHADOW_CINLINE DstDType operator[](std::ptrdiff_t i) const {
      return ScalarCast<DstDType>(src_[i]);
    }

   private:
    detail::Run<Plan<E, SrcDType>, SrcDType> src_;
  };
  index_t RowPeriod() const { return detail::RowPeriodOf(src_); }

 private:
  Plan<E, SrcDType> src_;
};

template <typename E, typename DType>
class Plan<TransposeExp<E, DType>, DType> {
 public:
  MSHADOW_CINLINE explicit Plan(const TransposeExp<E, DType> &exp) : src_(MakePlan(exp.exp)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return src_.Eval(x, y); }
  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    if constexpr (detail::kIsPlanOfTensor<Plan<E, DType>>) {
      detail::GatherApart(&src_.Eval(x, y), n > 1 ? &src_.Eval(x + 1, y) : nullptr, n, out);
    } else {
      for (int i = 0; i < n; ++i) out[i] = src_.Eval(x + i, y);
    }
  }
  index_t RowPeriod() const { return 1; }
  template <typename S = Plan<E, DType>, std::enable_if_t<detail::kIsPlanOfTensor<S>, int> = 0>
  int EvalBlock(index_t y, index_t x, int rows, int n, DType *out) const {
    const DType *const from = &src_.Eval(x, y);
    detail::TransposeBlock(from, n > 1 ? &src_.Eval(x + 1, y) - from : 0, 1, rows, n, out);
    return rows;
  }

 private:
  Plan<E, DType> src_;
};

namespace detail {

/// Whether OP says which elementary function it is, and that function has a loop over elements of
/// type T (function_plan.h).
template <typename OP, typename T, typename = void>
constexpr bool kIsFunction = false;
template <typename OP, typename T>
constexpr bool kIsFunction<OP, T, std::void_t<decltype(OP::kFunction)>> =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half::half_t> ||
    std::is_same_v<T, bfloat::bf16_t>;
/// The Plan of such an operator with operands E.
template <typename OP, typename DType, typename... E>
class PlanOfFunction;

/// An operator may compute in another type than the expression's (a Map over floats on a tensor of
/// half_t): its result is converted as tcast would.
template <typename OP, typename TA, typename DType>
class PlanOfUnary {
  using Source = Plan<TA, DType>;

 public:
  MSHADOW_CINLINE explicit PlanOfUnary(const TA &src) : src_(MakePlan(src)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return ScalarCast<DType>(OP::Map(src_.Eval(y, x)));
  }
  static constexpr bool kRuns = kHasRuns<Source>;
  static constexpr bool kUniform = kIsUniform<Source>;
  static constexpr bool kShortByElement = detail::kShortByElement<Source>;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const PlanOfUnary &p, index_t y, index_t x, int n)
        : src_(p.src_, y, x, n) {}
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const {
      return ScalarCast<DType>(OP::Map(src_[i]));
    }

   private:
    Run<Source, DType> src_;
  };
  index_t RowPeriod() const { return RowPeriodOf(src_); }

 private:
  Source src_;
};

}  // namespace detail

template <typename OP, typename TA, typename DType, int etype>
class Plan<UnaryMapExp<OP, TA, DType, etype>, DType>
    : public std::conditional_t<detail::kIsFunction<OP, DType>,
                                detail::PlanOfFunction<OP, DType, TA>,
                                detail::PlanOfUnary<OP, TA, DType>> {
  using Base =
      std::conditional_t<detail::kIsFunction<OP, DType>, detail::PlanOfFunction<OP, DType, TA>,
                         detail::PlanOfUnary<OP, TA, DType>>;

 public:
  MSHADOW_CINLINE explicit Plan(const UnaryMapExp<OP, TA, DType, etype> &exp) : Base(exp.src_) {}
};

namespace detail {

template <typename OP, typename TA, typename TB, typename DType>
class PlanOfBinary {
  using Lhs = Plan<TA, DType>;
  using Rhs = Plan<TB, DType>;

 public:
  MSHADOW_CINLINE PlanOfBinary(const TA &lhs, const TB &rhs)
      : lhs_(MakePlan(lhs)), rhs_(MakePlan(rhs)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return ScalarCast<DType>(OP::Map(lhs_.Eval(y, x), rhs_.Eval(y, x)));
  }
  static constexpr bool kRuns = kHasRuns<Lhs> || kHasRuns<Rhs>;
  static constexpr bool kUniform = kIsUniform<Lhs> && kIsUniform<Rhs>;
  static constexpr bool kShortByElement =
      detail::kShortByElement<Lhs> && detail::kShortByElement<Rhs>;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const PlanOfBinary &p, index_t y, index_t x, int n)
        : lhs_(p.lhs_, y, x, n), rhs_(p.rhs_, y, x, n) {}
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const {
      return ScalarCast<DType>(OP::Map(lhs_[i], rhs_[i]));
    }

   private:
    Run<Lhs, DType> lhs_;
    Run<Rhs, DType> rhs_;
  };
  index_t RowPeriod() const { return RowPeriodOf(lhs_, rhs_); }

 private:
  Lhs lhs_;
  Rhs rhs_;
};

}  // namespace detail

template <typename OP, typename TA, typename TB, typename DType, int etype>
class Plan<BinaryMapExp<OP, TA, TB, DType, etype>, DType>
    : public std::conditional_t<detail::kIsFunction<OP, DType>,
                                detail::PlanOfFunction<OP, DType, TA, TB>,
                                detail::PlanOfBinary<OP, TA, TB, DType>> {
  using Base =
      std::conditional_t<detail::kIsFunction<OP, DType>, detail::PlanOfFunction<OP, DType, TA, TB>,
                         detail::PlanOfBinary<OP, TA, TB, DType>>;

 public:
  MSHADOW_CINLINE explicit Plan(const BinaryMapExp<OP, TA, TB, DType, etype> &exp)
      : Base(exp.lhs_, exp.rhs_) {}
};

template <typename OP, typename TA, typename TB, typename TC, typename DType, int etype>
class Plan<TernaryMapExp<OP, TA, TB, TC, DType, etype>, DType> {
 public:
  MSHADOW_CINLINE explicit Plan(const TernaryMapExp<OP, TA, TB, TC, DType, etype> &exp)
      : item1_(MakePlan(exp.item1_)), item2_(MakePlan(exp.item2_)), item3_(MakePlan(exp.item3_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return ScalarCast<DType>(OP::Map(item1_.Eval(y, x), item2_.Eval(y, x), item3_.Eval(y, x)));
  }
  static constexpr bool kRuns = detail::kHasRuns<Plan<TA, DType>> ||
                                detail::kHasRuns<Plan<TB, DType>> ||
                                detail::kHasRuns<Plan<TC, DType>>;
  static constexpr bool kUniform = detail::kIsUniform<Plan<TA, DType>> &&
                                   detail::kIsUniform<Plan<TB, DType>> &&
                                   detail::kIsUniform<Plan<TC, DType>>;
  static constexpr bool kShortByElement = detail::kShortByElement<Plan<TA, DType>> &&
                                          detail::kShortByElement<Plan<TB, DType>> &&
                                          detail::kShortByElement<Plan<TC, DType>>;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t y, index_t x, int n)
        : item1_(p.item1_, y, x, n), item2_(p.item2_, y, x, n), item3_(p.item3_, y, x, n) {}
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const {
      return ScalarCast<DType>(OP::Map(item1_[i], item2_[i], item3_[i]));
    }

   private:
    detail::Run<Plan<TA, DType>, DType> item1_;
    detail::Run<Plan<TB, DType>, DType> item2_;
    detail::Run<Plan<TC, DType>, DType> item3_;
  };
  index_t RowPeriod() const { return detail::RowPeriodOf(item1_, item2_, item3_); }

 private:
  Plan<TA, DType> item1_;
  Plan<TB, DType> item2_;
  Plan<TC, DType> item3_;
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_PLAN_H_
