// SPDX-License-Identifier: Apache-2.0
// bench_functions [float|double] [AVX2|AVX-512|Baseline] [FUNCTION...]: time and worst error of our
// functions, also of those of --numerics=correct and fast, beside those of SLEEF (its variants
// within 1 ULP), libmvec and Eigen, one thread, in cache. The error is in units of the last place,
// of floats over every 37th of all, of doubles over a million: a time says nothing without it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "../tests/packet/ulp.h"
#include "functions.h"

namespace mshadow_bench {
namespace {

constexpr int64_t kElements = 16 << 10;
constexpr uint64_t kStride = 37;
constexpr int64_t kDoubles = 1 << 20;

/// The type that tells the errors of T's functions.
template <typename T>
using ExactOf = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// A function, what is true of it, and the arguments that are timed.
template <typename E>
struct Case {
  const char *name;
  E (*exact)(E);
  double low, high;
  E (*exact_of_two)(E, E) = nullptr;  ///< a function of two, instead
};

template <typename E>
const std::vector<Case<E>> &Cases() {
  static const std::vector<Case<E>> kCases = {
      {"exp", std::exp, -10, 10},
      {"expm1", std::expm1, -4, 4},
      {"log", std::log, 0.001, 100},
      {"log1p", std::log1p, -0.9, 9},
      {"tanh", std::tanh, -4, 4},
      {"erf", std::erf, -4, 4},
      {"sigmoid",
       [](E x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }, -8, 8},
      {"rsqrt", [](E x) { return 1 / std::sqrt(x); }, 0.001, 100},
      {"exp2", std::exp2, -10, 10},
      {"exp10", [](E x) { return std::pow(E(10), x); }, -5, 5},
      {"log2", std::log2, 0.001, 100},
      {"log10", std::log10, 0.001, 100},
      {"sin", std::sin, -10, 10},
      {"cos", std::cos, -10, 10},
      // both, of which the greater one is stored
      {"sincos", [](E x) { return std::fmax(std::sin(x), std::cos(x)); }, -10, 10},
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
      {"softplus", [](E x) { return std::fmax(x, E(0)) + std::log1p(std::exp(-std::fabs(x))); },
       -10, 10},
      {"erfc", std::erfc, -2, 8},
      {"lgamma", [](E x) { return std::lgamma(x); }, -10, 10},
      {"atan2", nullptr, -10, 10, std::atan2},
      {"hypot", nullptr, -10, 10, std::hypot},
      {"pow", nullptr, 0.1, 10, std::pow},
  };
  return kCases;
}

/// A library in one instruction set, and where to get it.
struct Side {
  const char *name;
  FunctionLoops loops;
  const char *source;

  template <typename T>
  const FunctionTable<T> &Table() const {
    if constexpr (std::is_same_v<T, float>) {
      return loops.floats;
    } else {
      return loops.doubles;
    }
  }
  template <typename T>
  FunctionLoop<T> Find(const char *function) const {
    const auto found = Table<T>().find(function);
    return found == Table<T>().end() ? nullptr : found->second;
  }
};

/// Nanoseconds for an element: the best of many rounds.
template <typename T>
double TimeOf(FunctionLoop<T> loop, const std::vector<T> &in, std::vector<T> *out) {
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

/// Number i of those that are timed: neither sorted nor random, neighbours are far from each other.
template <typename T, typename E>
T TimedArgument(const Case<E> &f, uint64_t i) {
  const double part = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0);
  return static_cast<T>(f.low) + static_cast<T>(part) * static_cast<T>(f.high - f.low);
}

/// The arguments whose errors are measured, a block at a time. Every kStride-th float; of doubles
/// such as are timed, and random bits. False after the last.
class Arguments {
 public:
  template <typename E>
  bool Next(const Case<E> &, std::vector<float> *in) {
    if (next_ > UINT32_MAX) return false;
    for (float &x : *in) {
      const uint32_t bits = static_cast<uint32_t>(std::min<uint64_t>(next_, UINT32_MAX));
      std::memcpy(&x, &bits, sizeof bits);
      next_ += kStride;
    }
    return true;
  }
  template <typename E>
  bool Next(const Case<E> &f, std::vector<double> *in) {
    if (next_ >= kDoubles) return false;
    for (double &x : *in) {
      const uint64_t bits = random_();
      std::memcpy(&x, &bits, sizeof bits);
      if (next_ % 2 == 0) x = TimedArgument<double>(f, next_);
      ++next_;
    }
    return true;
  }

