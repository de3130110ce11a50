// SPDX-License-Identifier: Apache-2.0
/// \file expressions.h
/// Unfused expressions that mshadow is known to be slow at, and what others would write for them:
/// the best loop by hand, and Eigen. All work on the same buffers.
#ifndef MSHADOW_BENCHMARKS_EXPRESSIONS_H_
#define MSHADOW_BENCHMARKS_EXPRESSIONS_H_

#include <mshadow/parallel.h>

#include <cstdint>
#include <vector>

namespace mshadow_bench {

/// x and y hold kSize floats: a vector, a matrix of kRows x kRows, or images of shape
/// (kBatch, kChannels, kHeight, kHeight). v, w and index hold kRows elements each.
struct Buffers {
  static constexpr int64_t kRows = 2048, kBatch = 16, kChannels = 64, kHeight = 64;
  static constexpr int64_t kSize = kRows * kRows;
  static constexpr int64_t kImage = kHeight * kHeight;
  static_assert(kBatch * kChannels * kImage == kSize);
  float *x, *y, *z, *v, *w, *index;
};

struct ExpressionPeer {
  const char *name;
  void (*run)(const Buffers &);
};
std::vector<ExpressionPeer> HandExpressions();
std::vector<ExpressionPeer> EigenExpressions();

/// Calls body(begin, end) for parts of [0, count) in the runtime's threads.
template <typename Body>
void InThreads(int64_t count, int64_t bytes, const Body &body) {
  mshadow::ParallelFor(
      count, bytes,
      [](const void *context, mshadow::index_t begin, mshadow::index_t end) {
        (*static_cast<const Body *>(context))(static_cast<int64_t>(begin),
                                              static_cast<int64_t>(end));
      },
      &body);
}

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_EXPRESSIONS_H_
