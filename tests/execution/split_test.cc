// SPDX-License-Identifier: Apache-2.0
// Split weights in an Optimizer: the remainder is a state, and 100 steps, also across a checkpoint,
// give the bits of float weights. Compiled twice, as optimizer_test.cc.
#include <gtest/gtest.h>
#include <mshadow_specs.h>

#include <cstring>

#include "optimizer_testing.h"

namespace optimizer_testing {
namespace {

constexpr int kLayers = 3;

template <typename T>
std::vector<Matrix<T>> Layers() {
  std::vector<Matrix<T>> layers;
  for (int i = 0; i < kLayers; ++i) layers.emplace_back(2 + i, 9 * i + 5, i);
  return layers;
}

/// Weights in bf16_t, and what an optimizer keeps for them.
template <typename Rule>
struct Model {
  std::vector<Matrix<bf16_t>> weights = Layers<bf16_t>(), grads = Layers<bf16_t>();
  Optimizer optimizer;

  Model() {
    auto group = optimizer.Group<Rule>({{"lr", 1e-4}, {"decay", 0.25}});
    for (size_t i = 0; i < kLayers; ++i) group.Add(weights[i].view, grads[i].view);
  }

  void Step(int step) {
    for (Matrix<bf16_t> &grad : grads) {
      const Matrix<> fresh(grad.view.size(0), grad.view.size(1), step + 3);
      for (size_t k = 0; k < fresh.memory.size(); ++k) {
        grad.memory[k] = bf16_t(fresh.memory[k] - 0.5f);
      }
    }
    optimizer.Step();
  }

  /// The float that a weight and its remainder are.
  float Master(size_t layer, index_t y, index_t x) {
    const auto entry = static_cast<int64_t>(layer);
    const int16_t remainder = optimizer.template State<2, int16_t>(entry, "remainder")[y][x];
    const auto upper = static_cast<uint32_t>(weights[layer].view[y][x].Binary()) << 16;
    const uint32_t bits = upper + static_cast<uint32_t>(remainder);
    float master;
    std::memcpy(&master, &bits, sizeof master);
    return master;
  }
};

/// Float weights, which begin as those in bf16_t.
template <typename Rule>
struct FloatModel {
  std::vector<Matrix<>> weights;
  std::vector<Matrix<bf16_t>> copies = Layers<bf16_t>();
  Optimizer optimizer;

  template <typename Split>
  explicit FloatModel(Split *split) {
    using mshadow::expr::tcast;
    for (const auto &weight : split->weights) {
      weights.emplace_back(weight.view.size(0), weight.view.size(1), 0);
      weights.back().view = tcast<float>(weight.view);
    }
    auto group = optimizer.Group<Rule>({{"lr", 1e-4}, {"decay", 0.25}});
    for (size_t i = 0; i < kLayers; ++i) {
      group.Add(weights[i].view, copies[i].view, split->grads[i].view);
    }
  }
};

template <typename SplitRule, typename FloatRule>
void CompareWithFloats() {
  Model<SplitRule> whole, stopped, resumed;
  FloatModel<FloatRule> floats(&whole);
  for (int step = 1; step <= 100; ++step) {
    whole.Step(step);
    floats.optimizer.Step();
    if (step <= 60) stopped.Step(step);
  }
  Memory memory;
  stopped.optimizer.Save(memory);
  resumed.optimizer.Load(memory);
  for (int step = 61; step <= 100; ++step) resumed.Step(step);
  for (size_t i = 0; i < kLayers; ++i) {
    for (index_t y = 0; y < whole.weights[i].view.size(0); ++y) {
      for (index_t x = 0; x < whole.weights[i].view.size(1); ++x) {
        ASSERT_EQ(whole.Master(i, y, x), floats.weights[i].view[y][x]) << i << ' ' << y << ' ' << x;
        ASSERT_EQ(resumed.Master(i, y, x), whole.Master(i, y, x)) << i << ' ' << y << ' ' << x;
      }
    }
  }
}

TEST(SplitWeights, HaveTheBitsOfFloats) {
  CompareWithFloats<optim::SplitSGDMomentumRule, optim::MixedSGDMomentumRule>();
  CompareWithFloats<optim::SplitAdamWRule, optim::MixedAdamWRule>();
}

}  // namespace
}  // namespace optimizer_testing
