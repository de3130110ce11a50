// SPDX-License-Identifier: Apache-2.0
// Adam on floats in L1, whose quotients and roots the divider computes, or Newton's steps with an
// exact remainder, which give the same bits (docs/decisions/division.md), or what --numerics=fast
// does: nanoseconds for an element, and the divider's time over that. The last row, where a product
// takes the place of both, is what no approximation can go below.
#include <mshadow/packet/scalar.h>

// The rest of the file is compiled as emitted code is.
#include <mshadow/packet/begin_strict.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <vector>

namespace mshadow_bench {
namespace {

struct AdamState {
  float *weight, *mean, *variance;
  const float *gradient;
};
struct Way {
  const char *name;
  void (*step)(const AdamState &state, int64_t n);
  bool is_exact;  ///< has the divider's bits
};

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "dividers.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#define MSHADOW_BENCH_AVX512
#include "dividers.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

constexpr int kElements = 2048;

/// The weights after `steps` steps, and the nanoseconds that the fastest step took for an element.
struct Run {
  std::vector<float> weight;
  double time = std::numeric_limits<double>::infinity();
};
/// Arrays in which no packet crosses a line of the cache, and no two packets of a step have the
/// same last 12 bits of their addresses.
struct Arrays {
  alignas(64) float weight[kElements + 16], mean[kElements + 16], variance[kElements + 16];
  float gradient[kElements];
};
Run RunOf(const Way &way, int steps) {
  using Clock = std::chrono::steady_clock;
  Run run;
  static Arrays arrays;
  arrays = {};
  for (int i = 0; i < kElements; ++i) {
    arrays.weight[i] = 0.01f * static_cast<float>(i % 97);
    const float size = 0.001f * (1.0f + static_cast<float>(i * 7919 % 1009));
    arrays.gradient[i] = i % 3 == 0 ? -size : size;
  }
  const AdamState state = {arrays.weight, arrays.mean, arrays.variance, arrays.gradient};
  for (int step = 0; step < steps; ++step) {
    const auto begin = Clock::now();
    way.step(state, kElements);
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    run.time = std::min(run.time, spent.count() / static_cast<double>(kElements));
  }
  run.weight.assign(arrays.weight, arrays.weight + kElements);
  return run;
}

/// \returns whether all exact ways gave the same weights.
bool Compare(const char *set, const std::vector<Way> &ways) {
  constexpr int kSteps = 20000;
  std::printf("%s\n", set);
  const Run divider = RunOf(ways[0], kSteps);
  bool same = true;
  for (const Way &way : ways) {
    const Run run = RunOf(way, kSteps);
    const bool equal = !way.is_exact || run.weight == divider.weight;
    same = same && equal;
    std::printf("  %-18s %6.3f ns %6.2f%s\n", way.name, run.time, divider.time / run.time,
                equal ? "" : "  OTHER BITS");
  }
  return same;
}

}  // namespace
}  // namespace mshadow_bench

int main() {
  bool same = true;
#if MSHADOW_HAS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    same = mshadow_bench::Compare("AVX2", mshadow_bench::avx2::Ways()) && same;
  }
#endif
#if MSHADOW_HAS_AVX512
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    same = mshadow_bench::Compare("AVX-512", mshadow_bench::avx512::Ways()) && same;
  }
#endif
  return same ? 0 : 1;
}
