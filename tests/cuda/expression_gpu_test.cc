// SPDX-License-Identifier: Apache-2.0
// Emitted expressions in kernels of the runtime give the bits that they give on the CPU.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cuda_expressions.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

template <typename DType>
void Fill(Tensor<cpu, 2, DType> t, unsigned state) {
  for (index_t y = 0; y < t.size(0); ++y) {
    for (index_t x = 0; x < t.size(1); ++x) {
      state = state * 1664525 + 1013904223;
      t[y][x] = static_cast<DType>(static_cast<float>(state >> 16) / 8192 - 4.0f);
    }
  }
}

/// What `assign(out, a, b, q)` writes on a device.
template <typename xpu, typename DType, typename Assign>
TensorContainer<cpu, 2, DType> Result(Assign assign) {
  const Shape<2> shape = Shape2(5, 67);
  TensorContainer<cpu, 2, DType> a(shape), b(shape), host(shape, DType(1.0f));
  TensorContainer<cpu, 2, int8_t> q(shape);
  Fill<DType>(a, 1);
  Fill<DType>(b, 2);
  Fill<int8_t>(q, 3);
  TensorContainer<xpu, 2, DType> device_a(shape), device_b(shape), out(shape);
  TensorContainer<xpu, 2, int8_t> device_q(shape);
  Copy(device_a, a);
  Copy(device_b, b);
  Copy(device_q, q);
  Copy(out, host);
  assign(out, device_a, device_b, device_q);
  Copy(host, out);
  return host;
}

template <typename DType, typename Assign>
void ExpectSameBits(Assign assign) {
  const auto on_cpu = Result<cpu, DType>(assign);
  const auto on_gpu = Result<gpu, DType>(assign);
  for (index_t y = 0; y < on_cpu.size(0); ++y) {
    for (index_t x = 0; x < on_cpu.size(1); ++x) {
      ASSERT_TRUE(on_cpu[y][x] == on_gpu[y][x]) << "row " << y << ", column " << x;
    }
  }
}

TEST(ExpressionsOnGpu, SameBits) {
  ExpectSameBits<float>([](auto &out, auto &a, auto &, auto &) { out = expressions::Swish(a); });
  ExpectSameBits<double>(
      [](auto &out, auto &a, auto &b, auto &) { out += b * expressions::Swish(a - b, 0.5f); });
  ExpectSameBits<half::half_t>(
      [](auto &out, auto &a, auto &, auto &) { out = expressions::Swish(a); });
  ExpectSameBits<float>([](auto &out, auto &a, auto &b, auto &) {
    out = expressions::Huber(a, b * 2.0f, 0.75f, true) + expressions::Huber(a, b, 0.5f, false);
  });
  ExpectSameBits<float>(
      [](auto &out, auto &a, auto &, auto &q) { out = expressions::Dequantize(q, a, 0.5f); });
  ExpectSameBits<float>([](auto &out, auto &a, auto &b, auto &) {
    out = where(expressions::Near(a, b, 1.0f), expressions::Second(a, b), a);
  });
}

}  // namespace
