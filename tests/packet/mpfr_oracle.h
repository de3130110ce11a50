// SPDX-License-Identifier: Apache-2.0
/// \file mpfr_oracle.h
/// The double functions, what MPFR says of them, and their bounds, which are those of docs/math.md.
#ifndef MSHADOW_TESTS_PACKET_MPFR_ORACLE_H_
#define MSHADOW_TESTS_PACKET_MPFR_ORACLE_H_

#include <mpfr.h>
#include <mshadow/functions.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "ulp.h"

namespace packet_test {

/// A number of 113 bits, of which the first 64 are what UlpError sees.
class Real {
 public:
  Real() { mpfr_init2(value_, 113); }
  explicit Real(double x) : Real() { mpfr_set_d(value_, x, MPFR_RNDN); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real &) = delete;
  Real &operator=(const Real &) = delete;

  mpfr_ptr get() { return value_; }
  long double Rounded() { return mpfr_get_ld(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

using Oracle = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

inline int SigmoidOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_neg(result, x, round);
  mpfr_exp(result, result, round);
  mpfr_add_ui(result, result, 1, round);
  return mpfr_ui_div(result, 1, result, round);
}
/// mpfr_rec_sqrt of -0 is +Inf; the IEEE function and ours give -Inf.
inline int RsqrtOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_sqrt(result, x, round);
  return mpfr_ui_div(result, 1, result, round);
}

inline int SoftplusOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_abs(result, x, round);
  mpfr_neg(result, result, round);
  mpfr_exp(result, result, round);
  mpfr_log1p(result, result, round);
  return mpfr_sgn(x) > 0 ? mpfr_add(result, result, x, round) : 0;
}
/// In enough digits that the difference of the operands has them all, but for operands so far apart
/// that the smaller one does not matter.
inline int LogAddExpOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t round) {
  const bool is_first = mpfr_greater_p(x, y) != 0;
  mpfr_sub(result, is_first ? y : x, is_first ? x : y, round);
  mpfr_exp(result, result, round);
  mpfr_log1p(result, result, round);
  return mpfr_add(result, result, is_first ? x : y, round);
}

inline int LogGammaOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, round);
}

struct Function {
  const char *name;
  double (*tried)(double);
  Oracle oracle;
  long double (*close)(long double);  ///< libm's, quick and nearly as good
  int low, high;                      ///< exponents of interesting arguments
  double bound;
  double worst;  ///< the argument with the largest error that find_worst_double found
};

#define MSHADOW_TEST_TRIED(name) #name, [](double x) { return mshadow::math::name(x); }
#define MSHADOW_TEST_CLOSE(result) [](long double x) -> long double { return result; }