 private:
  uint64_t next_ = 0;
  std::mt19937_64 random_;
};

template <typename T>
ExactOf<T> ExactAt(const Case<ExactOf<T>> &f, const std::vector<T> &in, size_t i) {
  if (f.exact) return f.exact(in[i]);
  return f.exact_of_two(in[i],
                        in[static_cast<size_t>(PlaceOfSecond(static_cast<int64_t>(i), kElements))]);
}

/// The worst error of each side that has the function.
template <typename T>
std::vector<double> ErrorsOf(const Case<ExactOf<T>> &f, const std::vector<Side> &sides) {
  std::vector<double> worst(sides.size(), 0);
  std::vector<T> in(kElements), out(kElements);
  std::vector<ExactOf<T>> exact(kElements);
  Arguments arguments;
  while (arguments.Next(f, &in)) {
    for (size_t i = 0; i < in.size(); ++i) exact[i] = ExactAt<T>(f, in, i);
    for (size_t side = 0; side < sides.size(); ++side) {
      const FunctionLoop<T> loop = sides[side].Find<T>(f.name);
      if (!loop) continue;
      loop(in.data(), out.data(), kElements);
      for (size_t i = 0; i < in.size(); ++i) {
        if (out[i] == static_cast<T>(exact[i])) continue;
        worst[side] = std::max(worst[side], packet_test::UlpError(out[i], exact[i]));
      }
    }
  }
  return worst;
}

template <typename T>
void Print(const Case<ExactOf<T>> &f, const std::vector<Side> &sides) {
  std::vector<T> in(kElements), out(kElements);
  for (size_t i = 0; i < in.size(); ++i) in[i] = TimedArgument<T>(f, i);
  const std::vector<double> errors = ErrorsOf<T>(f, sides);
  std::printf("%-8s", f.name);
  for (size_t side = 0; side < sides.size(); ++side) {
    const FunctionLoop<T> loop = sides[side].Find<T>(f.name);
    if (!loop) {
      std::printf("  %16s", "-");
    } else {
      std::printf("  %6.3f (%7.3g)", TimeOf(loop, in, &out), errors[side]);
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// What the command line names: types, instruction sets and functions; nothing means all.
struct Wanted {
  std::vector<std::string> types, sets, functions;

  Wanted(int argc, char **argv) {
    for (const std::string &word : std::vector<std::string>(argv + 1, argv + argc)) {
      const bool is_type = word == "float" || word == "double";
      const bool is_set = word == "AVX2" || word == "AVX-512" || word == "Baseline";
      (is_type ? types : is_set ? sets : functions).push_back(word);
    }
  }
  static bool Has(const std::vector<std::string> &words, const char *word) {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  }
};

template <typename T>
void CompareType(const char *type, const char *set, const std::vector<Side> &sides,
                 const Wanted &wanted) {
  if (!Wanted::Has(wanted.types, type)) return;
  std::printf("%s, %s, ns for an element (worst error in ULP)\n%-8s", set, type, "");
  for (const Side &side : sides) std::printf("  %16s", side.name);
  std::printf("\n");
  for (const Case<ExactOf<T>> &f : Cases<ExactOf<T>>()) {
    if (Wanted::Has(wanted.functions, f.name)) Print<T>(f, sides);
  }
}

void Compare(const char *set, bool is_there, const std::vector<Side> &sides, const Wanted &wanted) {
  if (!Wanted::Has(wanted.sets, set)) return;
  if (!is_there) {
    std::printf("%s: SKIPPED, this CPU does not have it\n", set);
    return;
  }
  CompareType<float>("float", set, sides, wanted);
  CompareType<double>("double", set, sides, wanted);
  for (const Side &side : sides) {
    if (side.loops.floats.empty()) {
      std::printf("%s: SKIPPED, not found when this was built (%s)\n", side.name, side.source);
    }
  }
}

int Run(const Wanted &wanted) {
  constexpr const char *kSleef = "Debian: libsleef-dev", *kLibmvec = "a part of glibc";
  constexpr const char *kEigen = "Debian: libeigen3-dev";
  Compare("AVX2", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
          {{"ours", OurLoopsAvx2(), ""},
           {"ours, correct", OurCorrectLoopsAvx2(), ""},
           {"ours, fast", OurFastLoopsAvx2(), ""},
           {"SLEEF u10", SleefLoopsAvx2(), kSleef},
           {"libmvec", LibmvecLoopsAvx2(), kLibmvec},
           {"Eigen", EigenLoopsAvx2(), kEigen}},
          wanted);
  Compare("AVX-512",
          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512dq"),
          {{"ours", OurLoopsAvx512(), ""},
           {"ours, correct", OurCorrectLoopsAvx512(), ""},
           {"ours, fast", OurFastLoopsAvx512(), ""},
           {"SLEEF u10", SleefLoopsAvx512(), kSleef},
           {"libmvec", LibmvecLoopsAvx512(), kLibmvec},
           {"Eigen", EigenLoopsAvx512(), kEigen}},
          wanted);
  Compare("Baseline", true, {{"ours", OurLoopsBaseline(), ""}}, wanted);
  return 0;
}

}  // namespace
}  // namespace mshadow_bench

int main(int argc, char **argv) { return mshadow_bench::Run(mshadow_bench::Wanted(argc, argv)); }
