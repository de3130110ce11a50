// SPDX-License-Identifier: Apache-2.0
// An Optimizer gives the bits of single calls with states that the test keeps, for every shipped
// optimizer; and every misuse of one. Compiled twice: fused, and with MSHADOW_UNFUSED. Checkpoints
// are in optimizer_file_test.cc.
#include <gtest/gtest.h>
#include <mshadow/thread_pool.h>
#include <mshadow_specs.h>
#include <optimizer_rules.h>

#include <cmath>
#include <thread>

#include "optimizer_testing.h"

namespace optimizer_testing {
namespace {

TEST(Optimizer, UpdatesAsSingleCallsDo) {
  std::vector<Matrix<>> weights, grads, biases, bias_grads;
  std::vector<Matrix<half_t>> halves, half_grads;
  for (int i = 0; i < 40; ++i) {
    weights.emplace_back(1 + i % 5, 1 + i * i % 97, i, i % 3);
    grads.emplace_back(1 + i % 5, 1 + i * i % 97, i + 1);
    biases.emplace_back(1, 1 + i % 9, i);
    bias_grads.emplace_back(1, 1 + i % 9, i + 2);
  }
  for (int i = 0; i < 9; ++i) {
    halves.emplace_back(3, 11 + i, i);
    half_grads.emplace_back(3, 11 + i, i + 1);
  }
  auto expected = weights, expected_biases = biases;
  auto expected_halves = halves;
  std::vector<AdamStates> states, bias_states, half_states;
  for (const auto &weight : weights) states.emplace_back(weight.view.shape_);
  for (const auto &bias : biases) bias_states.emplace_back(bias.view.shape_);
  for (const auto &half : halves) half_states.emplace_back(half.view.shape_);

  Optimizer optimizer;
  auto adam = optimizer.Group<optim::AdamWRule>({{"decay", 0.125}});
  auto plain = optimizer.Group<optim::AdamWRule>({{"decay", 0}, {"beta1", 0.5}});
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(adam.Add(weights[i].view, grads[i].view), static_cast<int64_t>(2 * i));
    plain.Add(biases[i].view, bias_grads[i].view);
  }
  for (size_t i = 0; i < halves.size(); ++i) adam.Add(halves[i].view, half_grads[i].view);
  EXPECT_EQ(optimizer.size(), 89);
  const auto rate = [](int64_t step) { return 0.25 / static_cast<double>(step); };
  optimizer.Schedule("lr", rate);
  plain.Set("lr", 0.5);  // instead of the schedule
  for (int step = 1; step <= 4; ++step) {
    optimizer.Step();
    EXPECT_EQ(optimizer.step(), step);
    const float lr = static_cast<float>(rate(step));
    for (size_t i = 0; i < weights.size(); ++i) {
      states[i].Update(expected[i].view, grads[i].view, lr, 0.9f, 0.125f, step);
      bias_states[i].Update(expected_biases[i].view, bias_grads[i].view, 0.5f, 0.5f, 0, step);
    }
    for (size_t i = 0; i < halves.size(); ++i) {
      half_states[i].Update(expected_halves[i].view, half_grads[i].view, lr, 0.9f, 0.125f, step);
    }
    ASSERT_TRUE(weights == expected) << step;
    ASSERT_TRUE(biases == expected_biases) << step;
    ASSERT_TRUE(halves == expected_halves) << step;
  }
  const Tensor<cpu, 2> variance = optimizer.State<2>(0, "variance");
  EXPECT_EQ(variance.shape_, weights[0].view.shape_);
  EXPECT_EQ(variance[0][0], states[0].variance[0][0]);
}

/// A group that is made later begins at step 1; a schedule counts the optimizer's steps.
TEST(Optimizer, GroupsCountTheirOwnSteps) {
  Matrix<> a(2, 3, 1), b(2, 3, 2), grad(2, 3, 3);
  Matrix<> expected = b;
  AdamStates states(b.view.shape_);
  Optimizer optimizer;
  auto first = optimizer.Group<optim::AdamWRule>();
  first.Add(a.view, grad.view);
  optimizer.Step();
  optimizer.Step();
  auto second = optimizer.Group<optim::AdamWRule>({{"decay", 0}});
  second.Add(b.view, grad.view);
  std::vector<int64_t> asked;
  second.Schedule("lr", [&](int64_t step) {
    asked.push_back(step);
    return 0.5;
  });
  optimizer.Step();
  states.Update(expected.view, grad.view, 0.5f, 0.9f, 0, 1);
  EXPECT_TRUE(b == expected);
  EXPECT_EQ(asked, std::vector<int64_t>{3});
  EXPECT_EQ(first.step(), 3);
  EXPECT_EQ(second.step(), 1);
}

TEST(Optimizer, StatesBeginAsDeclared) {
  Matrix<> weight(3, 5, 1), grad(3, 5, 2);
  Optimizer optimizer;
  optimizer.Group<optim::NAdamRule>().Add(weight.view, grad.view);
  EXPECT_EQ(optimizer.State<2>(0, "exp_avg").shape_, Shape2(3, 5));
  EXPECT_EQ(optimizer.State<2>(0, "exp_avg")[2][4], 0.0f);
  EXPECT_EQ(optimizer.State<1>(0, "mu_product").shape_, Shape1(1));
  EXPECT_EQ(optimizer.State<1>(0, "mu_product")[0], 1.0f);
  Matrix<> other(3, 5, 1);
  optimizer.Group<optim::AdamMiniRule>().Add(other.view, grad.view);
  EXPECT_EQ(optimizer.State<1>(1, "row_mean").shape_, Shape1(3));
  Matrix<> third(3, 5, 1);
  optimizer.Group<optim::YogiRule>().Add(third.view, grad.view);
  EXPECT_EQ(optimizer.State<2>(2, "exp_avg_sq")[1][1], 1e-6f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(optimizer.State<1>(1, "row_mean").dptr_) % 64, 0u);
}

/// Not an optimizer: no parameter and no gradient, and states for the channels of images.
TEST(Optimizer, StatesBelongToChannels) {
  std::vector<float> in(2 * 3 * 4 * 5, 1.0f), out(in.size()), vectors(12, 1.0f);
  const auto image = [](std::vector<float> &memory) {
    return Tensor<cpu, 4>(memory.data(), mshadow::Shape4(2, 3, 4, 5));
  };
  const auto vector = [&](int i) { return Tensor<cpu, 1>(vectors.data() + 3 * i, Shape1(3)); };
  Optimizer optimizer;
  optimizer.Group<normalize::BatchNorm2dRule>().Add(image(out), vector(0), vector(1), image(in),
                                                    vector(2), vector(3));
  EXPECT_EQ(optimizer.State<1>(0, "running_var").shape_, Shape1(3));
  EXPECT_EQ(optimizer.State<1>(0, "running_var")[2], 1.0f);
}

TEST(Optimizer, PhasesRunInOrder) {
  Matrix<> weight(6, 7, 1), grad(6, 7, 2);
  Matrix<> expected = weight;
  std::vector<float> rows(6, 0.0f), columns(7, 0.0f);
  const Tensor<cpu, 1> row_mean(rows.data(), Shape1(6)), column_mean(columns.data(), Shape1(7));

  Optimizer optimizer;
  const int64_t a = optimizer.Group<optim::AdafactorRowsRule>().Add(grad.view);
  const int64_t b = optimizer.Group<optim::AdafactorColumnsRule>().Add(grad.view);
  optimizer.Then();
  optimizer.Group<optim::AdafactorRule>().Add(weight.view, optimizer.State<1>(a, "row_mean"),
                                              optimizer.State<1>(b, "column_mean"), grad.view);
  const auto beta2 = [](int64_t step) { return 1 - std::pow(static_cast<double>(step), -0.8); };
  optimizer.Schedule("beta2", beta2);
  for (int step = 1; step <= 3; ++step) {
    optimizer.Step();
    optim::AdafactorRows(row_mean, grad.view, static_cast<float>(beta2(step)));
    optim::AdafactorColumns(column_mean, grad.view, static_cast<float>(beta2(step)));
    optim::Adafactor(expected.view, row_mean, column_mean, grad.view);
    ASSERT_TRUE(weight == expected) << step;
  }
}

TEST(Optimizer, CopiesAreGiven) {
  Matrix<> weight(4, 9, 1);
  Matrix<bf16_t> copy(4, 9, 2), grad(4, 9, 3);
  Matrix<> expected = weight;
  Matrix<bf16_t> expected_copy = copy;
  Matrix<> momentum(4, 9, 0);
  momentum.view = 0.5f;
  Optimizer optimizer;
  optimizer.Group<state_rules::MasterMomentumRule>({{"lr", 0.25}})
      .Add(weight.view, copy.view, grad.view);
  for (int step = 1; step <= 3; ++step) {
    optimizer.Step();
    state_rules::MasterMomentum(expected.view, momentum.view, expected_copy.view, grad.view, 0.25f);
    ASSERT_TRUE(weight == expected) << step;
    ASSERT_TRUE(copy == expected_copy) << step;
  }
}

TEST(Optimizer, WritesTheStepIntoMemory) {
  Matrix<> a(2, 3, 1), b(4, 5, 2), a_grad(2, 3, 3), b_grad(4, 5, 4);
  Matrix<half_t> c(2, 9, 1), c_grad(2, 9, 2);
  Matrix<> expected = b;
  Matrix<half_t> expected_half = c;
  Optimizer optimizer;
  auto group = optimizer.Group<state_rules::ReadsStepRule>();
  group.Add(a.view, a_grad.view);
  group.Add(b.view, b_grad.view);
  group.Add(c.view, c_grad.view);
  for (int step = 1; step <= 3; ++step) {
    optimizer.Step();
    float number = static_cast<float>(step);
    const Tensor<cpu, 1> there(&number, Shape1(1));
    state_rules::ReadsStep(expected.view, b_grad.view, there);
    state_rules::ReadsStep(expected_half.view, c_grad.view, there);
    ASSERT_TRUE(b == expected) << step;
    ASSERT_TRUE(c == expected_half) << step;
  }
  EXPECT_EQ(optimizer.State<1>(0, "step").dptr_, optimizer.State<1>(2, "step").dptr_);
}

TEST(Optimizer, RulesMayCountThemselves) {
  Matrix<> weight(2, 3, 1), grad(2, 3, 2);
  float skip = 0;
  const Tensor<cpu, 1> skips(&skip, Shape1(1));
  Optimizer optimizer;
  optimizer.Group<state_rules::CountsStepsRule>().Add(weight.view, grad.view, skips);
  for (const float now : {0.0f, 1.0f, 0.0f, 1.0f, 1.0f}) {
    const Matrix<> before = weight;
    skip = now;
    optimizer.Step();
    EXPECT_EQ(weight == before, now == 1.0f);
  }
  EXPECT_EQ(optimizer.step(), 5);
  EXPECT_EQ(optimizer.State<1>(0, "step")[0], 2.0f);
}

TEST(Optimizer, ReplacesGradients) {
  Matrix<> weight(3, 4, 1), grad(3, 4, 2), other(3, 4, 5, 2), small(3, 3, 1);
  Matrix<> expected = weight;
  AdamStates states(weight.view.shape_);
  Optimizer optimizer;
  auto adam = optimizer.Group<optim::AdamWRule>({{"decay", 0}});
  const int64_t entry = adam.Add(weight.view, grad.view);
  optimizer.Step();
  states.Update(expected.view, grad.view, 0.001f, 0.9f, 0, 1);
  if (kFused) {  // unfused, an entry checks when it runs
    EXPECT_EQ(MessageOf([&] { optimizer.Replace(entry, "grad", small.view); }),
              "list entry 0: AdamW: argument 'grad': expected shape (3,4), the shape of "
              "'weight', got (3,3)");
  }
  optimizer.Replace(entry, "grad", other.view);
  optimizer.Step();
  states.Update(expected.view, other.view, 0.001f, 0.9f, 0, 2);
  EXPECT_TRUE(weight == expected);
  EXPECT_EQ(MessageOf([&] { optimizer.Replace(entry, "mean", other.view); }),
            "optimizer entry 0: AdamW: expected the name of a tensor that Add was given, got "
            "'mean'");
  EXPECT_EQ(MessageOf([&] { optimizer.Replace(7, "grad", other.view); }),
            "optimizer: expected an entry below 1, got 7");
}

TEST(Optimizer, NamesMisuse) {
  Matrix<> weight(3, 4, 1), grad(3, 4, 2), small(3, 3, 3);
  Optimizer optimizer;
  auto adam = optimizer.Group<optim::AdamWRule>();
  if (kFused) {  // unfused, an entry checks when it runs
    EXPECT_EQ(MessageOf([&] { adam.Add(weight.view, small.view); }),
              "list entry 0: AdamW: argument 'grad': expected shape (3,4), the shape of "
              "'weight', got (3,3)");
    EXPECT_EQ(optimizer.size(), 0);
  }
  adam.Add(weight.view, grad.view);
  EXPECT_EQ(MessageOf([&] { adam.Set("rate", 1); }),
            "AdamW: expected the name of a scalar, got 'rate'");
  EXPECT_EQ(MessageOf([&] { adam.Set("step", 1); }),
            "AdamW: the optimizer sets scalar 'step', which counts its steps: expected the name of "
            "another scalar");
  EXPECT_EQ(MessageOf([&] { optimizer.Schedule("rate", [](int64_t) { return 1.0; }); }),
            "optimizer: expected the name of a scalar of a group, got 'rate'");
  EXPECT_EQ(MessageOf([&] { optimizer.State<2>(0, "weight"); }),
            "optimizer entry 0: AdamW: expected the name of a state, got 'weight'");
  EXPECT_EQ(MessageOf([&] { optimizer.State<1, double>(0, "mean"); }),
            "optimizer entry 0: AdamW: state 'mean' is float32 (3,4): expected float32 of rank 2, "
            "got float64 of rank 1");
  EXPECT_EQ(MessageOf([&] {
              optimizer.Group<optim::SGDRule>({{"momentum", 1}});
            }),
            "SGD: expected the name of a scalar, got 'momentum'");
}

/// A checkpoint fits although a group was refused in between.
TEST(Optimizer, RefusedGroupsLeaveNoTrace) {
  Matrix<> weight(3, 4, 1), grad(3, 4, 2);
  Optimizer first, second;
  first.Group<optim::AdamWRule>({{"decay", 0.5}}).Add(weight.view, grad.view);
  EXPECT_THROW(second.Group<optim::SGDRule>({{"momentum", 1}}), Error);
  second.Group<optim::AdamWRule>({{"decay", 0.5}}).Add(weight.view, grad.view);
  Memory of_first, of_second;
  first.Save(of_first);
  second.Save(of_second);
  EXPECT_EQ(of_first.bytes, of_second.bytes);
  second.Load(of_first);
}

/// What a step refuses is not counted, and nothing is written.
TEST(Optimizer, StepsThatThrowDoNotCount) {
  Matrix<> weight(3, 4, 1), grad(3, 4, 2);
  Matrix<> expected = weight;
  AdamStates states(weight.view.shape_);
  Optimizer optimizer;
  auto adam = optimizer.Group<optim::AdamWRule>({{"decay", 0}});
  adam.Add(weight.view, grad.view);
  bool throws = true;
  adam.Schedule("lr", [&](int64_t) {
    if (throws) throw Error("no rate");
    return 0.5;
  });
  Memory before, after;
  optimizer.Save(before);
  EXPECT_EQ(MessageOf([&] { optimizer.Step(); }), "no rate");
  EXPECT_EQ(optimizer.step(), 0);
  EXPECT_EQ(adam.step(), 0);
  optimizer.Save(after);
  EXPECT_EQ(after.bytes, before.bytes);
  EXPECT_TRUE(weight == expected);
  throws = false;
  optimizer.Step();
  states.Update(expected.view, grad.view, 0.5f, 0.9f, 0, 1);
  EXPECT_TRUE(weight == expected);

  optimizer.Then();
  optimizer.Group<optim::SGDRule>().Add(weight.view, grad.view);
  optimizer.Group<optim::SGDRule>().Add(weight.view, grad.view);
  EXPECT_EQ(MessageOf([&] { optimizer.Step(); }),
            "list entry 0: SGD: argument 'weight': expected memory apart from that of other "
            "entries, got an overlap with list entry 1: SGD: argument 'weight', and one of them is "
            "written");
  EXPECT_EQ(optimizer.step(), 1);
  EXPECT_TRUE(weight == expected);  // of the first phase, too
}

/// The application's threads, which run all tasks of a step; the bits are those of one thread.
TEST(Optimizer, RunsInTheApplicationsThreads) {
  Matrix<> weight(600, 700, 1), grad(600, 700, 2);
  Matrix<> expected = weight;
  AdamStates states(weight.view.shape_);
  Optimizer optimizer;
  optimizer.Group<optim::AdamWRule>({{"decay", 0}}).Add(weight.view, grad.view);
  int tasks_run = 0;
  const auto run = [](void *pool, int tasks, void (*task)(const void *, int), const void *context) {
    *static_cast<int *>(pool) += tasks;
    std::vector<std::thread> threads;
    for (int i = 0; i < tasks; ++i) threads.emplace_back(task, context, i);
    for (std::thread &thread : threads) thread.join();
  };
  mshadow::SetThreadPool(run, &tasks_run, 3);
  mshadow::SetNumThreads(3);
  optimizer.Step();
  const int of_three = tasks_run;
  {
    const mshadow::ThreadLimit two(2);
    optimizer.Step();
  }
  const int of_two = tasks_run - of_three;
  mshadow::SetThreadPool(nullptr, nullptr, 0);
  mshadow::SetNumThreads(0);
  EXPECT_GT(of_two, 0);
  EXPECT_EQ(of_three * 2, of_two * 3);
  for (int step = 1; step <= 2; ++step) {
    const mshadow::ThreadLimit one(1);
    states.Update(expected.view, grad.view, 0.001f, 0.9f, 0, step);
  }
  EXPECT_TRUE(weight == expected);
}

#ifndef MSHADOW_UNFUSED  // nvcc compiles unfused rules for a GPU
/// A program without CUDA may name tensors of a GPU.
TEST(Optimizer, NeedsCudaForAGpu) {
  if (mshadow::cuda::IsBuilt()) GTEST_SKIP() << "the runtime is built with CUDA";
  const Tensor<mshadow::gpu, 2> there(nullptr, Shape2(3, 4));
  Matrix<> weight(3, 4, 1), grad(3, 4, 2);
  Optimizer optimizer;
  auto adam = optimizer.Group<optim::AdamWRule>();
  EXPECT_EQ(MessageOf([&] { adam.Add(there, there); }),
            "AdamW: expected a library built with CUDA, got one without");
  EXPECT_EQ(optimizer.size(), 0);
  optimizer.Step();
  adam.Add(weight.view, grad.view);
  optimizer.Step();
  EXPECT_EQ(MessageOf([&] { adam.Add(there, there); }),
            "optimizer entry 1: AdamW: argument 'weight': expected a tensor of the CPU, as entry 0 "
            "has, got one of a GPU");
}
#endif

/// A rule whose state no tensor gives a shape.
struct DeepRule {
  using Instances = mshadow::TypeList<mshadow::Types<float>>;
  static constexpr mshadow::ParamInfo kParams[] = {
      mshadow::ParamInfo::Tensor("weight").OfParam(0).Parameter().Written(),
      mshadow::ParamInfo::Tensor("deep", 3).Of<float>().State().Value(0.0).Written()};
  static constexpr mshadow::RuleInfo kInfo = mshadow::RuleInfo::Of("Deep", "toy", "toy.h", kParams);
  template <typename xpu, int dim, typename DType>
  static void Call(void *const *, const double *) {}
};

TEST(Optimizer, StatesWithoutAShapeAreRefused) {
  Matrix<> weight(3, 4, 1);
  Optimizer optimizer;
  EXPECT_EQ(MessageOf([&] { optimizer.Group<DeepRule>().Add(weight.view); }),
            "Deep: state 'deep': expected rank 1 or 2, the rank of the tensor that it belongs to, "
            "got rank 3");
}

TEST(Optimizer, HoldsManySmallStates) {
  std::vector<Matrix<>> weights, grads;
  for (int i = 0; i < 500; ++i) {
    weights.emplace_back(1, 1 + i % 30, i);
    grads.emplace_back(1, 1 + i % 30, i + 1);
  }
  weights.emplace_back(600, 700, 1);  // states of more than a block of memory
  grads.emplace_back(600, 700, 2);
  weights.emplace_back(0, 5, 1);
  grads.emplace_back(0, 5, 2);
  auto expected = weights;
  Optimizer optimizer;
  auto group = optimizer.Group<optim::SGDMomentumRule>({{"momentum", 0.5}});
  for (size_t i = 0; i < weights.size(); ++i) group.Add(weights[i].view, grads[i].view);
  for (int step = 1; step <= 2; ++step) optimizer.Step();
  for (size_t i = 0; i < weights.size(); ++i) {
    mshadow::TensorContainer<cpu, 2> buffer(weights[i].view.shape_, 0.0f);
    for (int step = 1; step <= 2; ++step) {
      optim::SGDMomentum(expected[i].view, buffer, grads[i].view, 0.1, 0.5, 0, 0, step);
    }
    ASSERT_TRUE(weights[i] == expected[i]) << i;
  }
}

}  // namespace
}  // namespace optimizer_testing
