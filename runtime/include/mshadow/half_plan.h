// SPDX-License-Identifier: Apache-2.0
/// \file half_plan.h
/// The Plans of tcast<half_t> of floats, and of tcast<float> of a tensor of half_t, where a
/// processor converts eight at once: compilers make a loop of single conversions of either, of five
/// instructions, which takes twice as long where it happens to lie across a cache line.
#ifndef MSHADOW_HALF_PLAN_H_
#define MSHADOW_HALF_PLAN_H_

#include "mshadow/expr_plan.h"
#include "mshadow/strict_push.h"

#if MSHADOW_HALF_BY_EIGHT
namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

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
      Round(&src_.Eval(y, x), n, out);
    } else {
      float values[detail::kMaxRun];
      const detail::Run<Source, float> run(src_, y, x, n);
      for (int i = 0; i < n; ++i) values[i] = run[i];
      Round(values, n, out);
    }
  }
  index_t RowPeriod() const { return detail::RowPeriodOf(src_); }

 private:
  static void Round(const float *from, int n, half::half_t *out) {
    int i = 0;
    for (; i + 8 <= n; i += 8) half::RoundEight(from + i, out + i);
    for (; i < n; ++i) out[i] = half::half_t(from[i]);
  }

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
    const half::half_t *const from = &src_.Eval(y, x);
    int i = 0;
    for (; i + 8 <= n; i += 8) half::WidenEight(from + i, out + i);
    for (; i < n; ++i) out[i] = static_cast<float>(from[i]);
  }

 private:
  Plan<Source, half::half_t> src_;
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow
#endif

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_HALF_PLAN_H_
