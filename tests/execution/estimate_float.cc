// SPDX-License-Identifier: Apache-2.0
#include "estimate_float.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "rounding.h"

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;

/// mshadow::math promises 2 ULP; of libm's functions this much is assumed.
constexpr double kMathUlps = 2;
constexpr double kLibmUlps = 4;

/// Of quotients and roots: 16-bit ones are always rounded correctly.
double ApproximationUlps(ScalarKind kind) {
  const bool is_native = kind == ScalarKind::kFloat32 || kind == ScalarKind::kFloat64;
  return is_native ? approximation_ulps : 0;
}
/// Of functions, any of which may be approximated.
double MathUlps(ScalarKind kind) { return std::max(kMathUlps, ApproximationUlps(kind)); }

bool IsExact(const Estimate &x) { return x.bound == 0; }
bool IsExactZero(const Estimate &x) { return IsExact(x) && x.value == 0; }
/// Whether the sign of the computed number, or whether it is zero, is open.
bool MayBeZero(const Estimate &x) { return !IsExact(x) && std::fabs(x.value) <= x.bound; }
bool IsFinite(const Estimate &x) { return std::isfinite(x.value); }

Estimate Sum(ScalarKind kind, const Estimate &a, const Estimate &b, int sign) {
  const long double value = a.value + sign * b.value;
  if (!IsFinite(a) || !IsFinite(b)) return Rounded(kind, value, 0);
  return Rounded(kind, value, static_cast<long double>(a.bound) + b.bound);
}

Estimate Product(ScalarKind kind, const Estimate &a, const Estimate &b) {
  if (!IsFinite(a) || !IsFinite(b)) {
    if (MayBeZero(a) || MayBeZero(b)) return Undecided(kind);
    return Rounded(kind, a.value * b.value, 0);
  }
  // Zero times anything finite is exact, but for its sign if that of the other factor is open.
  if (IsExactZero(a) || IsExactZero(b)) {
    const bool has_sign = !MayBeZero(a) && !MayBeZero(b);
    return Rounded(kind, a.value * b.value,
                   has_sign ? 0 : std::numeric_limits<double>::denorm_min());
  }
  const long double bound = std::fabs(a.value) * b.bound + std::fabs(b.value) * a.bound +
                            static_cast<long double>(a.bound) * b.bound;
  return Rounded(kind, a.value * b.value, bound);
}

Estimate Quotient(ScalarKind kind, const Estimate &a, const Estimate &b) {
  if (MayBeZero(b)) return Undecided(kind);
  if (!IsFinite(a) || !IsFinite(b) || b.value == 0) {
    if (MayBeZero(a) && (b.value == 0 || !IsFinite(b))) return Undecided(kind);
    return Rounded(kind, a.value / b.value, 0);
  }
  const long double value = a.value / b.value;
  if (IsExactZero(a)) return Rounded(kind, value, 0);
  const long double bound = (a.bound + std::fabs(value) * b.bound) / (std::fabs(b.value) - b.bound);
  return Rounded(kind, value, bound, ApproximationUlps(kind));
}

/// a b + c, rounded once. long double has the product of two floats, but not of two doubles.
Estimate ProductAndSum(ScalarKind kind, const Estimate &a, const Estimate &b, const Estimate &c) {
  if (IsExact(a) && IsExact(b) && IsExact(c)) {
    return Rounded(kind, std::fma(a.value, b.value, c.value), 0);
  }
  const Estimate product = Product(ScalarKind::kFloat64, a, b);
  const bool overflows = IsFinite(a) && IsFinite(b) && !IsFinite(product);
  return product.undecided || overflows ? Undecided(kind) : Sum(kind, product, c, 1);
}

/// The remainder of a truncated division, which jumps where the quotient is an integer.
Estimate Remainder(ScalarKind kind, const Estimate &a, const Estimate &b) {
  const long double value = std::fmod(a.value, b.value);
  if (IsExact(a) && IsExact(b)) return Rounded(kind, value, 0);
  if (!IsFinite(a) || MayBeZero(b)) return Undecided(kind);
  if (!IsFinite(b) || b.value == 0) return Rounded(kind, value, IsFinite(b) ? 0 : a.bound);
  const long double size = std::fabs(b.value) - b.bound, quotient = std::fabs(a.value / b.value);
  const long double bound = a.bound + (quotient + 1) * b.bound, rest = std::fabs(value);
  if (rest <= bound || rest + bound >= size) return Undecided(kind);
  return Rounded(kind, value, bound);
}

