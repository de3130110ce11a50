// SPDX-License-Identifier: Apache-2.0
// An Optimizer on a GPU while CUDA fails: each call of CUDA fails once.
#include <fake_cuda.h>
#include <gtest/gtest.h>

#include <string>

#include "cuda_list_rules.h"
#include "gpu_training.h"

namespace cuda_test {
namespace {

/// Layers of each kind of group: a test with many failures takes long with more.
constexpr int kFewLayers = 3;

/// Call number \p call of CUDA in \p action fails. \returns whether the action threw
template <typename Action>
bool Fails(int call, const Action &action) {
  bool has_failed = false;
  fakecuda::FailCall(call, cudaErrorUnknown);
  try {
    action();
  } catch (const mshadow::Error &) {
    has_failed = true;
  }
  fakecuda::ClearFaults();
  return has_failed;
}

TEST_F(OptimizerOnGpu, EveryFailingCallOfAddIsReported) {
  int call = 1;
  for (bool has_failed = true; has_failed; ++call) {
    Both<> master(stream_, 7, 6, 3), weight(stream_, 3, 4, 1), grad(stream_, 3, 4, 2);
    Both<bf16_t> copy(stream_, 7, 6, 1), short_grad(stream_, 7, 6, 2);
    Optimizer on_cpu, on_gpu;
    on_cpu.Group<state_rules::MasterMomentumRule>().Add(master.on_cpu, copy.on_cpu,
                                                        short_grad.on_cpu);
    on_cpu.Group<state_rules::ReadsStepRule>().Add(weight.on_cpu, grad.on_cpu);
    auto momentum = on_gpu.Group<state_rules::MasterMomentumRule>();
    auto reads_step = on_gpu.Group<state_rules::ReadsStepRule>();
    const auto add = [&] {
      if (on_gpu.size() == 0) {
        momentum.Add(master.on_gpu.view, copy.on_gpu.view, short_grad.on_gpu.view);
      }
      reads_step.Add(weight.on_gpu.view, grad.on_gpu.view);
    };
    has_failed = Fails(call, add);
    if (has_failed) add();
    EXPECT_EQ(on_gpu.size(), 2);
    for (int step = 1; step <= 2; ++step) {
      on_cpu.Step();
      on_gpu.Step();
    }
    EXPECT_TRUE(master.AreSame() && copy.AreSame() && weight.AreSame()) << call;
  }
  EXPECT_GT(call, 5);
}

/// A step that fails before the first launch does not count, and nothing has changed. A later
/// failure may leave parts of the model updated: the program loads a checkpoint.
TEST_F(OptimizerOnGpu, EveryFailingCallOfStepIsReported) {
  for (const int steps : {0, 1}) {  // the first step copies tables, the second does not
    int call = 1, counted = 0;
    for (bool has_failed = true; has_failed; ++call) {
      Training training(stream_, kFewLayers);
      for (int step = 1; step <= steps; ++step) training.Step();
      const std::string before = CheckpointOf(training.on_cpu);
      stream_->Wait();
      const long kernels = fakecuda::KernelsRun();
      has_failed = Fails(call, [&] { training.on_gpu.Step(); });
      stream_->Wait();
      const bool has_begun = fakecuda::KernelsRun() > kernels;
      EXPECT_EQ(training.on_gpu.step(), has_begun ? steps + 1 : steps) << call;
      if (has_failed) {
        counted += has_begun;
        if (has_begun) Load(&training.on_gpu, before);
        EXPECT_EQ(CheckpointOf(training.on_gpu), before) << call;
        training.on_gpu.Step();
      }
      training.on_cpu.Step();
      training.ExpectSame("after call " + std::to_string(call));
    }
    EXPECT_GT(call, 20);
    EXPECT_GT(counted, 0);
  }
}

TEST_F(OptimizerOnGpu, EveryFailingCallOfSaveIsReported) {
  Training training(stream_, kFewLayers);
  training.Step();
  const std::string expected = CheckpointOf(training.on_cpu);
  int call = 1;
  while (Fails(call, [&] { CheckpointOf(training.on_gpu); })) {
    EXPECT_EQ(CheckpointOf(training.on_gpu), expected) << call;
    ++call;
  }
  EXPECT_GT(call, 20);
  training.Step();
  training.ExpectSame("after all failures");
}

/// Steps and scalars stay as they were, and Load may be called again.
TEST_F(OptimizerOnGpu, EveryFailingCallOfLoadIsReported) {
  Training saved(stream_, kFewLayers);
  for (int step = 1; step <= 2; ++step) saved.Step();
  const std::string checkpoint = CheckpointOf(saved.on_cpu);
  int call = 1;
  for (bool has_failed = true; has_failed; ++call) {
    Training training(stream_, kFewLayers);
    has_failed = Fails(call, [&] { Load(&training.on_gpu, checkpoint); });
    if (has_failed) {
      EXPECT_EQ(training.on_gpu.step(), 0);
      Load(&training.on_gpu, checkpoint);
    }
    EXPECT_EQ(CheckpointOf(training.on_gpu), checkpoint) << call;
    training.on_gpu.Step();
    training.on_cpu.Step();
  }
  EXPECT_GT(call, 20);
}

}  // namespace
}  // namespace cuda_test
