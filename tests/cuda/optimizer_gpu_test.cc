// SPDX-License-Identifier: Apache-2.0
// An Optimizer on a GPU: the bits and the checkpoints of one on the CPU, graphs, and every misuse.
// What happens if CUDA fails is in optimizer_failures_gpu_test.cc.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/optim.h>
#include <mshadow/tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "captured_graph.h"
#include "cuda_list_rules.h"
#include "gpu_training.h"

namespace cuda_test {
namespace {

using mshadow_test::CapturedGraph;

TEST_F(OptimizerOnGpu, HasTheBitsOfTheCpu) {
  Training training(stream_);
  training.ExpectSame("at first");
  for (int step = 1; step <= 4; ++step) {
    fakecuda::ShuffleBlocks(static_cast<unsigned>(step));
    training.Step();
    training.ExpectSame("after step " + std::to_string(step));
  }
  training.on_cpu.Set("lr", 0.125);
  training.on_gpu.Set("lr", 0.125);
  training.Step();
  training.ExpectSame("with another rate");
}

/// The work of a step runs when something waits for it. So each step needs its own number in
/// memory, though the host is far ahead.
TEST_F(OptimizerOnGpu, AStepWaitsForNothing) {
  Both<> a(stream_, 3, 7, 1), b(stream_, 4, 9, 2), a_grad(stream_, 3, 7, 3),
      b_grad(stream_, 4, 9, 4);
  Optimizer on_cpu, on_gpu;
  on_cpu.Group<state_rules::ReadsStepRule>().Add(a.on_cpu, a_grad.on_cpu);
  on_cpu.Group<optim::LambRule>().Add(b.on_cpu, b_grad.on_cpu);
  on_gpu.Group<state_rules::ReadsStepRule>().Add(a.on_gpu.view, a_grad.on_gpu.view);
  on_gpu.Group<optim::LambRule>().Add(b.on_gpu.view, b_grad.on_gpu.view);
  const long before = fakecuda::KernelsRun();
  for (int step = 1; step <= 6; ++step) {
    on_cpu.Step();
    on_gpu.Step();
  }
  EXPECT_EQ(fakecuda::KernelsRun(), before);
  EXPECT_TRUE(a.AreSame() && b.AreSame());
  EXPECT_GT(fakecuda::KernelsRun(), before);
}

TEST_F(OptimizerOnGpu, StatesBeginAsDeclared) {
  Both<> master(stream_, 40, 50, 1);
  Both<bf16_t> copy(stream_, 40, 50, 2), grad(stream_, 40, 50, 3);
  Optimizer optimizer;
  const auto add = [&] {
    return optimizer.Group<state_rules::MasterMomentumRule>().Add(
        master.on_gpu.view, copy.on_gpu.view, grad.on_gpu.view);
  };
  const Tensor<gpu, 2> momentum = optimizer.State<gpu, 2>(add(), "momentum");
  EXPECT_EQ(momentum.shape_, master.on_gpu.view.shape_);
  EXPECT_EQ(momentum.stream_, stream_);
  std::vector<float> elements(2000);
  Copy(Tensor<cpu, 2>(elements.data(), momentum.shape_), momentum, stream_);
  stream_->Wait();
  EXPECT_EQ(elements, std::vector<float>(2000, 0.5f));
}

/// A rule of two stages that skips some updates. Only the GPU knows how many.
TEST_F(OptimizerOnGpu, RulesMayCountThemselves) {
  Both<> weight(stream_, 2, 3, 1), grad(stream_, 2, 3, 2), skip(stream_, 1, 1, 0);
  Optimizer on_cpu, on_gpu;
  on_cpu.Group<state_rules::CountsStepsRule>().Add(weight.on_cpu, grad.on_cpu, skip.on_cpu[0]);
  on_gpu.Group<state_rules::CountsStepsRule>().Add(weight.on_gpu.view, grad.on_gpu.view,
                                                   skip.on_gpu.view[0]);
  for (const float now : {0.0f, 1.0f, 0.0f, 1.0f}) {
    skip.on_cpu = now;
    skip.on_gpu.view = now;
    on_cpu.Step();
    on_gpu.Step();
  }
  EXPECT_EQ(on_cpu.State<1>(0, "step")[0], 2.0f);
  EXPECT_TRUE(weight.AreSame());
  EXPECT_EQ(CheckpointOf(on_gpu), CheckpointOf(on_cpu));
}

TEST_F(OptimizerOnGpu, ReplacesGradients) {
  Both<> weight(stream_, 3, 4, 1), grad(stream_, 3, 4, 2), other(stream_, 3, 4, 5, 2);
  Optimizer on_cpu, on_gpu;
  on_cpu.Group<optim::AdamWRule>().Add(weight.on_cpu, grad.on_cpu);
  on_gpu.Group<optim::AdamWRule>().Add(weight.on_gpu.view, grad.on_gpu.view);
  for (const Both<> *now : {&grad, &other, &grad}) {
    on_cpu.Replace(0, "grad", now->on_cpu);
    on_gpu.Replace(0, "grad", now->on_gpu.view);
    on_cpu.Step();
    on_gpu.Step();  // is not waited for: what is replaced may still be in use
  }
  EXPECT_TRUE(weight.AreSame());
  EXPECT_EQ(CheckpointOf(on_gpu), CheckpointOf(on_cpu));
}

TEST_F(OptimizerOnGpu, GroupsCountTheirOwnSteps) {
  Both<> a(stream_, 2, 3, 1), b(stream_, 2, 3, 2), grad(stream_, 2, 3, 3);
  Optimizer on_cpu, on_gpu;
  const auto train = [&](Optimizer *optimizer, auto device) {
    using Device = decltype(device);
    auto first = optimizer->Group<state_rules::ReadsStepRule>();
    first.Add(a.On<Device>(), grad.On<Device>());
    optimizer->Step();
    optimizer->Step();
    auto second = optimizer->Group<state_rules::ReadsStepRule>({{"lr", 0.5}});
    second.Add(b.On<Device>(), grad.On<Device>());
    optimizer->Step();
    EXPECT_EQ(first.step(), 3);
    EXPECT_EQ(second.step(), 1);
  };
  train(&on_cpu, cpu());
  train(&on_gpu, gpu());
  EXPECT_TRUE(a.AreSame() && b.AreSame());
}

/// What a process saved before it was killed goes on in another one, on either device.
TEST_F(OptimizerOnGpu, ResumesOnEitherDevice) {
  constexpr int kSteps = 5, kSaved = 2;
  Training expected(stream_);
  for (int step = 1; step <= kSteps; ++step) expected.Step();
  std::string from_cpu, from_gpu;
  {
    Training killed(stream_);
    for (int step = 1; step <= kSaved; ++step) killed.Step();
    from_cpu = CheckpointOf(killed.on_cpu);
    from_gpu = CheckpointOf(killed.on_gpu);
    killed.Step();  // is lost
  }
  EXPECT_EQ(from_cpu, from_gpu);
  Training resumed(stream_);
  Load(&resumed.on_cpu, from_gpu);
  Load(&resumed.on_gpu, from_cpu);
  resumed.ExpectSame("when it goes on");
  for (int step = kSaved + 1; step <= kSteps; ++step) resumed.Step();
  resumed.ExpectSame("at the end");
  EXPECT_EQ(CheckpointOf(resumed.on_gpu), CheckpointOf(expected.on_cpu));
}

/// Tensors that are copied in several pieces: whole, of rows, and of parts of rows.
TEST_F(OptimizerOnGpu, CopiesLargeTensors) {
  std::vector<std::unique_ptr<Both<>>> weights, grads;
  const struct {
    index_t rows, cols, pad;
  } shapes[] = {{1, 700000, 0}, {2, 300001, 3}, {300, 901, 1}, {3, 0, 0}};
  for (const auto &[rows, cols, pad] : shapes) {
    weights.push_back(std::make_unique<Both<>>(stream_, rows, cols, 1, pad));
    grads.push_back(std::make_unique<Both<>>(stream_, rows, cols, 2, pad));
  }
  Optimizer on_cpu, on_gpu;
  auto adam = on_cpu.Group<optim::AdamWRule>(), adam_on_gpu = on_gpu.Group<optim::AdamWRule>();
  for (size_t i = 0; i < weights.size(); ++i) {
    adam.Add(weights[i]->on_cpu, grads[i]->on_cpu);
    adam_on_gpu.Add(weights[i]->on_gpu.view, grads[i]->on_gpu.view);
  }
  EXPECT_EQ(CheckpointOf(on_gpu), CheckpointOf(on_cpu));
  for (size_t i = 0; i < weights.size(); ++i) {
    const Tensor<cpu, 2> mean = on_cpu.State<2>(static_cast<int64_t>(i), "mean");
    for (index_t y = 0; y < mean.size(0); ++y) {
      for (index_t x = 0; x < mean.size(1); ++x) {
        mean[y][x] = static_cast<float>(x);
        weights[i]->on_cpu[y][x] = static_cast<float>(y - x);
      }
    }
  }
  Load(&on_gpu, CheckpointOf(on_cpu));
  EXPECT_TRUE(stream_->CheckIdle());
  for (const auto &weight : weights) EXPECT_TRUE(weight->AreSame());
  EXPECT_EQ(CheckpointOf(on_gpu), CheckpointOf(on_cpu));
}

TEST_F(OptimizerOnGpu, RefusesAWrongStream) {
  Both<> weight(stream_, 3, 4, 1), wide(stream_, 3, 5, 1), grad(stream_, 3, 4, 2);
  Optimizer on_gpu, other;
  on_gpu.Group<optim::AdamWRule>().Add(weight.on_gpu.view, grad.on_gpu.view);
  other.Group<optim::AdamWRule>().Add(wide.on_cpu, wide.on_cpu);
  on_gpu.Step();
  const std::string before = CheckpointOf(on_gpu);
  EXPECT_EQ(MessageOf([&] { Load(&on_gpu, CheckpointOf(other)); }),
            "Optimizer::Load: entry 0: tensor 'weight': expected float32 (3,4), got float32 (3,5)");
  std::string damaged = before;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_NE(MessageOf([&] { Load(&on_gpu, damaged); }).find("the stream is damaged"),
            std::string::npos);
  EXPECT_EQ(CheckpointOf(on_gpu), before);
}

TEST_F(OptimizerOnGpu, RefusesTensorsThatAreElsewhere) {
  Both<> weight(stream_, 3, 4, 1), grad(stream_, 3, 4, 2), other(stream_, 3, 4, 3);
  Optimizer on_gpu, on_cpu;
  auto adam = on_gpu.Group<optim::AdamWRule>(), adam_on_cpu = on_cpu.Group<optim::AdamWRule>();
  adam.Add(weight.on_gpu.view, grad.on_gpu.view);
  adam_on_cpu.Add(weight.on_cpu, grad.on_cpu);
  on_gpu.Then();
  auto later = on_gpu.Group<optim::LambRule>();
  const int live = fakecuda::LiveObjects();
  EXPECT_EQ(MessageOf([&] { later.Add(other.on_cpu, grad.on_cpu); }),
            "optimizer entry 1: Lamb: argument 'weight': expected a tensor of a GPU, as entry 0 "
            "has, got one of the CPU");
  EXPECT_EQ(MessageOf([&] { adam_on_cpu.Add(other.on_gpu.view, grad.on_gpu.view); }),
            "optimizer entry 1: AdamW: argument 'weight': expected a tensor of the CPU, as entry 0 "
            "has, got one of a GPU");
  EXPECT_EQ(MessageOf([&] { on_gpu.Replace(0, "grad", other.on_cpu); }),
            "optimizer entry 0: AdamW: argument 'grad': expected a tensor of a GPU, as entry 0 "
            "has, got one of the CPU");
  Tensor<gpu, 2> elsewhere = grad.on_gpu.view;
  elsewhere.stream_ = nullptr;
  EXPECT_EQ(MessageOf([&] { later.Add(other.on_gpu.view, elsewhere); }),
            "optimizer entry 1: Lamb: argument 'grad': expected the stream of entry 0, got another "
            "one");
  EXPECT_EQ(
      MessageOf([&] { on_gpu.Replace(0, "grad", elsewhere); }),
      "optimizer entry 0: AdamW: argument 'grad': expected the stream of entry 0, got another one");
  EXPECT_EQ(MessageOf([&] { on_gpu.State<2>(0, "mean"); }),
            "optimizer entry 0: AdamW: state 'mean': expected a view for a GPU, got one for the "
            "CPU");
  EXPECT_EQ(MessageOf([&] { on_cpu.State<gpu, 2>(0, "mean"); }),
            "optimizer entry 0: AdamW: state 'mean': expected a view for the CPU, got one for a "
            "GPU");
  EXPECT_EQ(fakecuda::LiveObjects(), live);
  EXPECT_EQ(on_gpu.size(), 1);
  on_gpu.Step();
  on_cpu.Step();
  EXPECT_TRUE(weight.AreSame());
}

/// What a refused entry took is given back, and begins as 0 for the next one.
TEST_F(OptimizerOnGpu, ARefusedEntryLeavesNothing) {
  Both<> master(stream_, 7, 6, 3), large(stream_, 600, 700, 1), small(stream_, 3, 3, 2);
  Both<bf16_t> copy(stream_, 7, 6, 1), short_grad(stream_, 7, 6, 2), narrow(stream_, 7, 5, 2);
  Optimizer on_cpu, on_gpu;
  const auto add = [&](Optimizer *optimizer, auto device) {
    using Device = decltype(device);
    auto momentum = optimizer->Group<state_rules::MasterMomentumRule>();
    auto adam = optimizer->Group<optim::AdamWRule>();
    EXPECT_NE(MessageOf([&] {
                momentum.Add(master.On<Device>(), copy.On<Device>(), narrow.On<Device>());
              }),
              "");
    EXPECT_EQ(optimizer->size(), 0);
    momentum.Add(master.On<Device>(), copy.On<Device>(), short_grad.On<Device>());
    const int live = fakecuda::LiveObjects();
    EXPECT_NE(MessageOf([&] { adam.Add(large.On<Device>(), small.On<Device>()); }), "");
    EXPECT_EQ(fakecuda::LiveObjects(), live);
    EXPECT_NE(MessageOf([&] {
                momentum.Add(master.On<Device>(), copy.On<Device>(), narrow.On<Device>());
              }),
              "");
    adam.Add(small.On<Device>(), small.On<Device>());
  };
  add(&on_cpu, cpu());
  add(&on_gpu, gpu());
  EXPECT_EQ(on_cpu.State<2>(1, "mean")[0][0], 0.0f);
  EXPECT_EQ(CheckpointOf(on_gpu), CheckpointOf(on_cpu));
}

TEST_F(OptimizerOnGpu, RunsOnTheDeviceOfItsStream) {
  Stream<gpu> *const stream = mshadow::NewStream<gpu>(false, false, 1);
  {
    const mshadow::cuda::DeviceScope scope(1);
    Training training(stream);
    Both<> weight(nullptr, 3, 4, 1), grad(nullptr, 3, 4, 2);
    Optimizer on_cpu, on_default;
    on_cpu.Group<state_rules::ReadsStepRule>().Add(weight.on_cpu, grad.on_cpu);
    auto group = on_default.Group<state_rules::ReadsStepRule>();
    group.Add(weight.on_gpu.view, grad.on_gpu.view);
    on_default.Step();
    on_cpu.Step();
    {
      const mshadow::cuda::DeviceScope other(0);
      training.Step();
      training.ExpectSame("of another device");
      EXPECT_EQ(MessageOf([&] { on_default.Step(); }),
                "optimizer: expected the current device to be 1, which has the optimizer's "
                "tensors, got 0");
      EXPECT_EQ(MessageOf([&] { group.Add(grad.on_gpu.view, weight.on_gpu.view); }),
                "optimizer entry 1: ReadsStep: argument 'weight': expected the current device to "
                "be 1, which has the optimizer's tensors, got 0");
      EXPECT_EQ(on_default.step(), 1);
      const std::string checkpoint = CheckpointOf(on_default);
      EXPECT_EQ(checkpoint, CheckpointOf(on_cpu));
      Load(&on_default, checkpoint);
    }
    EXPECT_TRUE(weight.AreSame());
  }
  mshadow::DeleteStream(stream);
}

/// A graph keeps the scalars of the step that it captured. A rule that counts itself goes on.
TEST_F(OptimizerOnGpu, AGraphMayCaptureAStep) {
  Both<> weight(stream_, 3, 5, 1), grad(stream_, 3, 5, 2), skip(stream_, 1, 1, 0);
  Both<> counted(stream_, 3, 5, 3);
  skip.on_cpu = 0.0f;
  skip.on_gpu.view = 0.0f;
  Optimizer on_cpu, on_gpu;
  on_cpu.Group<optim::AdamWRule>().Add(weight.on_cpu, grad.on_cpu);
  on_cpu.Group<state_rules::CountsStepsRule>().Add(counted.on_cpu, grad.on_cpu, skip.on_cpu[0]);
  on_gpu.Group<optim::AdamWRule>().Add(weight.on_gpu.view, grad.on_gpu.view);
  on_gpu.Group<state_rules::CountsStepsRule>().Add(counted.on_gpu.view, grad.on_gpu.view,
                                                   skip.on_gpu.view[0]);
  on_cpu.Step();
  on_gpu.Step();
  {
    CapturedGraph graph(stream_);
    on_gpu.Step();
    const std::string end =
        "expected a stream that no CUDA graph captures, got one that a graph captures";
    EXPECT_EQ(MessageOf([&] { CheckpointOf(on_gpu); }), "Optimizer::Save: " + end);
    EXPECT_EQ(MessageOf([&] { Load(&on_gpu, CheckpointOf(on_cpu)); }), "Optimizer::Load: " + end);
    EXPECT_EQ(MessageOf([&] {
                on_gpu.Group<state_rules::ReadsStepRule>().Add(skip.on_gpu.view, grad.on_gpu.view);
              }),
              "optimizer entry 2: ReadsStep: " + end);
    graph.Run(3);
  }
  EXPECT_EQ(on_gpu.step(), 2);
  for (int run = 1; run <= 3; ++run) {
    optim::AdamW(weight.on_cpu, on_cpu.State<2>(0, "mean"), on_cpu.State<2>(0, "variance"),
                 grad.on_cpu, 0.001f, 0.9f, 0.999f, 1e-8f, 0.01f, 2);
    state_rules::CountsSteps(counted.on_cpu, on_cpu.State<2>(1, "sum"), grad.on_cpu,
                             on_cpu.State<1>(1, "step"), skip.on_cpu[0]);
  }
  EXPECT_EQ(on_cpu.State<1>(1, "step")[0], 4.0f);
  EXPECT_TRUE(weight.AreSame() && counted.AreSame());
}

TEST_F(OptimizerOnGpu, AGraphCannotCaptureTheNumberOfAStep) {
  Both<> weight(stream_, 3, 5, 1), grad(stream_, 3, 5, 2);
  Optimizer on_gpu;
  on_gpu.Group<state_rules::ReadsStepRule>().Add(weight.on_gpu.view, grad.on_gpu.view);
  on_gpu.Step();
  const CapturedGraph graph(stream_);
  EXPECT_EQ(MessageOf([&] { on_gpu.Step(); }),
            "optimizer: ReadsStep reads the number of the step from a tensor, which the host "
            "writes: expected a stream that no CUDA graph captures, got one that a graph captures");
  EXPECT_EQ(on_gpu.step(), 1);
}

TEST_F(OptimizerOnGpu, AGraphCannotCaptureCopies) {
  Both<> weight(stream_, 3, 5, 1), grad(stream_, 3, 5, 2), other(stream_, 3, 5, 3);
  Optimizer on_gpu;
  on_gpu.Group<optim::AdamWRule>().Add(weight.on_gpu.view, grad.on_gpu.view);
  on_gpu.Step();
  on_gpu.Replace(0, "grad", other.on_gpu.view);
  const CapturedGraph graph(stream_);
  EXPECT_EQ(MessageOf([&] { on_gpu.Step(); }),
            "list: a captured run cannot copy what has changed to the GPU: call Check() of the "
            "list, or Step() of the optimizer, before the capture");
  EXPECT_EQ(on_gpu.step(), 1);
}

}  // namespace
}  // namespace cuda_test