using Function = long double (*)(long double);

/// A function that rises or falls over the interval of its argument.
Estimate Monotone(ScalarKind kind, Function f, const Estimate &x, double ulps) {
  const long double value = f(x.value);
  if (IsExact(x))
    return std::isfinite(value) ? Rounded(kind, value, 0, ulps) : Rounded(kind, value, 0);
  const long double low = f(x.value - x.bound);
  const long double high = f(x.value + x.bound);
  if (!std::isfinite(low) || !std::isfinite(high)) return Undecided(kind);
  return Rounded(kind, value, std::max(std::fabs(low - value), std::fabs(high - value)), ulps);
}

long double Rsqrt(long double x) { return 1 / std::sqrt(x); }
long double Sigmoid(long double x) {
  // Neither form loses digits on its side.
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const long double e = std::exp(x);
  return e / (1 + e);
}

long double Softplus(long double x) {
  return std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x)));
}

Estimate Step(ScalarKind kind, Function f, const Estimate &x) {
  const long double value = f(x.value);
  if (!IsExact(x) && (f(x.value - x.bound) != value || f(x.value + x.bound) != value)) {
    return Undecided(kind);
  }
  return Rounded(kind, value, 0);
}

/// Extremes of a function of two arguments that is monotone in each: at the corners.
template <typename F>
Estimate Corners(ScalarKind kind, F f, const Estimate &a, const Estimate &b, double ulps) {
  const long double value = f(a.value, b.value);
  if (IsExact(a) && IsExact(b)) {
    return std::isfinite(value) ? Rounded(kind, value, 0, ulps) : Rounded(kind, value, 0);
  }
  long double bound = 0;
  for (int sa : {-1, 1}) {
    for (int sb : {-1, 1}) {
      const long double corner = f(a.value + sa * a.bound, b.value + sb * b.bound);
      if (!std::isfinite(corner)) return Undecided(kind);
      bound = std::max(bound, std::fabs(corner - value));
    }
  }
  return Rounded(kind, value, bound, ulps);
}

Estimate Power(ScalarKind kind, const Estimate &a, const Estimate &b, double ulps) {
  const bool is_uncertain = !IsExact(a) || !IsExact(b);
  if (is_uncertain && a.value - a.bound <= 0) return Undecided(kind);
  const auto pow = [](long double x, long double y) { return std::pow(x, y); };
  return Corners(kind, pow, a, b, ulps);
}

Estimate IntegerPower(ScalarKind kind, const Estimate &a, int64_t n) {
  if (MayBeZero(a)) return Undecided(kind);
  // Of one sign x^n is monotone.
  Estimate exponent = ExactFloat(ScalarKind::kFloat64, static_cast<double>(n));
  const auto pow = [](long double x, long double y) { return std::pow(x, y); };
  return Corners(kind, pow, a, exponent, kMathUlps);
}

/// The angle jumps where x is negative and y changes its sign.
Estimate Angle(ScalarKind kind, const Estimate &y, const Estimate &x) {
  const bool is_uncertain = !IsExact(y) || !IsExact(x);
  if (is_uncertain && x.value - x.bound <= 0 && std::fabs(y.value) <= y.bound) {
    return Undecided(kind);
  }
  const auto angle = [](long double a, long double b) { return std::atan2(a, b); };
  return Corners(kind, angle, y, x, MathUlps(kind));
}

/// log(e^a + e^b), whose error is as large as the larger operand's last places.
Estimate LogAddExp(ScalarKind kind, const Estimate &a, const Estimate &b) {
  const auto sum = [](long double x, long double y) {
    const long double larger = std::max(x, y);
    if (std::isnan(x - y)) return x == y ? x : std::numeric_limits<long double>::quiet_NaN();
    return std::isinf(larger) ? larger : larger + std::log1p(std::exp(-std::fabs(x - y)));
  };
  Estimate result = Corners(kind, sum, a, b, kMathUlps);
  const long double size = std::max(std::fabs(a.value), std::fabs(b.value));
  if (!result.undecided && std::isfinite(result.value) && std::isfinite(size)) {
    result.bound += Rounded(kind, size, 0, kMathUlps).bound;
  }
  return result;
}

