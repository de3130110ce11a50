// SPDX-License-Identifier: Apache-2.0
/// \file half_plan.h
/// The Plans of tcast<half_t> of floats, of tcast<float> of a tensor of half_t, and of half_t's
/// arithmetic, where a processor converts eight at once. Compilers make a loop of single
/// conversions of these: five instructions for a cast, which take twice as long where they happen
/// to lie across a cache line, and an addition takes six times as long as by eights.
#ifndef MSHADOW_HALF_PLAN_H_
#define MSHADOW_HALF_PLAN_H_

#include "mshadow/expr/plan.h"

#include "mshadow/detail/strict_push.h"

#if MSHADOW_HALF_BY_EIGHT
namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

inline void RoundRun(const float *from, int n, half::half_t *out) {
  int i = 0;
  for (; i + 8 <= n; i += 8) half::RoundEight(from + i, out + i);
  for (; i < n; ++i) out[i] = half::half_t(from[i]);
}
inline void WidenRun(const half::half_t *from, int n, float *out) {
  int i = 0;
  for (; i + 8 <= n; i += 8) half::WidenEight(from + i, out + i);
  for (; i < n; ++i) out[i] = static_cast<float>(from[i]);
}

/// A run of a Plan of half_t, widened.
template <typename P>
class WideRun {
 public:
  MSHADOW_CINLINE WideRun(const P &plan, index_t y, index_t x, int n) {
    if constexpr (kIsPlanOfTensor<P>) {
      WidenRun(&plan.Eval(y, x), n, values_);
    } else {
      const Run<P, half::half_t> run(plan, y, x, n);
      if constexpr (kRunKind<P> == RunKind::kBuffered) {
        WidenRun(&run[0], n, values_);
      } else {
        for (int i = 0; i < n; ++i) values_[i] = static_cast<float>(half::half_t(run[i]));
      }
    }
  }
  MSHADOW_CINLINE float operator[](std::ptrdiff_t i) const { return values_[i]; }

 private:
  alignas(32) float values_[kMaxRun];
};
/// A scalar, or what is the same all along a row.
template <typename P, bool kUniform = kIsUniform<P>>
struct WideOperand : WideRun<P> {
  using WideRun<P>::WideRun;
};
template <typename P>
class WideOperand<P, true> {
 public:
  MSHADOW_CINLINE WideOperand(const P &plan, index_t y, index_t x, int)
      : value_(static_cast<float>(plan.Eval(y, x))) {}
  MSHADOW_CINLINE float operator[](std::ptrdiff_t) const { return value_; }

 private:
  float value_;
};

/// The Plan of an operator of half_t's arithmetic, which is that of floats, rounded.
template <typename OP, typename TA, typename TB>
class HalfArithmetic {
  using DType = half::half_t;
  using Lhs = Plan<TA, DType>;
  using Rhs = Plan<TB, DType>;

 public:
  HalfArithmetic(const TA &lhs, const TB &rhs) : lhs_(MakePlan(lhs)), rhs_(MakePlan(rhs)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return OP::Map(DType(lhs_.Eval(y, x)), DType(rhs_.Eval(y, x)));
  }

  static constexpr bool kRuns = true;
  static constexpr bool kUniform = kIsUniform<Lhs> && kIsUniform<Rhs>;
  static constexpr bool kShortByElement = true;
  /// Both operands have been read before anything is written.
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun = kMaxRun;
  void EvalRun(index_t y, index_t x, index_t count, DType *out) const {
    const int n = static_cast<int>(count);
    const WideOperand<Lhs> lhs(lhs_, y, x, n);
    const WideOperand<Rhs> rhs(rhs_, y, x, n);
    alignas(32) float results[kMaxRun];
    for (int i = 0; i < n; ++i) results[i] = OP::Map(lhs[i], rhs[i]);
    RoundRun(results, n, out);
  }
  index_t RowPeriod() const { return RowPeriodOf(lhs_, rhs_); }

 private:
  Lhs lhs_;
  Rhs rhs_;
};

}  // namespace detail

#define MSHADOW_HALF_ARITHMETIC(OP)                                         \
  template <typename TA, typename TB, int etype>                            \
  class Plan<BinaryMapExp<OP, TA, TB, half::half_t, etype>, half::half_t>   \
      : public detail::HalfArithmetic<OP, TA, TB> {                         \
   public:                                                                  \
    explicit Plan(const BinaryMapExp<OP, TA, TB, half::half_t, etype> &exp) \
        : detail::HalfArithmetic<OP, TA, TB>(exp.lhs_, exp.rhs_) {}         \
  };
MSHADOW_HALF_ARITHMETIC(op::plus)
MSHADOW_HALF_ARITHMETIC(op::minus)
MSHADOW_HALF_ARITHMETIC(op::mul)
MSHADOW_HALF_ARITHMETIC(op::div)
#undef MSHADOW_HALF_ARITHMETIC

template <typename E, int etype>
class Plan<TypecastExp<half::half_t, float, E, etype>, half::half_t> {
  using Source = Plan<E, float>;

 public:
  MSHADOW_CINLINE explicit Plan(const TypecastExp<half::half_t, float, E, etype> &exp)
      : src_(MakePlan(exp.exp)) {}
  MSHADOW_XINLINE half::half_t Eval(index_t y, index_t x) const {
    return half::half_t(src_.Eval(y, x));
  }

  static constexpr bool kRuns = true;
  static constexpr bool kUniform = detail::kIsUniform<Source>;
  static constexpr bool kShortByElement = detail::kShortByElement<Source>;
  void EvalRun(index_t y, index_t x, int n, half::half_t *out) const {
    if constexpr (detail::kIsPlanOfTensor<Source>) {
      detail::RoundRun(&src_.Eval(y, x), n, out);
    } else {
      float values[detail::kMaxRun];
      const detail::Run<Source, float> run(src_, y, x, n);
      detail::StoreRun(values, run, n);
      detail::RoundRun(values, n, out);
    }
  }
  index_t RowPeriod() const { return detail::RowPeriodOf(src_); }

 private:
  Source src_;
};

template <int dim, int etype>
class Plan<TypecastExp<float, half::half_t, Tensor<cpu, dim, half::half_t>, etype>, float> {
  using Source = Tensor<cpu, dim, half::half_t>;

 public:
  MSHADOW_CINLINE explicit Plan(const TypecastExp<float, half::half_t, Source, etype> &exp)
      : src_(MakePlan(exp.exp)) {}
  MSHADOW_XINLINE float Eval(index_t y, index_t x) const {
    return static_cast<float>(src_.Eval(y, x));
  }

  static constexpr bool kRuns = true;
  static constexpr bool kShortByElement = true;
  void EvalRun(index_t y, index_t x, int n, float *out) const {
    detail::WidenRun(&src_.Eval(y, x), n, out);
  }

 private:
  Plan<Source, half::half_t> src_;
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow
#endif

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_HALF_PLAN_H_
