// SPDX-License-Identifier: Apache-2.0
/// \file extension_testing.h
/// Expressions against an obvious loop over indices.
#ifndef MSHADOW_TESTS_RUNTIME_EXTENSION_TESTING_H_
#define MSHADOW_TESTS_RUNTIME_EXTENSION_TESTING_H_

#include <cmath>
#include <random>

#include "testing.h"

namespace testing_runtime {

/// Calls f(index) for every index of \p shape, in row-major order.
template <int dim, typename Function>
void ForEachIndex(const Shape<dim> &shape, Function &&f) {
  for (index_t n = 0; n < shape.Size(); ++n) {
    Shape<dim> index;
    index_t rest = n;
    for (int d = dim - 1; d >= 0; --d) {
      index[d] = rest % shape[d];
      rest /= shape[d];
    }
    f(index);
  }
}

/// The element at \p index.
template <int dim, typename DType>
DType &At(const Tensor<cpu, dim, DType> &t, const Shape<dim> &index) {
  index_t row = 0;
  for (int d = 0; d + 1 < dim; ++d) row = row * t.shape_[d] + index[d];
  return t.dptr_[row * t.stride_ + index[dim - 1]];
}

template <typename DType>
double Number(DType value) {
  return static_cast<double>(value);
}

/// Extents for a test: the first ones have empty and one-element dimensions, the others are random,
/// one of them wide enough for more than one run.
template <int dim>
std::vector<Shape<dim>> SomeShapes(int count = 6) {
  std::mt19937 random(7);
  std::vector<Shape<dim>> shapes;
  for (int n = 0; n < count; ++n) {
    Shape<dim> shape;
    for (int d = 0; d < dim; ++d) {
      shape[d] = n == 0 ? 1 : 1 + static_cast<index_t>(random() % 5);
    }
    if (n == 1) shape[static_cast<int>(random() % dim)] = 0;
    if (n == 2) shape[dim - 1] = 150;
    shapes.push_back(shape);
  }
  return shapes;
}

/// Every element of \p exp is want(index), within \p tolerance: assigned to padded and contiguous
/// tensors, added to one, and one by one as a GPU would evaluate it.
template <typename E, typename DType, int etype, int dim, typename Want>
void ExpectElements(const Exp<E, DType, etype> &exp, const Shape<dim> &shape, Want &&want,
                    double tolerance = 0) {
  TensorContainer<cpu, dim, DType> padded(shape, 1), flat(shape, 1, false), one(shape, 2);
  padded = exp;
  flat += exp;
  const auto plan = MakePlan(exp.self());
  ForEach(shape, [&](index_t y, index_t x) { At(one, y, x) = plan.Eval(y, x); });
  ForEachIndex(shape, [&](const Shape<dim> &index) {
    const double expected = Number(ScalarCast<DType>(want(index)));
    const double slack = std::isinf(expected) ? 0 : tolerance * (1 + std::abs(expected));
    const auto is_near = [&](DType value) {
      return Number(value) == expected || std::abs(Number(value) - expected) <= slack;
    };
    EXPECT_PRED1(is_near, At(padded, index)) << expected << " at " << index << " of " << shape;
    EXPECT_PRED1(is_near, At(one, index)) << expected << " one by one, at " << index;
    EXPECT_EQ(Number(At(padded, index)), Number(At(one, index))) << "runs, at " << index;
    EXPECT_EQ(Number(At(flat, index)),
              Number(op::plus::Map(ScalarCast<DType>(1), At(padded, index))))
        << "added, at " << index;
  });
}

/// Calls f with a value of each element type that index maps are tested with.
template <typename Function>
void ForElementTypes(Function &&f) {
  f(float());
  f(double());
  f(half::half_t());
  f(int32_t());
  f(uint8_t());
}

}  // namespace testing_runtime

#endif  // MSHADOW_TESTS_RUNTIME_EXTENSION_TESTING_H_
