// SPDX-License-Identifier: Apache-2.0
// The functions of --numerics=correct against MPFR, in each region: over floats that are evenly
// apart, and those for which a double is not enough. With MSHADOW_TEST_FULL (scripts/test
// --full=correct) over all 2^32.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "correct_functions.h"
#include "libm_oracles.h"

namespace packet_test {
namespace {

/// libm's functions of doubles, which decide unless they are near the middle of two floats.
const std::map<std::string, double (*)(double)> &LibmFunctions() {
  static const std::map<std::string, double (*)(double)> functions = {
      {"Exp", std::exp},     {"Expm1", std::expm1}, {"Exp2", std::exp2},   {"Exp10", Exp10},
      {"Log", std::log},     {"Log1p", std::log1p}, {"Log2", std::log2},   {"Log10", std::log10},
      {"Sin", std::sin},     {"Cos", std::cos},     {"Tan", std::tan},     {"Atan", std::atan},
      {"Asin", std::asin},   {"Acos", std::acos},   {"Sinh", std::sinh},   {"Cosh", std::cosh},
      {"Asinh", std::asinh}, {"Acosh", std::acosh}, {"Atanh", std::atanh}, {"Cbrt", std::cbrt},
      {"Erf", std::erf},     {"Erfc", std::erfc},   {"Tanh", std::tanh},   {"Softplus", Softplus},
      {"Lgamma", LogGamma},  {"Sigmoid", Sigmoid},  {"Rsqrt", Rsqrt}};
  return functions;
}

/// Arguments for which a function of doubles, rounded, is not the right float (find_hard_cases.cc).
constexpr float kHardArguments[] = {
    0x1.13e07p-129f, 0x1.fddcf4p-98f,  -0x1.ade594p-30f, 0x1.110b46p-26f,  -0x1.7ffffap-21f,
    0x1.800006p-21f, -0x1.1fffcap-17f, 0x1.200036p-17f,  -0x1.d93ec4p-17f, 0x1.04c444p-12f,
    0x1.d483ap-12f,  -0x1.250bfep-11f, 0x1.250bfep-11f,  -0x1.250c02p-10f, -0x1.1d9188p-9f,
    0x1.853a6ep-9f,  0x1.f8a754p-9f,   0x1.827a74p-7f,   -0x1.e7526ep-6f,  -0x1.1ad646p-4f,
    0x1.1ad646p-4f,  0x1.fb035ap-2f,   0x1.0f1fd6p+3f,   0x1.2f1fd6p+3f,   -0x1.33333p+13f,
    0x1.33333p+13f,  -0x1.bacb4ap+24f, 0x1.bacb4ap+24f,  0x1.bacb4ap+25f,  -0x1.3170fp+63f,
    0x1.3170fp+63f,  -0x1.2b9622p+67f, 0x1.2b9622p+67f,  -0x1.b121a6p+75f, 0x1.b121a6p+75f,
    0x1.b121a6p+76f, -0x1.6351d8p+94f, 0x1.6351d8p+94f,  0x1.6351d8p+95f};

float Want(double (*libm)(double), Oracle oracle, float x) {
  const double close = libm(x);
  return IsNearMiddle(close, 16) ? RoundedByMpfr(oracle, x, close) : static_cast<float>(close);
}

bool AreSame(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// Compares what `run` makes of `in` with the right results. \return how many are wrong
int CountWrong(const std::string &name, void (*run)(const float *, float *, int64_t),
               const std::vector<float> &in) {
  const Oracle oracle = Oracles().at(name);
  double (*const libm)(double) = LibmFunctions().at(name);
  std::vector<float> out(in.size());
  run(in.data(), out.data(), static_cast<int64_t>(in.size()));
  int wrong = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const float want = Want(libm, oracle, in[i]);
    if (AreSame(out[i], want)) continue;
    if (wrong++ > 0) continue;
    ADD_FAILURE() << name << "(" << in[i] << ") is " << out[i] << ", not " << want;
  }
  return wrong;
}

void ExpectCorrect(const std::map<std::string, CorrectFunction> &functions, uint32_t step) {
  std::vector<float> in(std::begin(kHardArguments), std::end(kHardArguments));
  for (const float special : {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN}) {
    in.push_back(special);
  }
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
    in.push_back(FloatOfBits(static_cast<uint32_t>(bits)));
  }
  for (const auto &[name, f] : functions) {
    EXPECT_EQ(CountWrong(name, f.correct, in), 0) << name;
    EXPECT_EQ(CountWrong(name, f.rare, in), 0) << name << ", as near the middle of two floats";
  }
}

TEST(CorrectFunctions, Baseline) { ExpectCorrect(baseline::Functions(), 9999991); }

#if MSHADOW_HAS_AVX2
TEST(CorrectFunctions, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  }
  ExpectCorrect(avx2::Functions(), 99991);
}
#endif

