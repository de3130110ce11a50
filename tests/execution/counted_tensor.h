// SPDX-License-Identifier: Apache-2.0
// A tensor whose elements differ, for tests of single rules.
#ifndef MSHADOW_TESTS_EXECUTION_COUNTED_TENSOR_H_
#define MSHADOW_TESTS_EXECUTION_COUNTED_TENSOR_H_

#include <mshadow/tensor.h>

#include <vector>

namespace mshadow_test {

/// A tensor with rows that are padded, counted through.
template <int dim>
struct Counted {
  std::vector<float> elements;
  mshadow::Tensor<mshadow::cpu, dim, float> tensor;

  explicit Counted(const mshadow::Shape<dim> &shape, float first = 1)
      : elements(static_cast<size_t>(shape.FlatTo2D()[0] * (shape[dim - 1] + 3) + 1)) {
    tensor = {elements.data(), shape, shape[dim - 1] + 3, nullptr};
    for (float &element : elements) element = first++;
  }
  float at(mshadow::index_t row, mshadow::index_t column) const {
    return elements[static_cast<size_t>(row * tensor.stride_ + column)];
  }
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_COUNTED_TENSOR_H_
