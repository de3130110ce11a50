// SPDX-License-Identifier: Apache-2.0
/// \file kernels.h
/// The rules that the network runs on, fused (as generated) and unfused (as their specs say).
#ifndef EXAMPLES_FASHION_MNIST_KERNELS_H_
#define EXAMPLES_FASHION_MNIST_KERNELS_H_

#include <mshadow/optim.h>
#include <mshadow/rule_info.h>
#include <mshadow/tensor.h>
#include <mshadow/tensor_container.h>

#include <functional>
#include <vector>

namespace demo {

using Matrix = mshadow::Tensor<mshadow::cpu, 2, float>;
using Vector = mshadow::Tensor<mshadow::cpu, 1, float>;
using Buffer = mshadow::TensorContainer<mshadow::cpu, 2, float>;  ///< a Matrix that owns its memory

/// Adds tensors to a group of an optimizer.
using AddTensors = std::function<void(Matrix weight, Matrix grad)>;

/// A rule known by what it says of itself.
struct Rule {
  const mshadow::RuleInfo *info;
  /// tensors[i] is the Tensor<cpu, rank, float> * of the i-th tensor parameter, rank 2 unless the
  /// rule fixes it; scalars[i] the i-th scalar parameter.
  void (*call)(void *const *tensors, const double *scalars);
  /// Makes a group of the rule; null unless the rule is an optimizer.
  AddTensors (*group)(mshadow::Optimizer *optimizer) = nullptr;
};

struct Pipeline;

/// One way of running the rules. kernels.cc makes both from the same lines.
struct Kernels {
  void (*bias_add)(Matrix out, Matrix in, Vector bias);
  void (*bias_relu)(Matrix out, Matrix in, Vector bias);
  void (*bias_relu_grad)(Matrix in_grad, Vector bias_grad, Matrix out_grad, Matrix out);
  void (*softmax_cross_entropy)(Vector loss, Matrix in_grad, Matrix in, Matrix label, float scale);
  void (*axpby)(Matrix y, Matrix x, float a, float b);
  /// Makes the groups of a pipeline, whose layers are complete.
  void (*add_pipeline)(Pipeline *pipeline, mshadow::Optimizer *optimizer);
  std::vector<Rule> rules;  ///< those of the network, and every optimizer that is shipped
};

const Kernels &FusedKernels();
const Kernels &UnfusedKernels();

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_KERNELS_H_
