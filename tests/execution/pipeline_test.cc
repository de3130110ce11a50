// SPDX-License-Identifier: Apache-2.0
// The pipelines of specs/optim/pipeline.h in an Optimizer: the weights are those of passes that
// unscale, clip, update, convert and average, one after the other. Compiled twice, as
// optimizer_test.cc.
#include <gtest/gtest.h>
#include <mshadow/expr/op_extra.h>
#include <mshadow_specs.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "optimizer_testing.h"

namespace optimizer_testing {
namespace {

/// A rule of the second pass, and the rule of the same optimizer that does nothing else.
template <typename SecondRule, typename SingleRule, bool has_bias>
struct Rules {
  using Second = SecondRule;
  using Single = SingleRule;
  static constexpr bool kHasBias = has_bias;
};
using SGDMomentum = Rules<optim::PipelineSGDMomentumRule, optim::SGDMomentumRule, false>;
using Adam = Rules<optim::PipelineAdamRule, optim::AdamRule, true>;
using AdamW = Rules<optim::PipelineAdamWRule, optim::AdamWRule, true>;
using Lion = Rules<optim::PipelineLionRule, optim::LionRule, false>;

constexpr double kRate = 0.001, kDecay = 0.125;

/// A model, and the values that its pipeline keeps in memory.
template <typename OptimizerRules, typename GType, typename CType>
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
    entry_of_factor = factors.Add(One(&factor), One(&taken), One(&norm),
                                  Tensor<cpu, 1>(squares.data(), Shape1(kLayers)));
    optimizer.Then();
    AddBias();
    auto second = optimizer.Group<typename OptimizerRules::Second>(
        {{"lr", kRate}, {"decay", kDecay}, {"clip", 0.0625}, {"ema", 0.5}});
    Tensor<cpu, 1> scale = Scale();
    scale = 1024.0f;  // for gradients in half_t
    for (size_t i = 0; i < kLayers; ++i) {
      first.Add(One(&squares[i]), grads[i].view, scale);
      AddLayer(&second, i);
    }
  }

  Tensor<cpu, 1> Scale() { return optimizer.State<1>(entry_of_factor, "scale"); }
  Tensor<cpu, 1> Step() { return optimizer.State<1>(entry_of_factor, "step"); }

  void Fill(int step) {
    const float scale = Scale()[0];
    for (size_t i = 0; i < kLayers; ++i) {
      const Matrix<> fresh(grads[i].view.size(0), grads[i].view.size(1), step + 3);
      for (size_t k = 0; k < fresh.memory.size(); ++k) {
        grads[i].memory[k] = GType(scale * (fresh.memory[k] - 0.5f));
      }
    }
  }

 private:
  void AddBias() {
    if constexpr (OptimizerRules::kHasBias) {
      optimizer.Group<optim::AdamBiasRule>().Add(One(&inv_bias1), One(&inv_bias2), Step());
      optimizer.Then();
    }
  }

  template <typename Group>
  void AddLayer(Group *group, size_t i) {
    if constexpr (OptimizerRules::kHasBias) {
      group->Add(weights[i].view, averages[i].view, copies[i].view, grads[i].view, One(&factor),
                 One(&taken), One(&inv_bias1), One(&inv_bias2));
    } else {
      group->Add(weights[i].view, averages[i].view, copies[i].view, grads[i].view, One(&factor),
                 One(&taken));
    }
  }
};

/// The same training with a pass for each part of a step.
template <typename M, typename SingleRule, typename CType>
class Passes {
 public:
  explicit Passes(const M &model)
      : weights_(model.weights), averages_(model.averages), copies_(model.copies) {
    auto group = optimizer_.Group<SingleRule>({{"lr", kRate}, {"decay", kDecay}});
    for (const Matrix<> &weight : weights_) {
      grads_.emplace_back(weight.view.size(0), weight.view.size(1), 0);
    }
    for (size_t i = 0; i < grads_.size(); ++i) group.Add(weights_[i].view, grads_[i].view);
  }