TEST(CorrectFunctions, Fastest) { ExpectCorrect(FastestFunctions(), 99991 / 3); }

/// Most functions take pairs of floats where a region looks tables up. Doubles give the same
/// results.
TEST(CorrectFunctions, AreThoseOfDoubles) {
  constexpr uint64_t kStep = 509, kCount = 1 << 14;
  std::vector<float> in(kCount), out(kCount), want(kCount);
  for (const auto &region : FastestRegions()) {
    for (const auto &[name, f] : region) {
      for (uint64_t bits = 0; bits + kStep * kCount <= UINT32_MAX; bits += kStep * kCount) {
        for (size_t i = 0; i < kCount; ++i) {
          in[i] = FloatOfBits(static_cast<uint32_t>(bits + kStep * i));
        }
        f.correct(in.data(), out.data(), kCount);
        f.by_doubles(in.data(), want.data(), kCount);
        for (size_t i = 0; i < kCount; ++i) {
          ASSERT_TRUE(AreSame(out[i], want[i]))
              << name << "(" << in[i] << ") is " << out[i] << ", not " << want[i];
        }
      }
    }
  }
}

/// Each function over all floats: a test of its own, in part `correct` alone. The regions that look
/// tables up have code of their own; each must have the results of the fastest one.
class AllFloats : public testing::TestWithParam<std::string> {};

TEST_P(AllFloats, AreRoundedCorrectly) {
  const std::vector<std::map<std::string, CorrectFunction>> regions = FastestRegions();
  const CorrectFunction fastest = regions[0].at(GetParam());
  const uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<int> wrong(threads);
  std::vector<std::thread> workers;
  for (uint64_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      std::vector<float> in(1 << 16), out(in.size()), other(in.size());
      const int64_t size = static_cast<int64_t>(in.size());
      for (uint64_t block = t; block < 1 << 16; block += threads) {
        for (size_t i = 0; i < in.size(); ++i) {
          in[i] = FloatOfBits(static_cast<uint32_t>(block << 16 | i));
        }
        wrong[t] += CountWrong(GetParam(), fastest.correct, in);
        fastest.correct(in.data(), out.data(), size);
        for (const auto &region : regions) {
          region.at(GetParam()).correct(in.data(), other.data(), size);
          for (size_t i = 0; i < in.size(); ++i) wrong[t] += !AreSame(out[i], other[i]);
        }
      }
    });
  }
  for (std::thread &worker : workers) worker.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

#define MSHADOW_TEST_NAME(Function) std::string(#Function),
std::vector<std::string> NamesOfPart() {
  if (std::getenv("MSHADOW_TEST_FULL") == nullptr) return {};
  return {MSHADOW_TEST_FUNCTIONS(MSHADOW_TEST_NAME)};
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AllFloats);
INSTANTIATE_TEST_SUITE_P(Correct, AllFloats, testing::ValuesIn(NamesOfPart()),
                         [](const auto &test) { return test.param; });

