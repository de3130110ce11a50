// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/leaves.h"

#include <atomic>

#include "mshadow/streaming.h"

namespace mshadow {
namespace {

std::atomic<int64_t> leaves_bytes{-1};  // SetLeavesBytes

/// What a launch moves, as a double: it may be more than an index_t holds.
double BytesOf(const ColumnShape &shape, index_t bytes) {
  return static_cast<double>(shape.rows) * static_cast<double>(shape.cols) *
         static_cast<double>(bytes);
}

}  // namespace

void SetLeavesBytes(int64_t bytes) { leaves_bytes.store(bytes, std::memory_order_relaxed); }

bool LeavesPay(cpu, const ColumnShape &shape, index_t bytes) {
  const double of_all = BytesOf(shape, bytes);
  const int64_t set = leaves_bytes.load(std::memory_order_relaxed);
  if (set >= 0) return shape.rows > 0 && of_all >= static_cast<double>(set);
  // To read again what stays in a core's L2 cache takes less time than to combine leaves. If a row
  // and its leaf do not stay in L1, so does to read again what stays in L3.
  constexpr int64_t kL1 = int64_t{32} << 10, kL2 = int64_t{512} << 10;
  const bool is_wide = shape.cols > kL1 / bytes;
  if (of_all <= static_cast<double>(is_wide ? StreamingBytes() : kL2)) return false;
  // A thread takes all rows of a leaf.
  return shape.rows > kColumnLeaf &&
         shape.rows >= kColumnLeaf * WorthwhileThreads(shape.rows, shape.cols * bytes);
}

bool LeavesPay(gpu, const ColumnShape &shape, index_t bytes) {
  constexpr index_t kMostLeaves = 65535;  // a grid has no more chunks
  if (shape.rows == 0 || shape.rows > kMostLeaves * kColumnLeaf) return false;
  // A sum in a leaf is loaded, added to and stored for each element. On an H200 that takes longer
  // than to read the operands twice.
  const int64_t set = leaves_bytes.load(std::memory_order_relaxed);
  return set >= 0 && BytesOf(shape, bytes) >= static_cast<double>(set);
}

}  // namespace mshadow
