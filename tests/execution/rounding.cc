// SPDX-License-Identifier: Apache-2.0
#include "rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mshadow_test {

using mgen::ScalarKind;

long double FloatFormat::unit_roundoff() const { return std::ldexp(1.0L, -digits); }

long double FloatFormat::half_subnormal() const { return std::ldexp(1.0L, min_exponent - digits); }

long double FloatFormat::overflow_limit() const {
  // Half a unit in the last place above the largest finite number.
  return std::ldexp(2.0L - std::ldexp(1.0L, -digits), max_exponent);
}

bool FloatFormat::Holds(long double value) const {
  if (value == 0 || !std::isfinite(value)) return true;
  if (std::fabs(value) >= overflow_limit()) return false;
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const long double scaled = std::ldexp(value, digits - 1 - exponent);
  return scaled == std::trunc(scaled);
}

FloatFormat FormatOf(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::kFloat64:
      return {53, -1022, 1023};
    case ScalarKind::kFloat16:
      return {11, -14, 15};
    case ScalarKind::kBFloat16:
      return {8, -126, 127};
    default:
      return {24, -126, 127};
  }
}

Estimate Rounded(ScalarKind kind, long double value, long double bound, double ulps) {
  Estimate result = ExactFloat(kind, 0);
  result.value = value;
  if (!std::isfinite(value)) return result;  // exact: callers have decided it
  const FloatFormat format = FormatOf(kind);
  if (bound == 0 && ulps == 0 && format.Holds(value)) return result;
  // 16-bit results are computed in float and rounded once more.
  const bool is_narrow = kind == ScalarKind::kFloat16 || kind == ScalarKind::kBFloat16;
  const FloatFormat inner = is_narrow ? FormatOf(ScalarKind::kFloat32) : format;
  const long double inner_unit = inner.unit_roundoff() * (is_narrow && ulps == 0 ? 1 : 2 * ulps);
  const long double unit = inner_unit + (is_narrow || ulps == 0 ? format.unit_roundoff() : 0);
  const long double magnitude = std::fabs(value) + bound;
  const long double eta = format.half_subnormal() + inner.half_subnormal() * (1 + 2 * ulps);
  long double total = bound + unit * magnitude + eta;
  total *= 1 + 0x1p-40L;  // of this computation itself
  if (std::fabs(value) - total >= format.overflow_limit()) {
    result.value = std::copysign(std::numeric_limits<long double>::infinity(), value);
    return result;
  }
  result.bound = static_cast<double>(total * (1 + 0x1p-50L));
  result.undecided = magnitude * (1 + unit) >= format.overflow_limit();
  return result;
}

}  // namespace mshadow_test