/// min is b < a ? b : a, max is a < b ? b : a: with a NaN the first one.
Estimate MinMax(Op op, const Estimate &a, const Estimate &b) {
  const bool takes_b = op == Op::kMin ? b.value < a.value : a.value < b.value;
  Estimate result = takes_b ? b : a;
  if (!IsFinite(a) || !IsFinite(b)) return result;
  // Neither moves further than the worse known of the two.
  const bool overlap = std::fabs(a.value - b.value) <= static_cast<long double>(a.bound) + b.bound;
  if (overlap) result.bound = std::max(a.bound, b.bound);
  return result;
}

Estimate Copysign(const Estimate &a, const Estimate &b, ScalarKind kind) {
  if (MayBeZero(b)) return Undecided(kind);
  Estimate result = a;
  result.value = std::copysign(a.value, b.value);
  return result;
}

Estimate Absolute(Estimate x) {
  x.value = std::fabs(x.value);
  return x;
}

Estimate Negated(Estimate x) {
  x.value = -x.value;
  return x;
}

Estimate Bool(bool value) { return ExactInteger(ScalarKind::kBool, value ? 1 : 0); }

Function MathFunction(Op op) {
  switch (op) {
    case Op::kExp:
      return std::exp;
    case Op::kExpm1:
      return std::expm1;
    case Op::kLog:
      return std::log;
    case Op::kLog1p:
      return std::log1p;
    case Op::kExp2:
      return std::exp2;
    case Op::kExp10:
      return [](long double x) { return std::pow(10.0L, x); };
    case Op::kLog2:
      return std::log2;
    case Op::kLog10:
      return std::log10;
    case Op::kAtan:
      return std::atan;
    case Op::kAsin:
      return std::asin;
    case Op::kAcos:
      return std::acos;
    case Op::kSinh:
      return std::sinh;
    case Op::kCosh:  // falls and rises, but fastest at an end
      return std::cosh;
    case Op::kAsinh:
      return std::asinh;
    case Op::kAcosh:
      return std::acosh;
    case Op::kAtanh:
      return std::atanh;
    case Op::kCbrt:
      return std::cbrt;
    case Op::kSoftplus:
      return Softplus;
    case Op::kErfc:
      return std::erfc;
    case Op::kTanh:
      return std::tanh;
    case Op::kErf:
      return std::erf;
    case Op::kSigmoid:
      return Sigmoid;
    case Op::kRsqrt:
      return Rsqrt;
    default:
      throw std::invalid_argument(std::string(mgen::IrName(op)) +
                                  " is not known to the interpreter");
  }
}

/// sin and cos: no further apart than their arguments.
Estimate Lipschitz(ScalarKind kind, Function f, const Estimate &x, double ulps) {
  const long double value = f(x.value);
  return std::isfinite(value) ? Rounded(kind, value, x.bound, ulps) : Rounded(kind, value, 0);
}

/// tan, which grows by 1 + tan^2: twice that where its argument moves little, as it must.
Estimate Tangent(ScalarKind kind, const Estimate &x) {
  const long double value = std::tan(x.value), slope = 1 + value * value;
  if (!std::isfinite(value)) return Rounded(kind, value, 0);
  if (static_cast<long double>(x.bound) * slope > 0.125L) return Undecided(kind);
  return Rounded(kind, value, 2 * slope * x.bound, MathUlps(kind));
}

/// lgamma, which between two poles is convex: it changes most at an end.
Estimate LogGamma(ScalarKind kind, const Estimate &x) {
  const long double low = x.value - x.bound, high = x.value + x.bound;
  const bool has_pole = low <= 0 && std::ceil(low) <= high;
  if (!IsExact(x) && has_pole) return Undecided(kind);
  return Monotone(kind, std::lgamma, x, kMathUlps);
}