inline const Function kFunctions[] = {
    {MSHADOW_TEST_TRIED(exp), mpfr_exp, MSHADOW_TEST_CLOSE(std::exp(x)), -3, 10, 0.92,
     0x1.04fb99e70617cp+8},
    {MSHADOW_TEST_TRIED(expm1), mpfr_expm1, MSHADOW_TEST_CLOSE(std::expm1(x)), -3, 9, 0.9,
     0x1.63b6c81be4cb4p-2},
    {MSHADOW_TEST_TRIED(log), mpfr_log, MSHADOW_TEST_CLOSE(std::log(x)), -2, 2, 0.98,
     0x1.7bdd5a63d9e17p-1},
    {MSHADOW_TEST_TRIED(log1p), mpfr_log1p, MSHADOW_TEST_CLOSE(std::log1p(x)), -3, 2, 0.97,
     -0x1.0d567f96f3bf2p-2},
    {MSHADOW_TEST_TRIED(exp2), mpfr_exp2, MSHADOW_TEST_CLOSE(std::exp2(x)), -3, 10, 0.92,
     -0x1.73ff47a08d6b6p+5},
    {MSHADOW_TEST_TRIED(exp10), mpfr_exp10, MSHADOW_TEST_CLOSE(std::pow(10.0L, x)), -3, 8, 0.94,
     -0x1.33cddc1fcd038p+8},
    {MSHADOW_TEST_TRIED(log2), mpfr_log2, MSHADOW_TEST_CLOSE(std::log2(x)), -2, 2, 0.9,
     0x1.7ecd647ca69bfp-1},
    {MSHADOW_TEST_TRIED(log10), mpfr_log10, MSHADOW_TEST_CLOSE(std::log10(x)), -2, 2, 0.94,
     0x1.7ffb30881fbfbp-1},
    {MSHADOW_TEST_TRIED(sin), mpfr_sin, MSHADOW_TEST_CLOSE(std::sin(x)), -3, 24, 0.8,
     0x1.8e4164190c85cp-1},
    {MSHADOW_TEST_TRIED(cos), mpfr_cos, MSHADOW_TEST_CLOSE(std::cos(x)), -3, 24, 0.8,
     -0x1.5ea245e79f583p+2},
    {MSHADOW_TEST_TRIED(tan), mpfr_tan, MSHADOW_TEST_CLOSE(std::tan(x)), -3, 24, 0.95,
     -0x1.c3a09da56ab96p+2},
    {MSHADOW_TEST_TRIED(atan), mpfr_atan, MSHADOW_TEST_CLOSE(std::atan(x)), -3, 4, 0.78,
     0x1.fbf32979c92fbp-2},
    {MSHADOW_TEST_TRIED(asin), mpfr_asin, MSHADOW_TEST_CLOSE(std::asin(x)), -4, -1, 0.7,
     -0x1.0046250a63f9bp-1},
    {MSHADOW_TEST_TRIED(acos), mpfr_acos, MSHADOW_TEST_CLOSE(std::acos(x)), -4, -1, 0.7,
     0x1.1bc3f79d5dda2p-1},
    {MSHADOW_TEST_TRIED(sinh), mpfr_sinh, MSHADOW_TEST_CLOSE(std::sinh(x)), -3, 9, 0.9,
     -0x1.98df31d7bc97p-2},
    {MSHADOW_TEST_TRIED(cosh), mpfr_cosh, MSHADOW_TEST_CLOSE(std::cosh(x)), -3, 9, 0.8,
     -0x1.e9f986c2ef347p+1},
    {MSHADOW_TEST_TRIED(asinh), mpfr_asinh, MSHADOW_TEST_CLOSE(std::asinh(x)), -3, 4, 0.8,
     -0x1.019c33a687fe1p-1},
    {MSHADOW_TEST_TRIED(acosh), mpfr_acosh, MSHADOW_TEST_CLOSE(std::acosh(x)), 0, 4, 0.75,
     0x1.8a867a2261bb6p+0},
    {MSHADOW_TEST_TRIED(atanh), mpfr_atanh, MSHADOW_TEST_CLOSE(std::atanh(x)), -4, -1, 0.6,
     -0x1.ecb6fea168e36p-3},
    {MSHADOW_TEST_TRIED(cbrt), mpfr_cbrt, MSHADOW_TEST_CLOSE(std::cbrt(x)), -2, 3, 0.51,
     -0x1.7a8f202d25664p+0},
    {MSHADOW_TEST_TRIED(softplus), SoftplusOracle,
     MSHADOW_TEST_CLOSE(x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x))), -3, 10,
     0.92, -0x1.2002a5464ed31p+2},
    {MSHADOW_TEST_TRIED(erfc), mpfr_erfc, MSHADOW_TEST_CLOSE(std::erfc(x)), -3, 4, 0.9,
     0x1.a8b18e875f6f4p+4},
    {MSHADOW_TEST_TRIED(tanh), mpfr_tanh, MSHADOW_TEST_CLOSE(std::tanh(x)), -3, 4, 0.9,
     -0x1.64c02455fc47p-3},
    {MSHADOW_TEST_TRIED(erf), mpfr_erf, MSHADOW_TEST_CLOSE(std::erf(x)), -10, 2, 0.8,
     -0x1.92cfb4p-8},
    {MSHADOW_TEST_TRIED(sigmoid), SigmoidOracle, MSHADOW_TEST_CLOSE(1 / (1 + std::exp(-x))), -3, 10,
     0.95, -0x1.626164624a3dbp+9},
    {MSHADOW_TEST_TRIED(rsqrt), RsqrtOracle, MSHADOW_TEST_CLOSE(1 / std::sqrt(x)), -2, 2, 0.51,
     0x1.303da94bb0c28p-2},
    {MSHADOW_TEST_TRIED(lgamma), LogGammaOracle, MSHADOW_TEST_CLOSE(std::lgamma(x)), -4, 8, 0.92,
     -0x1.92e5662a9860ep+1},
};
constexpr double kPowBound = 0.95;
constexpr double kPowWorst[] = {0x1.7efe403d9853cp-1, 0x1.310525d5855dap+11};

