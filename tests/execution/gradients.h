// SPDX-License-Identifier: Apache-2.0
/// \file gradients.h
/// Arrays of random numbers, and what holds backward rules against their forward rules.
#ifndef MSHADOW_TESTS_EXECUTION_GRADIENTS_H_
#define MSHADOW_TESTS_EXECUTION_GRADIENTS_H_

#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <functional>
#include <type_traits>

#include "random.h"

namespace mshadow_test {

/// A tensor with its memory.
template <int dim, typename DType = double>
struct Array : mshadow::TensorContainer<mshadow::cpu, dim, DType> {
  /// Numbers in [low, high).
  explicit Array(const mshadow::Shape<dim> &shape, uint64_t seed = 0, double low = -1,
                 double high = 1)
      : mshadow::TensorContainer<mshadow::cpu, dim, DType>(shape, DType(0), false) {
    SplitMix64 random(seed);
    for (mshadow::index_t i = 0; i < shape.Size(); ++i) {
      at(i) = static_cast<DType>(low + (high - low) * random.Unit());
    }
  }
  DType &at(mshadow::index_t i) { return this->dptr_[i]; }
  int size() const { return static_cast<int>(this->shape_.Size()); }
};

/// The sum of the products of their elements.
template <typename A>
double Inner(A &a, A &b) {
  double sum = 0;
  for (int i = 0; i < a.size(); ++i) sum += a.at(i) * b.at(i);
  return sum;
}

/// \p grad is the gradient of `loss` by \p by, as a difference quotient shows it.
template <typename A, typename G>
void ExpectGradient(A &by, G &grad, const std::function<double()> &loss, double tolerance = 1e-6,
                    double step = 1e-5) {
  for (int i = 0; i < by.size(); ++i) {
    const auto before = by.at(i);
    using T = std::decay_t<decltype(before)>;
    by.at(i) = static_cast<T>(before + step);
    const double above = loss(), up = by.at(i);
    by.at(i) = static_cast<T>(before - step);
    const double below = loss(), down = by.at(i);
    by.at(i) = before;
    EXPECT_NEAR(grad.at(i), (above - below) / (up - down), tolerance) << i;
  }
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_GRADIENTS_H_