Estimate ApplyToOne(Op op, ScalarKind kind, const Estimate &x) {
  switch (op) {
    case Op::kNeg:
      return Negated(x);
    case Op::kAbs:
      return Absolute(x);
    case Op::kSqrt:
      return Monotone(kind, std::sqrt, x, ApproximationUlps(kind));
    case Op::kFloor:
      return Step(kind, std::floor, x);
    case Op::kCeil:
      return Step(kind, std::ceil, x);
    case Op::kTrunc:
      return Step(kind, std::trunc, x);
    case Op::kRound:
      return Step(kind, std::round, x);
    case Op::kRint:
      return Step(kind, std::nearbyint, x);
    case Op::kSin:
      return Lipschitz(kind, std::sin, x, MathUlps(kind));
    case Op::kCos:
      return Lipschitz(kind, std::cos, x, MathUlps(kind));
    case Op::kTan:
      return Tangent(kind, x);
    case Op::kLgamma:
      return LogGamma(kind, x);
    case Op::kIsNan:
      return Bool(std::isnan(x.value));
    case Op::kIsInf:
      return Bool(std::isinf(x.value));
    case Op::kIsFinite:
      return Bool(std::isfinite(x.value));
    default:
      return Monotone(kind, MathFunction(op), x, MathUlps(kind));
  }
}

}  // namespace

Estimate ApplyToFloats(Op op, ScalarKind kind, const std::vector<Estimate> &args) {
  const Estimate &a = args[0];
  if (args.size() == 1) return ApplyToOne(op, kind, a);
  const Estimate &b = args[1];
  switch (op) {
    case Op::kAdd:
      return Sum(kind, a, b, 1);
    case Op::kSub:
      return Sum(kind, a, b, -1);
    case Op::kMul:
      return Product(kind, a, b);
    case Op::kDiv:
      return Quotient(kind, a, b);
    case Op::kMin:
    case Op::kMax:
      return MinMax(op, a, b);
    case Op::kPow:
      return Power(kind, a, b, kMathUlps);
    case Op::kPowInt:
      return IntegerPower(kind, a, b.integer);
    case Op::kAtan2:
      return Angle(kind, a, b);
    case Op::kHypot:
      return Corners(
          kind, [](long double x, long double y) { return std::hypot(x, y); }, a, b,
          MathUlps(kind));
    case Op::kLogAddExp:
      return LogAddExp(kind, a, b);
    case Op::kFmin:
    case Op::kFmax:
      return std::isnan(a.value) ? b : MinMax(op == Op::kFmin ? Op::kMin : Op::kMax, a, b);
    case Op::kFmod:
      return Remainder(kind, a, b);
    case Op::kFma:
      return ProductAndSum(kind, a, b, args[2]);
    case Op::kCopysign:
      return Copysign(a, b, kind);
    default:
      throw std::invalid_argument(std::string(mgen::IrName(op)) +
                                  " is not known to the interpreter");
  }
}

Estimate CallLibm(const std::string &name, ScalarKind kind, const std::vector<Estimate> &args) {
  static const std::map<std::string, Function> kMonotone = {
      {"exp", std::exp},     {"expm1", std::expm1}, {"exp2", std::exp2},   {"log", std::log},
      {"log1p", std::log1p}, {"log2", std::log2},   {"log10", std::log10}, {"tanh", std::tanh},
      {"erf", std::erf},     {"atan", std::atan},   {"sinh", std::sinh},   {"asinh", std::asinh},
      {"cbrt", std::cbrt},   {"sqrt", std::sqrt}};
  static const std::map<std::string, Function> kLipschitz = {{"sin", std::sin}, {"cos", std::cos}};
  for (const Estimate &arg : args) {
    if (arg.undecided) return Undecided(kind);
  }
  std::string base = name;
  if (base.size() > 1 && base.back() == 'f' && base != "erf") base.pop_back();
  const auto monotone = kMonotone.find(base);
  if (args.size() == 1 && monotone != kMonotone.end()) {
    return Monotone(kind, monotone->second, args[0], kLibmUlps);
  }
  const auto lipschitz = kLipschitz.find(base);
  if (args.size() == 1 && lipschitz != kLipschitz.end()) {
    return Lipschitz(kind, lipschitz->second, args[0], kLibmUlps);
  }
  if (args.size() == 2 && base == "pow") return Power(kind, args[0], args[1], kLibmUlps);
  throw std::invalid_argument(name + " is not known to the interpreter");
}

}  // namespace mshadow_test
