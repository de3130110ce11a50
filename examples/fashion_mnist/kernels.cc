// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as it is, the rules are the generated kernels; with MSHADOW_UNFUSED they are the
// specs themselves, one pass over memory for each statement.
#include "kernels.h"

#include <fashion_mnist_rules.h>

#include "optimizer.h"
#include "pipeline.h"

namespace demo {
namespace {

struct AddRule {
  std::vector<Rule> *rules;

  template <typename R>
  void operator()() const {
    rules->push_back({&R::kInfo, &R::template Call<mshadow::cpu, 2, float>});
  }
};

template <typename R>
AddTensors GroupOf(mshadow::Optimizer *optimizer) {
  return [group = optimizer->Group<R>()](Matrix weight, Matrix grad) mutable {
    group.Add(weight, grad);
  };
}

/// Rules that the demo does not run are not instantiated: unfused, they take long to compile.
struct AddOptimizer {
  AddRule add;

  template <typename R>
  void operator()() const {
    if constexpr (IsOptimizer(R::kInfo) && R::Instances::template Has<mshadow::Types<float>>()) {
      add.operator()<R>();
      add.rules->back().group = GroupOf<R>;
    }
  }
};

using NetworkRules = mshadow::TypeList<activation::BiasReluRule, activation::BiasReluGradRule,
                                       activation::BiasAddRule, loss::SoftmaxCrossEntropyTrainRule>;

/// The rules of specs/optim/pipeline.h, in four phases: two passes over memory, and between them
/// two rules for a few elements.
void AddPipeline(Pipeline *pipeline, mshadow::Optimizer *optimizer) {
  const auto one = [](float *value) { return Vector(value, mshadow::Shape1(1)); };
  const mshadow::index_t layers = static_cast<mshadow::index_t>(pipeline->layers.size());
  pipeline->squares.assign(pipeline->layers.size(), 0.0f);
  auto first = optimizer->Group<optim::GradientSquaresRule>();
  optimizer->Then();
  const int64_t factor = optimizer->Group<optim::GradientFactorRule>().Add(
      one(&pipeline->factor), one(&pipeline->taken), one(&pipeline->norm),
      Vector(pipeline->squares.data(), mshadow::Shape1(layers)));
  optimizer->Then();
  optimizer->Group<optim::AdamBiasRule>().Add(one(&pipeline->inv_bias1), one(&pipeline->inv_bias2),
                                              optimizer->State<1>(factor, "step"));
  optimizer->Then();
  auto second = optimizer->Group<optim::PipelineAdamWRule>({{"clip", 1.0}});
  pipeline->scale = optimizer->State<1>(factor, "scale");
  float *squares = pipeline->squares.data();
  for (Pipeline::Layer &layer : pipeline->layers) {
    first.Add(one(squares++), layer.grad, pipeline->scale);
    second.Add(layer.weight, layer.average, layer.copy, layer.grad, one(&pipeline->factor),
               one(&pipeline->taken), one(&pipeline->inv_bias1), one(&pipeline->inv_bias2));
  }
}

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
  kernels.add_pipeline = AddPipeline;
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