  /// Unscales the gradients of the model; the sum of their squares.
  float Unscale(const M &model, float scale) {
    using namespace mshadow::expr;  // NOLINT
    float total = 0;
    for (size_t i = 0; i < grads_.size(); ++i) {
      grads_[i].view = tcast<float>(model.grads[i].view) / scale;
      optim::AddSquaredNorm(M::One(&total), grads_[i].view);
    }
    return total;
  }

  void Step(float total) {
    using namespace mshadow::expr;  // NOLINT
    for (Matrix<> &grad : grads_) {
      optim::ClipByNorm(grad.view, M::One(&total), 0.75f);
      grad.view = F<mshadow::op::clip>(grad.view, 0.0625f);
    }
    optimizer_.Step();
    for (size_t i = 0; i < grads_.size(); ++i) {
      copies_[i].view = tcast<CType>(weights_[i].view);
      averages_[i].view = averages_[i].view * 0.5f + weights_[i].view * 0.5f;
    }
  }

  void Compare(const M &model, int step) const {
    for (size_t i = 0; i < weights_.size(); ++i) {
      for (size_t k = 0; k + 1 < weights_[i].memory.size(); ++k) {
        ASSERT_NEAR(model.weights[i].memory[k], weights_[i].memory[k], 1e-6) << step;
        ASSERT_NEAR(model.averages[i].memory[k], averages_[i].memory[k], 1e-6) << step;
        EXPECT_EQ(static_cast<float>(model.copies[i].memory[k]),
                  static_cast<float>(CType(model.weights[i].memory[k])));
      }
    }
  }

 private:
  std::vector<Matrix<>> weights_, averages_, grads_;
  std::vector<Matrix<CType>> copies_;
  Optimizer optimizer_;
};

template <typename OptimizerRules>
class Pipeline : public testing::Test {
 protected:
  template <typename GType, typename CType>
  static void CompareWithPasses() {
    using M = Model<OptimizerRules, GType, CType>;
    M model;
    Passes<M, typename OptimizerRules::Single, CType> passes(model);
    for (int step = 1; step <= 4; ++step) {
      model.Fill(step);
      const float total = passes.Unscale(model, model.Scale()[0]);
      model.optimizer.Step();
      ASSERT_FLOAT_EQ(model.norm, std::sqrt(total));
      passes.Step(total);
      passes.Compare(model, step);
    }
    EXPECT_EQ(model.Step()[0], 4.0f);
  }
};
using Optimizers = testing::Types<SGDMomentum, Adam, AdamW, Lion>;
TYPED_TEST_SUITE(Pipeline, Optimizers);

TYPED_TEST(Pipeline, GivesTheWeightsOfManyPasses) {
  this->template CompareWithPasses<float, bf16_t>();
  this->template CompareWithPasses<half_t, half_t>();
}

/// Nothing changes but the scale, in any tensor, and the host has asked for nothing.
TYPED_TEST(Pipeline, SkipsAStepOfAllTensors) {
  Model<TypeParam, half_t, half_t> model;
  model.Fill(1);
  model.optimizer.Step();
  const auto weights = model.weights, averages = model.averages;
  const auto copies = model.copies;
  const char *state = std::is_same_v<TypeParam, SGDMomentum> ? "momentum_buffer" : "mean";
  const auto mean = [&] {
    return model.optimizer.template State<2>(model.optimizer.size() - 1, state);
  };
  const float before = mean()[0][0];
  EXPECT_NE(before, 0.0f);
  model.Fill(2);
  model.grads[2].view[1][4] = half_t(std::numeric_limits<float>::infinity());
  model.optimizer.Step();
  EXPECT_TRUE(model.weights == weights);
  EXPECT_TRUE(model.averages == averages);
  EXPECT_TRUE(model.copies == copies);
  EXPECT_EQ(mean()[0][0], before);
  EXPECT_EQ(model.Step()[0], 1.0f);
  EXPECT_EQ(model.Scale()[0], 512.0f);
  EXPECT_EQ(model.optimizer.step(), 2);
  model.Fill(3);
  model.optimizer.Step();
  EXPECT_FALSE(model.weights == weights);
}

/// A checkpoint holds the scale, the step in memory, copies and averages.
TYPED_TEST(Pipeline, IsSaved) {
  Model<TypeParam, float, bf16_t> whole, stopped, resumed;
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
