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

#include "../runtime/memory_stream.h"
#include "seeded_matrix.h"

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
using mshadow_test::Matrix;
using mshadow_test::Memory;

#ifdef MSHADOW_UNFUSED
constexpr bool kFused = false;
#else
constexpr bool kFused = true;
#endif

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
