// SPDX-License-Identifier: Apache-2.0
// The pipeline of specs/optim/pipeline.h in an Optimizer: the weights are those of single calls
// that unscale, clip, update, convert and average, one after the other. Compiled twice, as
// optimizer_test.cc.
#include <gtest/gtest.h>
#include <mshadow_specs.h>

#include <cmath>
#include <limits>

#include "optimizer_testing.h"

namespace optimizer_testing {
namespace {

/// A model, and the values that its pipeline keeps in memory.
template <typename GType, typename CType>
struct Model {
  static constexpr int kLayers = 5;
  std::vector<Matrix<>> weights, averages;
  std::vector<Matrix<CType>> copies;
  std::vector<Matrix<GType>> grads;
  std::vector<float> squares = std::vector<float>(kLayers);
  float factor = 0, taken = 0, norm = 0, inv_bias1 = 0, inv_bias2 = 0;
  Optimizer optimizer;
  int64_t entry_of_factor = -1;

  static Tensor<cpu, 1> One(float *value) { return Tensor<cpu, 1>(value, Shape1(1)); }

  Model() {
    for (int i = 0; i < kLayers; ++i) {
      weights.emplace_back(1 + i, 7 * i + 3, i);
      averages.emplace_back(1 + i, 7 * i + 3, i);
      copies.emplace_back(1 + i, 7 * i + 3, i);
      grads.emplace_back(1 + i, 7 * i + 3, i);
    }
    auto first = optimizer.Group<optim::GradientSquaresRule>();
    optimizer.Then();
    auto factors = optimizer.Group<optim::GradientFactorRule>({{"limit", 0.75}});
    optimizer.Then();
    auto bias = optimizer.Group<optim::AdamBiasRule>();
    optimizer.Then();
    auto second = optimizer.Group<optim::PipelineAdamWRule>({{"clip", 0.0625}, {"ema", 0.5}});
    entry_of_factor = factors.Add(One(&factor), One(&taken), One(&norm),
                                  Tensor<cpu, 1>(squares.data(), Shape1(kLayers)));
    bias.Add(One(&inv_bias1), One(&inv_bias2), optimizer.State<1>(entry_of_factor, "step"));
    Tensor<cpu, 1> scale = optimizer.State<1>(entry_of_factor, "scale");
    scale = 1024.0f;  // for gradients in half_t
    for (size_t i = 0; i < kLayers; ++i) {
      first.Add(One(&squares[i]), grads[i].view, scale);
      second.Add(weights[i].view, averages[i].view, copies[i].view, grads[i].view, One(&factor),
                 One(&taken), One(&inv_bias1), One(&inv_bias2));
    }
  }

  void Fill(int step) {
    const float scale = optimizer.State<1>(entry_of_factor, "scale")[0];
    for (size_t i = 0; i < kLayers; ++i) {
      const Matrix<> fresh(grads[i].view.size(0), grads[i].view.size(1), step + 3);
      for (size_t k = 0; k < fresh.memory.size(); ++k) {
        grads[i].memory[k] = GType(scale * (fresh.memory[k] - 0.5f));
      }
    }
  }
};

template <typename GType, typename CType>
void CompareWithSingleCalls() {
  using namespace mshadow::expr;  // NOLINT
  using M = Model<GType, CType>;
  M model;
  auto weights = model.weights, averages = model.averages;
  auto copies = model.copies;
  std::vector<AdamStates> states;
  for (const auto &weight : weights) states.emplace_back(weight.view.shape_);
  for (int step = 1; step <= 4; ++step) {
    model.Fill(step);
    const float scale = model.optimizer.template State<1>(model.entry_of_factor, "scale")[0];
    std::vector<Matrix<>> grads;
    float total = 0;
    for (const auto &grad : model.grads) {
      grads.emplace_back(grad.view.size(0), grad.view.size(1), 0);
      grads.back().view = tcast<float>(grad.view) / scale;
      optim::AddSquaredNorm(M::One(&total), grads.back().view);
    }
    model.optimizer.Step();
    ASSERT_FLOAT_EQ(model.norm, std::sqrt(total));
    for (size_t i = 0; i < grads.size(); ++i) {
      float squared = model.norm * model.norm;
      optim::ClipByNorm(grads[i].view, M::One(&squared), 0.75f);
      grads[i].view = F<mshadow::op::clip>(grads[i].view, 0.0625f);
      states[i].Update(weights[i].view, grads[i].view, 0.001f, 0.9f, 0.01f, step);
      copies[i].view = tcast<CType>(weights[i].view);
      averages[i].view = averages[i].view * 0.5f + weights[i].view * 0.5f;
      for (size_t k = 0; k + 1 < weights[i].memory.size(); ++k) {
        ASSERT_NEAR(model.weights[i].memory[k], weights[i].memory[k], 1e-6) << step;
        ASSERT_NEAR(model.averages[i].memory[k], averages[i].memory[k], 1e-6) << step;
        EXPECT_EQ(static_cast<float>(model.copies[i].memory[k]),
                  static_cast<float>(CType(model.weights[i].memory[k])));
      }
    }
  }
  EXPECT_EQ(model.optimizer.template State<1>(model.entry_of_factor, "step")[0], 4.0f);
}

TEST(Pipeline, GivesTheWeightsOfSingleCalls) {
  CompareWithSingleCalls<float, bf16_t>();
  CompareWithSingleCalls<half_t, half_t>();
}

/// Nothing changes but the scale, in any tensor, and the host has asked for nothing.
TEST(Pipeline, SkipsAStepOfAllTensors) {
  Model<half_t, half_t> model;
  model.Fill(1);
  model.optimizer.Step();
  const auto weights = model.weights, averages = model.averages;
  const auto copies = model.copies;
  const auto mean = [&] { return model.optimizer.State<2>(model.optimizer.size() - 1, "mean"); };
  const float before = mean()[0][0];
  model.Fill(2);
  model.grads[2].view[1][4] = half_t(std::numeric_limits<float>::infinity());
  model.optimizer.Step();
  EXPECT_TRUE(model.weights == weights);
  EXPECT_TRUE(model.averages == averages);
  EXPECT_TRUE(model.copies == copies);
  EXPECT_EQ(mean()[0][0], before);
  EXPECT_EQ(model.optimizer.State<1>(model.entry_of_factor, "step")[0], 1.0f);
  EXPECT_EQ(model.optimizer.State<1>(model.entry_of_factor, "scale")[0], 512.0f);
  EXPECT_EQ(model.optimizer.step(), 2);
  model.Fill(3);
  model.optimizer.Step();
  EXPECT_FALSE(model.weights == weights);
}

/// A checkpoint holds the scale, the step in memory, copies and averages.
TEST(Pipeline, IsSaved) {
  Model<float, bf16_t> whole, stopped, resumed;
  for (int step = 1; step <= 5; ++step) {
    whole.Fill(step);
    if (step == 2) whole.grads[0].view[0][0] = std::nanf("");
    whole.optimizer.Step();
    if (step > 3) continue;
    stopped.Fill(step);
    if (step == 2) stopped.grads[0].view[0][0] = std::nanf("");
    stopped.optimizer.Step();
  }
  Memory memory;
  stopped.optimizer.Save(memory);
  resumed.optimizer.Load(memory);
  for (int step = 4; step <= 5; ++step) {
    resumed.Fill(step);
    resumed.optimizer.Step();
  }
  EXPECT_TRUE(resumed.weights == whole.weights);
  EXPECT_TRUE(resumed.averages == whole.averages);
  EXPECT_TRUE(resumed.copies == whole.copies);
}

}  // namespace
}  // namespace optimizer_testing
