// SPDX-License-Identifier: Apache-2.0
/// \file workload.h
/// The arguments of one rule at one size: float, contiguous, reset between rounds.
#ifndef MSHADOW_BENCHMARKS_WORKLOAD_H_
#define MSHADOW_BENCHMARKS_WORKLOAD_H_

#include <mshadow/tensor.h>

#include <memory>
#include <vector>

#include "contender.h"
#include "random.h"
#include "rule_table.h"

namespace mshadow_bench {

/// Buffers of a rule for about `size` elements, and what they are reset to. A matrix has whole rows
/// of 1024 columns, or of a smaller power of two if `size` is smaller. A tensor of four dimensions
/// has images of 28 x 28 pixels, 8 of each channel.
class Workload {
 public:
  static constexpr int64_t kBatch = 8, kSide = 28, kPlane = kSide * kSide;
  static constexpr int64_t kLeastCols = 16;  // what each contender can do

  Workload(const mshadow_test::RuleEntry &rule, int64_t size);

  /// Whether the rule's tensors are vectors and matrices, or images and vectors of their channels.
  static bool Fits(const mshadow::RuleInfo &info);

  /// Puts the first values back, so that no contender sees what others left (states that decay into
  /// subnormals would distort every time after them).
  void Reset();

  /// What was written since, one tensor after the other.
  std::vector<float> Results() const;

  /// Bytes of an element in the tensors that have all elements, and in those of them that the rule
  /// writes.
  int held_bytes() const { return BytesOf(false); }
  int written_bytes() const { return BytesOf(true); }

  /// How many elements it has.
  int64_t size() const { return size_; }
  Call call() const {
    return {pointers_.data(),           scalars_.data(), cols_, channels_,
            channels_ > 0 ? kPlane : 0, size_ / cols_};
  }
  void *const *tensors() const { return handles_.data(); }
  const double *scalars() const { return scalars_.data(); }

 private:
  struct Buffer {
    mshadow::TensorContainer<mshadow::cpu, 1> now;  // aligned as the runtime aligns memory
    std::vector<float> first;
    int64_t count;
    bool written;
    mshadow::Tensor<mshadow::cpu, 4> images;
    mshadow::Tensor<mshadow::cpu, 2> matrix;
    mshadow::Tensor<mshadow::cpu, 1> vector;
  };

  int BytesOf(bool only_written) const;
  int64_t CountOf(const mshadow::ParamInfo &param) const;
  void AddTensor(const mshadow::ParamInfo &param, mshadow_test::SplitMix64 *random);

  int64_t cols_ = 1024;
  int64_t size_;
  int64_t channels_ = 0;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<float *> pointers_;
  std::vector<void *> handles_;
  std::vector<double> scalars_;
};

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_WORKLOAD_H_
