// SPDX-License-Identifier: Apache-2.0
/// \file range.h
/// range<DType>(start, stop, step, repeat): a vector that counts.
#ifndef MSHADOW_EXTENSION_RANGE_H_
#define MSHADOW_EXTENSION_RANGE_H_

#include "mshadow/detail/divider.h"
#include "mshadow/expr/engine.h"
#include "mshadow/extension/errors.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Elements of range(start, stop, step, repeat). Whole numbers are counted exactly; with fractions
/// the quotient is rounded to float, as callers who pass floats expect: (0.6 - 0) / 0.2 is 3.
/// \throws Error if the step is 0 or repeat is not positive
inline index_t RangeOutSize(double start, double stop, double step, int repeat = 1) {
  detail::CheckPositive("range", "number of repetitions", repeat);
  if (!(step < 0 || step > 0)) ::mshadow::detail::ThrowError("range: the step is 0");
  const auto is_whole = [](double value) {
    return static_cast<double>(ScalarCast<index_t>(value)) == value;
  };
  double count = (stop - start) / step;
  if (!is_whole(start) || !is_whole(stop) || !is_whole(step)) {
    count = static_cast<double>((static_cast<float>(stop) - static_cast<float>(start)) /
                                static_cast<float>(step));
  }
  const index_t whole = ScalarCast<index_t>(count);
  const index_t steps = static_cast<double>(whole) < count ? whole + 1 : whole;
  return steps > 0 ? steps * repeat : 0;
}

/// start, start + step, start + 2 step, … before stop, each repeat times.
template <typename DType>
struct RangeExp : Exp<RangeExp<DType>, DType, type::kMapper> {
  double start_;
  double stop_;
  double step_;
  int repeat_;
  RangeExp(double start, double stop, double step, int repeat)
      : start_(start), stop_(stop), step_(step), repeat_(repeat) {}
  template <typename Function>
  void ForEachOperand(Function &&) const {}
};

template <typename DType>
struct ExpInfo<RangeExp<DType>> {
  static constexpr int kDim = 1;
  static constexpr int kDevMask = 0xffff;
};
template <int dim, typename DType>
struct ShapeCheck<dim, RangeExp<DType>> {
  static Shape<dim> Check(const RangeExp<DType> &exp) {
    return Shape1(RangeOutSize(exp.start_, exp.stop_, exp.step_, exp.repeat_));
  }
};

template <typename DType>
class Plan<RangeExp<DType>, DType> {
 public:
  explicit Plan(const RangeExp<DType> &exp)
      : start_(exp.start_), step_(exp.step_), repeat_(exp.repeat_) {}
  MSHADOW_XINLINE DType Eval(index_t, index_t x) const {
    const double steps = static_cast<double>(repeat_.Quotient(x));
    return ScalarCast<DType>(op::plus::Map(start_, op::mul::Map(steps, step_)));
  }

 private:
  double start_;
  double step_;
  ::mshadow::detail::Divider repeat_;
};

/// The vector start, start + step, … of numbers before \p stop (after it, if the step is negative),
/// each \p repeat times. It is empty if there are none. Computed in double and rounded once.
/// \throws Error when evaluated, if the step is 0 or repeat is not positive
template <typename DType>
RangeExp<DType> range(double start, double stop, double step = 1, int repeat = 1) {
  return RangeExp<DType>(start, stop, step, repeat);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_RANGE_H_
