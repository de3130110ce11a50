// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as it is, the rules are the generated kernels; with MSHADOW_UNFUSED they are the
// specs themselves, one pass over memory for each statement.
#include "kernels.h"

#include <fashion_mnist_rules.h>

#include "optimizer.h"

namespace demo {
namespace {

struct AddRule {
  std::vector<Rule> *rules;

  template <typename R>
  void operator()() const {
    rules->push_back({&R::kInfo, &R::template Call<mshadow::cpu, 2, float>});
  }
};

/// Rules that the demo does not run are not instantiated: unfused, they take long to compile.
struct AddOptimizer {
  AddRule add;

  template <typename R>
  void operator()() const {
    if constexpr (IsOptimizer(R::kInfo) && R::Instances::template Has<mshadow::Types<float>>()) {
      add.operator()<R>();
    }
  }
};

using NetworkRules = mshadow::TypeList<activation::BiasReluRule, activation::BiasReluGradRule,
                                       activation::BiasAddRule, loss::SoftmaxCrossEntropyTrainRule>;

Kernels MakeKernels() {
  Kernels kernels;
  kernels.bias_add = [](Matrix out, Matrix in, Vector bias) { activation::BiasAdd(out, in, bias); };
  kernels.bias_relu = [](Matrix out, Matrix in, Vector bias) {
    activation::BiasRelu(out, in, bias);
  };
  kernels.bias_relu_grad = [](Matrix in_grad, Vector bias_grad, Matrix out_grad, Matrix out) {
    activation::BiasReluGrad(in_grad, bias_grad, out_grad, out);
  };
  kernels.softmax_cross_entropy = [](Vector loss, Matrix in_grad, Matrix in, Matrix label,
                                     float scale) {
    loss::SoftmaxCrossEntropyTrain(loss, in_grad, in, label, scale);
  };
  kernels.axpby = [](Matrix y, Matrix x, float a, float b) { blas1::Axpby(y, x, a, b); };
  const AddRule add{&kernels.rules};
  NetworkRules::ForEach(add);
  fashion_mnist_rules_rules::ForEach(AddOptimizer{add});
  return kernels;
}

}  // namespace

#ifdef MSHADOW_UNFUSED
const Kernels &UnfusedKernels() {
#else
const Kernels &FusedKernels() {
#endif
  static const Kernels kernels = MakeKernels();
  return kernels;
}

}  // namespace demo
