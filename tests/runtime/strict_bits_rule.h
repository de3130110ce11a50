// SPDX-License-Identifier: Apache-2.0
/// \file strict_bits_rule.h
/// A rule full of products that a compiler would like to contract with sums.
#ifndef MSHADOW_TESTS_RUNTIME_STRICT_BITS_RULE_H_
#define MSHADOW_TESTS_RUNTIME_STRICT_BITS_RULE_H_

#include <mshadow/kernel.h>

namespace rules {
using namespace mshadow;        // NOLINT: as specs are written
using namespace mshadow::expr;  // NOLINT

struct polynomial {  // a product and a sum inside an operator, no mark on it
  template <typename T>
  static T Map(T a) {
    return static_cast<T>(a * T(0.7f) + a * a * T(0.3f) - a);
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(MSHADOW_PARAMETER Tensor<xpu, dim, DType> w,
                         MSHADOW_STATE(0.5) Tensor<xpu, dim, DType> m,
                         const Tensor<xpu, dim, DType> &g, float lr, float decay) {
  const float rate = lr * 0.37f + decay;
  auto update = 0.9f * m + 0.1f * g * g;
  m = update + F<polynomial>(g);
  w = w - rate * (m + decay * w);
  w -= lr * m * g;
  w += m * g;
}
MSHADOW_INSTANTIATE(Rule, float, double, half::half_t, bfloat::bf16_t);
}  // namespace rules

#endif  // MSHADOW_TESTS_RUNTIME_STRICT_BITS_RULE_H_
