// SPDX-License-Identifier: Apache-2.0
/// \file seeded_matrix.h
#ifndef MSHADOW_TESTS_SEEDED_MATRIX_H_
#define MSHADOW_TESTS_SEEDED_MATRIX_H_

#include <mshadow/tensor.h>

#include <cstring>
#include <vector>

namespace mshadow_test {

/// A matrix with memory of its own, and numbers in it.
template <typename T = float>
struct Matrix {
  std::vector<T> memory;
  mshadow::Tensor<mshadow::cpu, 2, T> view;

  Matrix(mshadow::index_t rows, mshadow::index_t cols, int seed, mshadow::index_t pad = 0)
      : memory(static_cast<size_t>(rows * (cols + pad) + 1)) {
    for (size_t i = 0; i < memory.size(); ++i) {
      memory[i] = T(static_cast<float>((i * 7 + static_cast<size_t>(seed) * 13) % 101) / 64.0f);
    }
    view = mshadow::Tensor<mshadow::cpu, 2, T>(memory.data(), mshadow::Shape2(rows, cols),
                                               cols + pad, nullptr);
  }
  Matrix(const Matrix &other)
      : memory(other.memory), view(memory.data(), other.view.shape_, other.view.stride_, nullptr) {}
  Matrix &operator=(const Matrix &) = delete;

  bool operator==(const Matrix &other) const {
    return memory.size() == other.memory.size() &&
           std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(T)) == 0;
  }
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_SEEDED_MATRIX_H_
