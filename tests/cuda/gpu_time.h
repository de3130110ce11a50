// SPDX-License-Identifier: Apache-2.0
/// \file gpu_time.h
/// How fast a rule's kernel is: its time beside that of a device-to-device copy which moves the
/// same number of bytes, in turn.
#ifndef MSHADOW_TESTS_CUDA_GPU_TIME_H_
#define MSHADOW_TESTS_CUDA_GPU_TIME_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu_call.h"

namespace mshadow_test {

/// The arguments of a rule on the device: tensors of rows x cols elements, contiguous, filled with
/// tame values that repeat.
class DeviceBench {
 public:
  /// \param rule of the table GpuRawRules
  /// \throws mshadow::Error if the device has not enough memory
  DeviceBench(const RuleEntry &rule, int64_t rows, int64_t cols);
  ~DeviceBench();
  DeviceBench(const DeviceBench &) = delete;

  /// Gives all tensors their first values again.
  void Reset();
  /// Launches the rule once.
  void Launch();
  void Wait();

  /// Runs the rule once, and the CPU's on windows at the begin, in the middle and at the end of the
  /// first values. "", or where the two differ. For rules that reduce nothing, or rows.
  std::string CompareWindows(const RuleEntry &cpu_rule);

  struct Times {
    double rule_ms, copy_ms;  ///< medians
  };
  /// \param bytes that the rule moves; the copy reads half of them and writes half
  Times Measure(int64_t bytes, int rounds);

  struct Operand;

 private:
  const RuleEntry &rule_;
  int64_t rows_, cols_;
  mshadow::Stream<mshadow::gpu> *stream_;
  std::vector<std::unique_ptr<Operand>> operands_;
  std::vector<double> scalars_;
};

/// The rules of a target as called with tensors of the device.
RuleTable GpuRawRules();

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_CUDA_GPU_TIME_H_
