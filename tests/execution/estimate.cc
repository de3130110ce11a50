// SPDX-License-Identifier: Apache-2.0
#include "estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "estimate_float.h"
#include "estimate_integer.h"
#include "rounding.h"

namespace mshadow_test {

using mgen::Category;
using mgen::Op;
using mgen::OpClass;
using mgen::ScalarKind;

bool Estimate::Accepts(double computed) const {
  if (undecided) return true;
  if (std::isnan(value)) return std::isnan(computed);
  if (std::isinf(value)) return computed == static_cast<double>(value);
  return std::isfinite(computed) && std::fabs(computed - value) <= bound;
}

Estimate ExactFloat(ScalarKind kind, double value) {
  Estimate result;
  result.kind = kind;
  result.value = value;
  return result;
}

Estimate ExactInteger(ScalarKind kind, int64_t value) {
  Estimate result;
  result.kind = kind;
  result.integer = WrapInteger(kind, value);
  return result;
}

Estimate Undecided(ScalarKind kind) {
  Estimate result;
  result.kind = kind;
  result.undecided = true;
  return result;
}

namespace {

bool IsUncertain(const Estimate &x) { return x.undecided; }
Estimate Bool(bool value) { return ExactInteger(ScalarKind::kBool, value ? 1 : 0); }

template <typename T>
bool Compare(Op op, T a, T b) {
  switch (op) {
    case Op::kLt:
      return a < b;
    case Op::kLe:
      return a <= b;
    case Op::kGt:
      return a > b;
    case Op::kGe:
      return a >= b;
    case Op::kEq:
      return a == b;
    default:
      return a != b;
  }
}

Estimate CompareNumbers(Op op, const Estimate &a, const Estimate &b) {
  if (a.undecided || b.undecided) return Undecided(ScalarKind::kBool);
  if (!mgen::IsFloat(a.kind)) {
    if (a.kind != ScalarKind::kUint64) return Bool(Compare(op, a.integer, b.integer));
    return Bool(Compare(op, static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer)));
  }
  const long double slack = static_cast<long double>(a.bound) + b.bound;
  if (slack > 0 && std::fabs(a.value - b.value) <= slack) return Undecided(ScalarKind::kBool);
  return Bool(Compare(op, a.value, b.value));
}

/// A false operand of && decides it, whatever the other is; a true one of ||.
Estimate Combine(Op op, const Estimate &a, const Estimate &b) {
  const int64_t deciding = op == Op::kOr ? 1 : 0;
  for (const Estimate *x : {&a, &b}) {
    if (!x->undecided && x->integer == deciding) return *x;
  }
  return a.undecided || b.undecided ? Undecided(ScalarKind::kBool) : Bool(deciding == 0);
}

Estimate Logical(Op op, const std::vector<Estimate> &args) {
  if (op != Op::kNot) return Combine(op, args[0], args[1]);
  return args[0].undecided ? args[0] : Bool(args[0].integer == 0);
}

Estimate ToInteger(ScalarKind kind, const Estimate &x) {
  if (std::isnan(x.value)) return ExactInteger(kind, 0);
  const long double whole = std::trunc(x.value);
  const bool is_certain = x.bound == 0 || (std::trunc(x.value - x.bound) == whole &&
                                           std::trunc(x.value + x.bound) == whole);
  const int bits = 8 * mgen::Bytes(kind);
  const bool is_signed = mgen::CategoryOf(kind) == Category::kSigned;
  const long double low = is_signed ? -std::ldexp(1.0L, bits - 1) : 0;
  const long double high = std::ldexp(1.0L, is_signed ? bits - 1 : bits) - 1;
  // Beyond the range the exact value does not matter.
  const bool saturates = x.value - x.bound >= high || x.value + x.bound <= low;
  if (!is_certain && !saturates) return Undecided(kind);
  const long double clamped = std::min(std::max(whole, low), high);
  return ExactInteger(kind, is_signed ? static_cast<int64_t>(clamped)
                                      : static_cast<int64_t>(static_cast<uint64_t>(clamped)));
}

Estimate ToBool(const Estimate &x) {
  if (!mgen::IsFloat(x.kind)) return Bool(x.integer != 0);
  if (x.bound > 0 && std::fabs(x.value) <= x.bound) return Undecided(ScalarKind::kBool);
  return Bool(x.value != 0);
}

/// x, rounded to one of the two numbers of the kind next to it: away from 0 if u is below the
/// distance from the one towards 0, in units of the distance of the two.
Estimate RoundedAtRandom(ScalarKind kind, const Estimate &x, const Estimate &u) {
  if (kind == ScalarKind::kFloat32 || kind == ScalarKind::kFloat64) return Convert(kind, x);
  if (!std::isfinite(x.value)) return Convert(kind, x);
  const bool is_float = mgen::IsFloat(kind);
  const FloatFormat format = FormatOf(is_float ? kind : ScalarKind::kFloat32);
  const long double size = std::fabs(x.value) + x.bound;
  const int exponent =
      size == 0 ? format.min_exponent : std::max(std::ilogb(size), format.min_exponent);
  const long double step = is_float ? std::ldexp(1.0L, exponent - format.digits + 1) : 1;
  if (x.bound != 0 || u.bound != 0) {
    if (!is_float || size + step >= format.overflow_limit()) return Undecided(kind);
    Estimate result = ExactFloat(kind, 0);
    result.value = x.value;
    result.bound = static_cast<double>((x.bound + step) * (1 + 0x1p-50L));
    return result;
  }
  const long double steps = size / step, whole = std::trunc(steps);
  const long double rounded = (whole + (u.value < steps - whole ? 1 : 0)) * step;
  Estimate result = ExactFloat(ScalarKind::kFloat64, 0);
  result.value = std::copysign(rounded, x.value);
  return Convert(kind, result);
}

/// The bits of a number of a float kind: the sign, the exponent, the digits without the first.
int64_t BitsOf(ScalarKind kind, long double number) {
  const FloatFormat format = FormatOf(kind);
  const int64_t sign = std::signbit(number) ? int64_t{-1} << (8 * mgen::Bytes(kind) - 1) : 0;
  const long double size =
      std::isinf(number) ? std::ldexp(1.0L, format.max_exponent + 1) : std::fabs(number);
  const int exponent =
      size == 0 ? format.min_exponent : std::max(std::ilogb(size), format.min_exponent);
  const auto digits = static_cast<int64_t>(std::ldexp(size, format.digits - 1 - exponent));
  // The first digit of a normal number counts the exponent up.
  return sign + (int64_t{exponent - format.min_exponent} << (format.digits - 1)) + digits;
}

/// The number of a float kind that has these bits.
double NumberOf(ScalarKind kind, int64_t bits) {
  const FloatFormat format = FormatOf(kind);
  const int64_t sign = int64_t{-1} << (8 * mgen::Bytes(kind) - 1), size = bits & ~sign;
  const int64_t first = int64_t{1} << (format.digits - 1);
  const int field = static_cast<int>(size / first);
  const int64_t digits = size % first + (field > 0 ? first : 0);
  const int exponent = format.min_exponent - format.digits + 1 + std::max(field - 1, 0);
  const double number = field <= format.max_exponent - format.min_exponent + 1
                            ? std::ldexp(static_cast<double>(digits), exponent)
                        : digits == first ? std::numeric_limits<double>::infinity()
                                          : std::nan("");
  return (bits & sign) == 0 ? number : -number;
}

/// The bits of a number as another kind; which bits a NaN has is undecided.
Estimate BitsAs(ScalarKind kind, const Estimate &x) {
  const bool is_float = mgen::IsFloat(x.kind);
  if (is_float && (x.bound != 0 || std::isnan(x.value))) return Undecided(kind);
  const int64_t bits = is_float ? BitsOf(x.kind, x.value) : x.integer;
  return mgen::IsFloat(kind) ? ExactFloat(kind, NumberOf(kind, bits)) : ExactInteger(kind, bits);
}

long double AsFloat(const Estimate &x) {
  if (x.kind == ScalarKind::kUint64) return static_cast<uint64_t>(x.integer);
  return x.integer;
}

}  // namespace