/// Pairs of any bits, of integers, whose squares and powers may be in the middle of two floats, and
/// of moderate numbers.
void FillPairs(std::vector<float> *x, std::vector<float> *y) {
  std::mt19937_64 random(3);
  for (size_t i = 0; i < x->size(); ++i) {
    const uint64_t bits = random();
    const uint32_t low = static_cast<uint32_t>(bits), high = static_cast<uint32_t>(bits >> 32);
    (*x)[i] = FloatOfBits(low);
    (*y)[i] = FloatOfBits(high);
    if (i % 4 == 1)
      (*x)[i] = static_cast<float>(low % 8192), (*y)[i] = static_cast<float>(high % 8192);
    if (i % 4 == 2) (*x)[i] = static_cast<float>(low % 6000), (*y)[i] = 2;
    if (i % 4 == 3) {
      (*x)[i] = std::ldexp(1 + static_cast<float>(low) * 0x1p-32f, static_cast<int>(high % 16) - 8);
      (*y)[i] = static_cast<float>(high >> 8) * 0x1p-20f;
    }
  }
}

/// As a float of MPFR's, subnormal or not.
float RoundedByMpfr(int (*oracle)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), float a,
                    float b) {
  const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_t x, y, result;
  mpfr_inits2(24, x, y, result, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_flt(x, a, MPFR_RNDN);
  mpfr_set_flt(y, b, MPFR_RNDN);
  mpfr_subnormalize(result, oracle(result, x, y, MPFR_RNDN), MPFR_RNDN);
  const float value = mpfr_get_flt(result, MPFR_RNDN);
  mpfr_clears(x, y, result, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  return value;
}

void ExpectCorrectPairs(const std::map<std::string, CorrectFunctionOfTwo> &functions,
                        size_t count) {
  std::vector<float> x(count), y(count), out(count);
  FillPairs(&x, &y);
  for (const auto &[name, function] : functions) {
    function.correct(x.data(), y.data(), out.data(), static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) {
      const float want = RoundedByMpfr(function.oracle, x[i], y[i]);
      ASSERT_TRUE(AreSame(out[i], want))
          << name << "(" << x[i] << ", " << y[i] << ") is " << out[i] << ", not " << want;
    }
  }
}

/// What is taken for sure is within its bound, where the result is a normal float.
void ExpectClosePairs(const std::map<std::string, CorrectFunctionOfTwo> &functions) {
  constexpr size_t kCount = 1000000;
  std::vector<float> x(kCount), y(kCount);
  std::vector<double> close(kCount), exact(kCount);
  FillPairs(&x, &y);
  for (const auto &[name, function] : functions) {
    if (function.close == nullptr) continue;
    function.close(x.data(), y.data(), close.data(), exact.data(), kCount);
    double worst = 0;
    for (size_t i = 0; i < kCount; ++i) {
      const double size = std::fabs(exact[i]);
      if (!(size >= 0x1p-126 && size < 0x1p128)) continue;
      worst = std::max(worst, std::fabs(close[i] - exact[i]) / size);
    }
    EXPECT_LE(worst, function.bound) << name;
    EXPECT_GT(worst, 0) << name;
  }
}

TEST(CorrectFunctionsOfTwo, AreCloseBeforeRounding) {
#if MSHADOW_HAS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    ExpectClosePairs(avx2::FunctionsOfTwo());
    return;
  }
#endif
  ExpectClosePairs(baseline::FunctionsOfTwo());
}
TEST(CorrectFunctionsOfTwo, Baseline) { ExpectCorrectPairs(baseline::FunctionsOfTwo(), 1000); }
#if MSHADOW_HAS_AVX2
TEST(CorrectFunctionsOfTwo, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  }
  ExpectCorrectPairs(avx2::FunctionsOfTwo(), 100000);
}
#endif
#if MSHADOW_HAS_AVX512
TEST(CorrectFunctionsOfTwo, Avx512) {
  if (!HasAvx512()) GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL, DQ)";
  ExpectCorrectPairs(avx512::FunctionsOfTwo(), 100000);
}
#endif

}  // namespace
}  // namespace packet_test
