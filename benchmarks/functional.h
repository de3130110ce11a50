// SPDX-License-Identifier: Apache-2.0
/// \file functional.h
/// Assignments of expressions of specs/functional, with the emitted functions and with the
/// templates of the spec.
#ifndef MSHADOW_BENCHMARKS_FUNCTIONAL_H_
#define MSHADOW_BENCHMARKS_FUNCTIONAL_H_

#include <mshadow/detail/tensor_view.h>

/// What an assignment reads and writes.
struct FunctionalTensors {
  mshadow::Tensor<mshadow::cpu, 2, float> out, a, b;
};
/// The assignments by number, as text.
inline constexpr const char *kFunctional[] = {
    "gelu(a)",     "b * gelu(a + b)",           "silu(a) * b",
    "huber(a, b)", "0.5 * huber(2 a + b, b b)", "silu(gelu_tanh(a))"};

void AssignEmitted(int which, const FunctionalTensors &tensors);
void AssignTemplates(int which, const FunctionalTensors &tensors);

#endif  // MSHADOW_BENCHMARKS_FUNCTIONAL_H_
