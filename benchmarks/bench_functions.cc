// SPDX-License-Identifier: Apache-2.0
// bench_functions [FUNCTION...]: time and worst error of our float functions beside those of SLEEF
// (its variants within 1 ULP), libmvec and Eigen, one thread, in cache. The error is over every
// 37th of all floats, in units of the last place: a time says nothing without it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../tests/packet/ulp.h"
#include "functions.h"

namespace mshadow_bench {
namespace {

constexpr int64_t kElements = 16 << 10;
constexpr uint64_t kStride = 37;

/// A function, what is true of it, and the arguments that are timed.
struct Case {
  const char *name;
  double (*exact)(double);
  float low, high;
  double (*exact_of_two)(double, double) = nullptr;  ///< a function of two, instead
};

double Sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
double Rsqrt(double x) { return 1 / std::sqrt(x); }
double Softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }
double SinCos(double x) { return std::fmax(std::sin(x), std::cos(x)); }
double LogGamma(double x) { return std::lgamma(x); }
double Exp10(double x) { return std::pow(10.0, x); }

const Case kCases[] = {
    {"exp", std::exp, -10, 10},
    {"expm1", std::expm1, -4, 4},
    {"log", std::log, 0.001f, 100},
    {"log1p", std::log1p, -0.9f, 9},
    {"tanh", std::tanh, -4, 4},
    {"erf", std::erf, -4, 4},
    {"sigmoid", Sigmoid, -8, 8},
    {"rsqrt", Rsqrt, 0.001f, 100},
    {"exp2", std::exp2, -10, 10},
    {"exp10", Exp10, -5, 5},
    {"log2", std::log2, 0.001f, 100},
    {"log10", std::log10, 0.001f, 100},
    {"sin", std::sin, -10, 10},
    {"cos", std::cos, -10, 10},
    {"sincos", SinCos, -10, 10},  // both, of which the greater one is stored
    {"tan", std::tan, -10, 10},
    {"atan", std::atan, -10, 10},
    {"asin", std::asin, -1, 1},
    {"acos", std::acos, -1, 1},
    {"sinh", std::sinh, -10, 10},
    {"cosh", std::cosh, -10, 10},
    {"asinh", std::asinh, -10, 10},
    {"acosh", std::acosh, 1, 20},
    {"atanh", std::atanh, -1, 1},
    {"cbrt", std::cbrt, -100, 100},
    {"softplus", Softplus, -10, 10},
    {"erfc", std::erfc, -2, 8},
    {"lgamma", LogGamma, -10, 10},
    {"atan2", nullptr, -10, 10, std::atan2},
    {"hypot", nullptr, -10, 10, std::hypot},
};

/// A library in one instruction set, and where to get it.
struct Side {
  const char *name;
  FunctionLoops loops;
  const char *source;
};

/// Nanoseconds for an element: the best of many rounds.
double TimeOf(FunctionLoop loop, const std::vector<float> &in, std::vector<float> *out) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 300; ++round) {
    const auto begin = Clock::now();
    loop(in.data(), out->data(), kElements);
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    best = std::min(best, spent.count() / static_cast<double>(kElements));
  }
  return best;
}

double ExactAt(const Case &f, const std::vector<float> &in, size_t i) {
  if (f.exact) return f.exact(in[i]);
  return f.exact_of_two(in[i],
                        in[static_cast<size_t>(PlaceOfSecond(static_cast<int64_t>(i), kElements))]);
}

/// The worst error of each side that has the function.
std::vector<double> ErrorsOf(const Case &f, const std::vector<Side> &sides) {
  std::vector<double> worst(sides.size(), 0);
  std::vector<float> in(kElements), out(kElements);
  std::vector<double> exact(kElements);
  for (uint64_t begin = 0; begin <= UINT32_MAX; begin += kStride * kElements) {
    for (size_t i = 0; i < in.size(); ++i) {
      const uint32_t bits =
          static_cast<uint32_t>(std::min<uint64_t>(begin + i * kStride, UINT32_MAX));
      std::memcpy(&in[i], &bits, sizeof bits);
    }
    for (size_t i = 0; i < in.size(); ++i) exact[i] = ExactAt(f, in, i);
    for (size_t side = 0; side < sides.size(); ++side) {
      const auto found = sides[side].loops.find(f.name);
      if (found == sides[side].loops.end()) continue;
      found->second(in.data(), out.data(), kElements);
      for (size_t i = 0; i < in.size(); ++i) {
        if (out[i] == static_cast<float>(exact[i])) continue;
        worst[side] = std::max(worst[side], packet_test::UlpError(out[i], exact[i]));
      }
    }
  }
  return worst;
}

void Print(const Case &f, const std::vector<Side> &sides) {
  std::vector<float> in(kElements), out(kElements);
  for (size_t i = 0; i < in.size(); ++i) {
    // Neither sorted nor random: neighbours are far from each other.
    const double part = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0);
    in[i] = f.low + static_cast<float>(part) * (f.high - f.low);
  }
  const std::vector<double> errors = ErrorsOf(f, sides);
  std::printf("%-8s", f.name);
  for (size_t side = 0; side < sides.size(); ++side) {
    const auto found = sides[side].loops.find(f.name);
    if (found == sides[side].loops.end()) {
      std::printf("  %16s", "-");
    } else {
      std::printf("  %6.3f (%7.3g)", TimeOf(found->second, in, &out), errors[side]);
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

void Compare(const char *isa, const std::vector<Side> &sides, int argc, char **argv) {
  std::printf("%s, ns for an element (worst error in ULP)\n%-8s", isa, "");
  for (const Side &side : sides) std::printf("  %16s", side.name);
  std::printf("\n");
  for (const Case &f : kCases) {
    const bool wanted = argc <= 1 || std::any_of(argv + 1, argv + argc, [&](const char *name) {
                          return std::strcmp(name, f.name) == 0;
                        });
    if (wanted) Print(f, sides);
  }
  for (const Side &side : sides) {
    if (side.loops.empty()) {
      std::printf("%s: SKIPPED, not found when this was built (%s)\n", side.name, side.source);
    }
  }
}

int Run(int argc, char **argv) {
  constexpr const char *kSleef = "Debian: libsleef-dev", *kLibmvec = "a part of glibc";
  constexpr const char *kEigen = "Debian: libeigen3-dev";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    Compare("AVX2",
            {{"ours", OurLoopsAvx2(), ""},
             {"SLEEF u10", SleefLoopsAvx2(), kSleef},
             {"libmvec", LibmvecLoopsAvx2(), kLibmvec},
             {"Eigen", EigenLoopsAvx2(), kEigen}},
            argc, argv);
  } else {
    std::printf("AVX2: SKIPPED, this CPU has no AVX2 and FMA\n");
  }
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    Compare("AVX-512",
            {{"ours", OurLoopsAvx512(), ""},
             {"SLEEF u10", SleefLoopsAvx512(), kSleef},
             {"libmvec", LibmvecLoopsAvx512(), kLibmvec},
             {"Eigen", EigenLoopsAvx512(), kEigen}},
            argc, argv);
  } else {
    std::printf("AVX-512: SKIPPED, this CPU has no AVX-512 (F, BW, VL, DQ)\n");
  }
  Compare("Baseline", {{"ours", OurLoopsBaseline(), ""}}, argc, argv);
  return 0;
}

}  // namespace
}  // namespace mshadow_bench

int main(int argc, char **argv) { return mshadow_bench::Run(argc, argv); }
