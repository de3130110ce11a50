// SPDX-License-Identifier: Apache-2.0
/// \file correct_functions.h
/// The functions of --numerics=correct in each region, and what MPFR says of them.
#ifndef MSHADOW_TESTS_PACKET_CORRECT_FUNCTIONS_H_
#define MSHADOW_TESTS_PACKET_CORRECT_FUNCTIONS_H_

#include <mpfr.h>
#include <mshadow/packet/scalar.h>

// The rest of the file is compiled as emitted code is.
#include <mshadow/packet/begin_strict.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "mpfr_oracle.h"

namespace packet_test {

#define MSHADOW_TEST_FUNCTIONS(row)                                                                \
  row(Exp) row(Expm1) row(Exp2) row(Exp10) row(Log) row(Log1p) row(Log2) row(Log10) row(Sin)       \
      row(Cos) row(Tan) row(Atan) row(Asin) row(Acos) row(Sinh) row(Cosh) row(Asinh) row(Acosh)    \
          row(Atanh) row(Cbrt) row(Softplus) row(Erf) row(Erfc) row(Lgamma) row(Tanh) row(Sigmoid) \
              row(Rsqrt)

/// One function over arrays: as rules have it; by doubles; as it is if a result is near the middle
/// of two floats; the double that it otherwise rounds; 1 where that may round to another float than
/// the exact result, else 0; and the function of doubles.
struct CorrectFunction {
  void (*correct)(const float *in, float *out, int64_t count);
  void (*by_doubles)(const float *in, float *out, int64_t count);
  void (*rare)(const float *in, float *out, int64_t count);
  void (*close)(const float *in, double *out, int64_t count);
  void (*is_hard)(const float *in, double *out, int64_t count);
  void (*in_double)(const float *in, double *out, int64_t count);
};

/// One of two arguments; MPFR's; the double that it rounds unless that is near the middle of two
/// floats, beside the function of doubles (nullptr: it is not made so); and how far from each other
/// the two may be, relative to them.
struct CorrectFunctionOfTwo {
  void (*correct)(const float *x, const float *y, float *out, int64_t count);
  int (*oracle)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  void (*close)(const float *x, const float *y, double *close, double *out, int64_t count);
  double bound;
};

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "correct_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "correct_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "correct_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

inline bool HasAvx512() {
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
}
/// Those of the fastest region that this processor has, then those of the others that look tables
/// up.
inline std::vector<std::map<std::string, CorrectFunction>> FastestRegions() {
  std::vector<std::map<std::string, CorrectFunction>> regions;
#if MSHADOW_HAS_AVX512
  if (HasAvx512()) regions.push_back(avx512::Functions());
#endif
#if MSHADOW_HAS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    regions.push_back(avx2::Functions());
  }
#endif
  if (regions.empty()) regions.push_back(baseline::Functions());
  return regions;
}
inline std::map<std::string, CorrectFunction> FastestFunctions() { return FastestRegions()[0]; }

inline int Exp10Oracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  return mpfr_exp10(result, x, round);
}
inline std::map<std::string, Oracle> Oracles() {
  return {{"Exp", mpfr_exp},      {"Expm1", mpfr_expm1},      {"Exp2", mpfr_exp2},
          {"Exp10", Exp10Oracle}, {"Log", mpfr_log},          {"Log1p", mpfr_log1p},
          {"Log2", mpfr_log2},    {"Log10", mpfr_log10},      {"Sin", mpfr_sin},
          {"Cos", mpfr_cos},      {"Tan", mpfr_tan},          {"Atan", mpfr_atan},
          {"Asin", mpfr_asin},    {"Acos", mpfr_acos},        {"Sinh", mpfr_sinh},
          {"Cosh", mpfr_cosh},    {"Asinh", mpfr_asinh},      {"Acosh", mpfr_acosh},
          {"Atanh", mpfr_atanh},  {"Cbrt", mpfr_cbrt},        {"Softplus", SoftplusOracle},
          {"Erf", mpfr_erf},      {"Erfc", mpfr_erfc},        {"Lgamma", LogGammaOracle},
          {"Tanh", mpfr_tanh},    {"Sigmoid", SigmoidOracle}, {"Rsqrt", RsqrtOracle}};
}

inline float FloatOfBits(uint32_t bits) {
  float x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Whether numbers within `places` of the last places of `x` round to different floats.
inline bool IsNearMiddle(double x, int places) {
  const double relative = places * 0x1p-52;
  return static_cast<float>(x * (1 - relative)) != static_cast<float>(x * (1 + relative)) &&
         std::isfinite(x);
}

/// The exact result rounded to float, where a double is near it.
inline float RoundedByMpfr(Oracle oracle, float argument, double near) {
  mpfr_t x, result, middle;
  mpfr_inits2(400, x, result, middle, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_flt(x, argument, MPFR_RNDN);
  oracle(result, x, MPFR_RNDN);
  const float a = static_cast<float>(near * (1 - 0x1p-45)),
              b = static_cast<float>(near * (1 + 0x1p-45));
  const float low = std::fmin(a, b), high = std::fmax(a, b);
  // The middle of the largest float and the next power of 2, which is what Inf stands for.
  const double high_number = std::isinf(high) ? 0x1p128 : high,
               low_number = std::isinf(low) ? -0x1p128 : low;
  mpfr_set_d(middle, (low_number + high_number) / 2, MPFR_RNDN);
  const int order = mpfr_cmp(result, middle);
  uint32_t low_bits = 0;
  std::memcpy(&low_bits, &low, sizeof low_bits);
  mpfr_clears(x, result, middle, static_cast<mpfr_ptr>(nullptr));
  if (order == 0) return low_bits % 2 == 0 ? low : high;
  return order < 0 ? low : high;
}

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_CORRECT_FUNCTIONS_H_
