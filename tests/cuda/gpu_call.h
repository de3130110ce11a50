// SPDX-License-Identifier: Apache-2.0
/// \file gpu_call.h
/// Runs a rule on a GPU from tensors of the host: the function type of a RuleEntry, so that the
/// comparison of bits need not know where a rule runs.
#ifndef MSHADOW_TESTS_CUDA_GPU_CALL_H_
#define MSHADOW_TESTS_CUDA_GPU_CALL_H_

#include <mshadow/detail/stream_gpu.h>
#include <mshadow/detail/tensor_view.h>
#include <mshadow/list.h>
#include <mshadow/rule_info.h>

#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "captured_graph.h"
#include "rule_table.h"

namespace mshadow_test {

/// A copy of a host tensor on the device, of the same strides and at the same distance from an
/// address that is a multiple of 256.
class DeviceTensor {
 public:
  virtual ~DeviceTensor() = default;
  /// The Tensor<gpu, dim, T>.
  virtual void *tensor() = 0;
  /// Copies the elements to the host tensor.
  /// \throws std::runtime_error if anything else of the memory was written
  virtual void CopyBack() = 0;
};

/// \param flag DataType<T>::kFlag of the elements
/// \param host a Tensor<cpu, dim, T>
std::unique_ptr<DeviceTensor> CopyToDevice(int flag, int dim, void *host,
                                           mshadow::Stream<mshadow::gpu> *stream);

/// The device copies of a rule's tensors. `types` are the flags of the instance's type parameters.
class DeviceArguments {
 public:
  /// \param stream of another's DeviceArguments, or null: one of their own
  DeviceArguments(const mshadow::RuleInfo &info, const std::vector<int> &types, int dim,
                  void *const *tensors, mshadow::Stream<mshadow::gpu> *stream = nullptr);
  void *const *tensors() { return pointers_.data(); }
  mshadow::Stream<mshadow::gpu> *stream() { return stream_; }
  /// Waits for the rule and copies everything back.
  void CopyBack();

 private:
  struct Delete {
    void operator()(mshadow::Stream<mshadow::gpu> *stream) const { mshadow::DeleteStream(stream); }
  };

  std::unique_ptr<mshadow::Stream<mshadow::gpu>, Delete> own_stream_;
  mshadow::Stream<mshadow::gpu> *stream_;
  std::vector<std::unique_ptr<DeviceTensor>> tensors_;
  std::vector<void *> pointers_;
};

/// A RuleEntry::call that runs `Rule` on the current device.
template <typename Rule, int dim, typename... T>
void CallOnGpu(void *const *tensors, const double *scalars) {
  DeviceArguments device(Rule::kInfo, {mshadow::DataType<T>::kFlag...}, dim, tensors);
  Rule::template Call<mshadow::gpu, dim, T...>(device.tensors(), scalars);
  device.CopyBack();
}

/// The same, launched twice by a CUDA graph. Once before it is captured: what that needs of memory
/// is allocated then.
template <typename Rule, int dim, typename... T>
void CallByGraph(void *const *tensors, const double *scalars) {
  const std::vector<int> types = {mshadow::DataType<T>::kFlag...};
  DeviceArguments device(Rule::kInfo, types, dim, tensors);
  {
    DeviceArguments others(Rule::kInfo, types, dim, tensors, device.stream());
    Rule::template Call<mshadow::gpu, dim, T...>(others.tensors(), scalars);
    others.stream()->Wait();
  }
  CapturedGraph graph(device.stream());
  Rule::template Call<mshadow::gpu, dim, T...>(device.tensors(), scalars);
  graph.Run(2);
  device.CopyBack();
}

/// The same by a list of two calls, the other one with copies of the tensors, which runs twice.
template <typename Rule, int dim, typename... T>
void CallByList(void *const *tensors, const double *scalars) {
  const std::vector<int> types = {mshadow::DataType<T>::kFlag...};
  DeviceArguments device(Rule::kInfo, types, dim, tensors);
  DeviceArguments others(Rule::kInfo, types, dim, tensors, device.stream());
  mshadow::RuleList list;
  {
    const mshadow::ListRecording recording(&list);
    Rule::template Call<mshadow::gpu, dim, T...>(others.tensors(), scalars);
    Rule::template Call<mshadow::gpu, dim, T...>(device.tensors(), scalars);
  }
  list.Run();
  list.Run();
  others.CopyBack();
  device.CopyBack();
}

/// "" or where \p twice, a graph of one launch or a list that runs twice, differs from two calls of
/// \p reference.
/// \param way names \p twice: "by a graph"
std::string CompareTwice(const RuleEntry &reference, const RuleEntry &twice, const char *way,
                         const Layout &layout);

/// The rules of a target on the GPU, fused and unfused; ranks 1 and 2.
RuleTable GpuFusedRules();
/// By graphs; rank 2.
RuleTable GpuGraphRules();
/// By lists; rank 2. Only with MSHADOW_TEST_GPU_LISTS.
RuleTable GpuListRules();
RuleTable GpuUnfusedRules();

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_CUDA_GPU_CALL_H_
