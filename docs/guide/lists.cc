// SPDX-License-Identifier: Apache-2.0
// A list: the updates of all weights of a model, in one call.
#include <adamw.gen.h>
#include <mshadow/list.h>
#include <mshadow/tensor.h>
#include <sgd.gen.h>

#include <cstdio>
#include <memory>
#include <vector>

using namespace mshadow;  // NOLINT

/// A weight with what AdamW keeps for it.
struct Layer {
  TensorContainer<cpu, 2> weight, mean, variance, grad;

  Layer(index_t rows, index_t cols)
      : weight(Shape2(rows, cols), 1.0f),
        mean(Shape2(rows, cols), 0.0f),
        variance(Shape2(rows, cols), 0.0f),
        grad(Shape2(rows, cols), 0.0f) {}
};

using Model = std::vector<std::unique_ptr<Layer>>;

/// Stands for a forward and a backward pass.
void FindGradients(const Model &model) {
  for (const auto &layer : model) layer->grad = layer->weight * 0.5f;
}

int main() {
  Model model;
  for (int i = 0; i < 50; ++i) model.push_back(std::make_unique<Layer>(1 + i % 4, 10 + i));
  TensorContainer<cpu, 1> bias(Shape1(20), 1.0f), bias_grad(Shape1(20), 0.25f);

  // Once: every call is checked here, and none runs yet.
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 1e-3}, {"decay", 0.01}});
  for (const auto &layer : model) {
    adam.Add(layer->weight, layer->mean, layer->variance, layer->grad);
  }
  auto sgd = list.Group<optim::SGDRule>({{"lr", 0.1}});
  sgd.Add(bias, bias_grad);
  list.Set(0, "decay", 0);  // entry 0, the first layer, has no decay

  // In each step: one call.
  for (int step = 1; step <= 3; ++step) {
    FindGradients(model);
    adam.Set("step", step);
    list.Run();
  }
  std::printf("%lld calls in one\n", static_cast<long long>(list.size()));

  // Two entries must not write the same memory. The message names both.
  sgd.Add(bias, bias_grad);
  try {
    list.Run();
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
    return bias[0] > 0.92f && bias[0] < 0.93f ? 0 : 1;  // three steps of 0.025
  }
  return 1;
}
