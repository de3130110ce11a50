// SPDX-License-Identifier: Apache-2.0
// What the tests of Optimizer share.
#ifndef TESTS_EXECUTION_OPTIMIZER_TESTING_H_
#define TESTS_EXECUTION_OPTIMIZER_TESTING_H_

#include <adamw.gen.h>
#include <mshadow/optim.h>
#include <mshadow/tensor.h>
#include <mshadow/tensor_container.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace optimizer_testing {

using mshadow::cpu;
using mshadow::Error;
using mshadow::index_t;
using mshadow::Optimizer;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Tensor;
using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

#ifdef MSHADOW_UNFUSED
constexpr bool kFused = false;
#else
constexpr bool kFused = true;
#endif

/// A matrix with memory of its own, and numbers in it.
template <typename T = float>
struct Matrix {
  std::vector<T> memory;
  Tensor<cpu, 2, T> view;

  Matrix(index_t rows, index_t cols, int seed, index_t pad = 0)
      : memory(static_cast<size_t>(rows * (cols + pad) + 1)) {
    for (size_t i = 0; i < memory.size(); ++i) {
      memory[i] = T(static_cast<float>((i * 7 + static_cast<size_t>(seed) * 13) % 101) / 64.0f);
    }
    view = Tensor<cpu, 2, T>(memory.data(), Shape2(rows, cols), cols + pad, nullptr);
  }
  Matrix(const Matrix &other)
      : memory(other.memory), view(memory.data(), other.view.shape_, other.view.stride_, nullptr) {}
  Matrix &operator=(const Matrix &) = delete;

  bool operator==(const Matrix &other) const {
    return memory.size() == other.memory.size() &&
           std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(T)) == 0;
  }
};

/// What a test keeps for AdamW.
struct AdamStates {
  mshadow::TensorContainer<cpu, 2> mean, variance;

  explicit AdamStates(const mshadow::Shape<2> &shape) : mean(shape, 0.0f), variance(shape, 0.0f) {}

  template <typename T>
  void Update(Tensor<cpu, 2, T> weight, const Tensor<cpu, 2, T> &grad, float lr, float beta1,
              float decay, int step) {
    optim::AdamW(weight, mean, variance, grad, lr, beta1, 0.999f, 1e-8f, decay, step);
  }
};

/// A stream in memory; no IStream, as user classes need not be.
struct Memory {
  std::string bytes;
  size_t at = 0;
  size_t largest = 0;  ///< the largest piece that was asked for

  void Write(const void *from, size_t size) { bytes.append(static_cast<const char *>(from), size); }
  size_t Read(void *to, size_t size) {
    largest = std::max(largest, size);
    size = std::min(size, bytes.size() - at);
    std::memcpy(to, bytes.data() + at, size);
    at += size;
    return size;
  }
};

/// The message of the Error that \p f throws; "" if it throws none.
inline std::string MessageOf(const std::function<void()> &f) {
  try {
    f();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

}  // namespace optimizer_testing

#endif  // TESTS_EXECUTION_OPTIMIZER_TESTING_H_