/// A function of two operands, and the pair with the largest error of 6,000,000.
struct BinaryFunction {
  const char *name;
  double (*tried)(double, double);
  int (*oracle)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  double bound;
  double worst[2];
};
#define MSHADOW_TEST_TRIED_PAIR(name) \
#name, [](double x, double y) { return mshadow::math::name(x, y); }
inline const BinaryFunction kBinaryFunctions[] = {
    {MSHADOW_TEST_TRIED_PAIR(atan2), mpfr_atan2, 0.9, {0x1.9d0da4b890df3p-1, 0x1.a690641e6caf4p+0}},
    {MSHADOW_TEST_TRIED_PAIR(hypot),
     mpfr_hypot,
     0.56,
     {-0x1.72c500a5d322p+7, -0x1.530405cbe57ddp-10}},
    {MSHADOW_TEST_TRIED_PAIR(logaddexp),
     LogAddExpOracle,
     0.95,
     {-0x1.fc75b04096cebp-2, -0x1.4363ae58096bfp-3}},
};

/// The error at `x`, in units of the last place.
inline double ErrorOf(const Function &f, double x) {
  Real argument(x), result;
  f.oracle(result.get(), argument.get(), MPFR_RNDN);
  return UlpError(f.tried(x), result.Rounded());
}

inline double ErrorOf(const BinaryFunction &f, double x, double y) {
  Real first(x), second(y), result;
  f.oracle(result.get(), first.get(), second.get(), MPFR_RNDN);
  const double got = f.tried(x, y);
  return f.oracle == LogAddExpOracle ? LogAddExpError(got, result.Rounded(), x, y)
                                     : UlpError(got, result.Rounded());
}

inline double PowErrorOf(double x, double y) {
  Real base(x), exponent(y), result;
  mpfr_pow(result.get(), base.get(), exponent.get(), MPFR_RNDN);
  return UlpError(mshadow::math::pow(x, y), result.Rounded());
}

/// A random number with an exponent in [low, high], of either sign.
inline double RandomNumber(std::mt19937_64 *random, int low, int high) {
  const uint64_t bits = (*random)();
  const double mantissa = 1 + static_cast<double>(bits >> 12) * 0x1p-52;
  const int exponent = low + static_cast<int>((*random)() % static_cast<uint64_t>(high - low + 1));
  return std::ldexp(bits & 1 ? mantissa : -mantissa, exponent);
}

/// Operands of pow: anything, bases around 1, and powers near the ends of the range, of bases whose
/// logarithm is the smallest and of such whose logarithm is the least exact.
struct Operands {
  double x, y;
};
inline Operands RandomOperands(std::mt19937_64 *random, uint64_t kind) {
  double x = std::fabs(RandomNumber(random, -1074, 1023)), y = RandomNumber(random, -40, 10);
  if (kind % 4 == 1) x = std::fabs(RandomNumber(random, -2, 2));
  if (kind % 4 == 2) x = 1 + RandomNumber(random, -40, -3);
  if (kind % 4 == 3) x = (kind % 8 == 3 ? 1.5 : 0.75) * (1 + RandomNumber(random, -12, -5));
  if (kind % 4 >= 2) y = RandomNumber(random, 9, 9) * 0.7 / std::log(x);
  return {x, y};
}

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_MPFR_ORACLE_H_