Estimate Convert(ScalarKind kind, const Estimate &x) {
  if (x.undecided) return Undecided(kind);
  if (kind == ScalarKind::kBool) return ToBool(x);
  if (mgen::IsFloat(kind)) {
    return mgen::IsFloat(x.kind) ? Rounded(kind, x.value, x.bound) : Rounded(kind, AsFloat(x), 0);
  }
  return mgen::IsFloat(x.kind) ? ToInteger(kind, x) : ExactInteger(kind, x.integer);
}

Estimate Apply(Op op, ScalarKind kind, const std::vector<Estimate> &args) {
  if (op == Op::kAnd || op == Op::kOr || op == Op::kNot) return Logical(op, args);
  if (op == Op::kSelect) {
    return args[0].undecided ? Undecided(kind) : args[args[0].integer != 0 ? 1 : 2];
  }
  if (mgen::ClassOf(op) == OpClass::Compare) return CompareNumbers(op, args[0], args[1]);
  if (std::any_of(args.begin(), args.end(), IsUncertain)) return Undecided(kind);
  if (op == Op::kBitCast) return BitsAs(kind, args[0]);
  if (op == Op::kRoundStochastic) return RoundedAtRandom(kind, args[0], args[1]);
  return mgen::IsFloat(args[0].kind) ? ApplyToFloats(op, kind, args)
                                     : ApplyToIntegers(op, kind, args);
}

}  // namespace mshadow_test
