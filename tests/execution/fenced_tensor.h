// SPDX-License-Identifier: Apache-2.0
/// \file fenced_tensor.h
/// Tensors beside memory that nobody may touch, for tests that compare kernels with loops over
/// coordinates: for each instruction set, rows that are padded or not, shapes that fill packets or
/// do not.
#ifndef MSHADOW_TESTS_EXECUTION_FENCED_TENSOR_H_
#define MSHADOW_TESTS_EXECUTION_FENCED_TENSOR_H_

#include <gtest/gtest.h>
#include <mshadow/limit_isa.h>
#include <mshadow/tensor.h>

#include <string>
#include <vector>

#include "fenced_memory.h"

namespace mshadow_test {

using mshadow::cpu;
using mshadow::index_t;
using mshadow::Shape;
using mshadow::Tensor;

/// How the tensors of a test lie in memory.
struct Layout {
  Guard guard;
  index_t gap;  ///< elements between two rows
};
constexpr Layout kLayouts[] = {{Guard::kBefore, 0}, {Guard::kAfter, 0}, {Guard::kAfter, 3}};

/// A tensor beside memory that nobody may touch. Its elements count from 1, within a byte.
template <int dim, typename DType>
class Fenced {
 public:
  Fenced(const Shape<dim> &shape, const Layout &layout)
      : rows_(shape.FlatTo2D()[0]),
        cols_(shape[dim - 1]),
        memory_(BytesOf(shape, layout), 0, layout.guard) {
    auto *const first = reinterpret_cast<DType *>(memory_.data());
    tensor = Tensor<cpu, dim, DType>(first, shape, cols_ + layout.gap, nullptr);
    for (index_t y = 0; y < rows_; ++y) {
      for (index_t x = 0; x < cols_; ++x) {
        first[y * tensor.stride_ + x] = DType(static_cast<float>((y * cols_ + x) % 113 + 1));
      }
    }
  }
  /// An element by the number of its row, or by its own.
  float At(index_t y, index_t x) const {
    return static_cast<float>(tensor.dptr_[y * tensor.stride_ + x]);
  }
  float At(index_t n) const { return At(n / cols_, n % cols_); }
  /// The same; 0 outside of the matrix.
  float AtOrZero(index_t y, index_t x) const {
    return 0 <= y && y < rows_ && 0 <= x && x < cols_ ? At(y, x) : 0.0f;
  }

  /// \param want (row, column) -> the element
  template <typename Want>
  void Expect(const Want &want) const {
    EXPECT_TRUE(memory_.IsIntact());
    for (index_t y = 0; y < rows_; ++y) {
      for (index_t x = 0; x < cols_; ++x) ASSERT_EQ(At(y, x), want(y, x)) << y << " " << x;
    }
  }

  Tensor<cpu, dim, DType> tensor;

 private:
  static size_t BytesOf(const Shape<dim> &shape, const Layout &layout) {
    const index_t rows = shape.FlatTo2D()[0], cols = shape[dim - 1];
    if (rows == 0 || cols == 0) return sizeof(DType);
    return static_cast<size_t>((rows - 1) * (cols + layout.gap) + cols) * sizeof(DType);
  }

  index_t rows_, cols_;
  FencedMemory memory_;
};

/// Calls `test(layout)` for each instruction set and each layout.
template <typename Test>
void Everywhere(const Test &test) {
  const mshadow::Isa widest = mshadow::ActiveIsa();
  for (const mshadow::Isa isa : {mshadow::Isa::kBaseline, mshadow::Isa::kAvx2,
                                 mshadow::Isa::kAvx512Vl, mshadow::Isa::kAvx512}) {
    if (isa > widest) break;
    mshadow::LimitIsa(isa);
    for (const Layout &layout : kLayouts) test(layout);
  }
  mshadow::LimitIsa(widest);
}

/// What an Error says; "" if there is none.
template <typename Call>
std::string Said(const Call &call) {
  try {
    call();
  } catch (const mshadow::Error &error) {
    return error.what();
  }
  return "";
}

inline const std::vector<index_t> kWidths = {0, 1, 2, 3, 7, 8, 15, 16, 17, 33, 64, 100};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_FENCED_TENSOR_H_
