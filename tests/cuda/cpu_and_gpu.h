// SPDX-License-Identifier: Apache-2.0
/// \file cpu_and_gpu.h
/// Calls a rule on a CPU and on a GPU with the same numbers, and compares the bits.
#ifndef MSHADOW_TESTS_CUDA_CPU_AND_GPU_H_
#define MSHADOW_TESTS_CUDA_CPU_AND_GPU_H_

#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <cstring>
#include <vector>

namespace cuda_test {

using namespace mshadow;

/// Small numbers, many of them equal.
template <int dim, typename DType>
TensorContainer<cpu, dim, DType> Filled(const Shape<dim> &shape, int first) {
  TensorContainer<cpu, dim, DType> tensor(shape);
  const Tensor<cpu, 2, DType> rows = tensor.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      rows[y][x] = DType(static_cast<float>((first + 5 * y + 3 * x + x / 7) % 7));
    }
  }
  return tensor;
}

/// A copy of it on a device.
template <typename xpu, int dim, typename DType>
TensorContainer<xpu, dim, DType> On(const Tensor<cpu, dim, DType> &tensor) {
  TensorContainer<xpu, dim, DType> copy(tensor.shape_);
  Copy(copy, tensor);
  return copy;
}

/// A stream of its own, for as long as this object lives: the default stream keeps its workspace to
/// the end of the program.
template <typename xpu>
class OwnStream {
 public:
  ~OwnStream() {
    stream_->Wait();
    DeleteStream(stream_);
  }
  template <int dim, typename DType>
  Tensor<xpu, dim, DType> With(const Tensor<xpu, dim, DType> &tensor) const {
    Tensor<xpu, dim, DType> on_stream = tensor;
    on_stream.stream_ = stream_;
    return on_stream;
  }

 private:
  Stream<xpu> *const stream_ = NewStream<xpu>(0);
};

/// What `rule(out, in...)` writes on a device.
template <typename xpu, int dim, typename DType, typename Rule, typename... In>
std::vector<float> Result(const Shape<dim> &shape, const Rule &rule, const In &...in) {
  TensorContainer<cpu, dim, DType> host = Filled<dim, DType>(shape, 3);
  TensorContainer<xpu, dim, DType> out = On<xpu>(static_cast<Tensor<cpu, dim, DType> &>(host));
  rule(out, On<xpu>(in)...);
  Copy(host, out);
  std::vector<float> result;
  const Tensor<cpu, 2, DType> rows = host.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) result.push_back(static_cast<float>(rows[y][x]));
  }
  return result;
}

template <typename DType, int dim, typename Rule, typename... In>
void ExpectSameBits(const Shape<dim> &shape, const Rule &rule, const In &...in) {
  const auto on_cpu = Result<cpu, dim, DType>(shape, rule, in...);
  const auto on_gpu = Result<gpu, dim, DType>(shape, rule, in...);
  ASSERT_EQ(on_cpu.size(), on_gpu.size());
  EXPECT_EQ(std::memcmp(on_cpu.data(), on_gpu.data(), on_cpu.size() * sizeof(float)), 0)
      << "a row of " << shape[dim - 1];
}

}  // namespace cuda_test

#endif  // MSHADOW_TESTS_CUDA_CPU_AND_GPU_H_
