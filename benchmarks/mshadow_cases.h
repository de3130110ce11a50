// SPDX-License-Identifier: Apache-2.0
/// \file mshadow_cases.h
/// Expressions in the API that this runtime and mshadow have in common. The files mshadow_*.inc
/// are compiled twice, once with the headers of each; bench_mshadow times both.
#ifndef MSHADOW_BENCHMARKS_MSHADOW_CASES_H_
#define MSHADOW_BENCHMARKS_MSHADOW_CASES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mshadow_bench {

/// What one size of all cases works on. A matrix is edge x edge, images are (batch, channels,
/// height, height) and as large; both sides get the same memory.
struct Arena {
  int64_t edge, batch, channels, height;
  float *x, *y, *z, *w;       ///< edge * edge elements each, some to spare behind them
  float *v, *index;           ///< edge elements; index: numbers below edge, in no order
  double *x64, *y64, *z64;    ///< edge * edge elements
  int32_t *x32, *y32, *z32;   ///< edge * edge elements
  uint16_t *x16, *y16, *z16;  ///< edge * edge elements of a 16-bit float
  float *scratch;             ///< five times as many, for programs
};

struct Case {
  std::string name;
  std::function<void()> run;
  /// The elements that run() writes: \p count of them from \p result on.
  const float *result;
  int64_t count;
  bool bits;  ///< whether the result is of another type, and compared bit by bit
};

/// The cases, as this runtime runs them,
std::vector<Case> OurCases(const Arena &arena);
/// and as mshadow does: a library that shows nothing but these two functions, since both call their
/// namespace mshadow.
#define MSHADOW_BENCH_SHOWN extern "C" __attribute__((visibility("default")))
MSHADOW_BENCH_SHOWN void MshadowCases(const Arena &arena, std::vector<Case> *cases);
MSHADOW_BENCH_SHOWN void SetMshadowThreads(int threads);

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_MSHADOW_CASES_H_
