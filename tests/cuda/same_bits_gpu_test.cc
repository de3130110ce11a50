// SPDX-License-Identifier: Apache-2.0
// Every rule and instance gives the same bits in four ways: by its kernel, by kernels of its
// statements, and by the CPU fused and unfused; rules with matrix products in the first two.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/emitted/leaves.h>

#include <algorithm>
#include <optional>
#include <set>

#include "arguments.h"
#include "gpu_call.h"
#include "gpu_time.h"

namespace mshadow_test {
namespace {

struct Ways {
  RuleEntry unfused, fused, gpu_fused, gpu_unfused;
};

std::vector<Ways> AllRules() {
  const RuleTable unfused = UnfusedRules(), fused = FusedRules();
  const RuleTable gpu_fused = GpuFusedRules(), gpu_unfused = GpuUnfusedRules();
  EXPECT_FALSE(gpu_fused.empty());
  EXPECT_EQ(gpu_fused.size(), gpu_unfused.size());
#ifndef MSHADOW_TEST_SOME_ON_GPU  // otherwise the CPU's table has more, in the same order
  EXPECT_EQ(unfused.size(), gpu_fused.size());
#endif
  std::vector<Ways> rules;
  size_t next = 0;
  for (const RuleEntry &entry : unfused) {
    if (next == gpu_fused.size() || entry.Name() != gpu_fused[next].Name()) continue;
    EXPECT_EQ(entry.Name(), gpu_unfused[next].Name());
    rules.push_back({entry, fused[next], gpu_fused[next], gpu_unfused[next]});
    ++next;
  }
  EXPECT_EQ(next, gpu_fused.size());
  return rules;
}

/// "" or which way differs, and where. `everywhere`: by the slower ways too.
std::string Compare(const Ways &ways, const Layout &layout, uint64_t seed, bool everywhere) {
  // BLAS and cuBLAS add in different orders: what has products is compared on the GPU alone.
  const bool has_products = ways.unfused.info->products > 0;
  const RuleEntry &reference = has_products ? ways.gpu_unfused : ways.unfused;
  everywhere = everywhere && !has_products;
  Arguments want(reference, layout);
  mshadow::SetLeavesBytes(seed % 3 == 0 ? -1 : 0);
  want.Fill(seed % 4 == 3 ? Data::kTame : Data::kMixed, seed);
  want.PickScalars(seed);
  const Arguments before = want.Clone();
  try {
    want.Call(reference);
  } catch (const mshadow::Error &) {
    if (layout.rows * layout.cols > 0) throw;
    return "";  // an index of an empty row, which a GPU does not refuse
  }
  const auto run = [&](const char *way, const RuleEntry &rule) -> std::string {
    Arguments got = before.Clone();
    got.Call(rule);
    const std::string difference = got.Difference(want);
    if (difference.empty()) return "";
    return std::string(way) + " " + rule.Name() + ", " + std::to_string(layout.rows) + " x " +
           std::to_string(layout.cols) + ", pad " + std::to_string(layout.pad) + ", offset " +
           std::to_string(layout.offset) + ", seed " + std::to_string(seed) + ": " + difference;
  };
  std::string difference = run("kernel of", ways.gpu_fused);
  if (everywhere && difference.empty()) difference = run("fused on the CPU,", ways.fused);
  if (everywhere && difference.empty() && ways.gpu_unfused.call[layout.dim] != nullptr) {
    difference = run("unfused kernels of", ways.gpu_unfused);
  }
  return difference;
}

/// The ranks, from `least` on, that all ways have: the CPU's tables leave some out.
std::vector<int> DimsOf(const Ways &ways, int least) {
  std::vector<int> dims;
  for (int dim : ways.gpu_fused.Dims(least)) {
    if (ways.unfused.call[dim] != nullptr) dims.push_back(dim);
  }
  return dims;
}

TEST(SameBitsOnGpu, SmallSizes) {
  for (const Ways &ways : AllRules()) {
    const std::vector<int> dims = DimsOf(ways, 1);
    for (const int size : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 255, 300}) {
      Layout layout;
      layout.dim = dims[static_cast<size_t>(size) % dims.size()];
      layout.cols = size;
      // Moved by an odd number of elements no vector is aligned: the other kernel.
      layout.offset = size % 3 == 1 ? size % 5 : 0;
      ASSERT_EQ(Compare(ways, layout, static_cast<uint64_t>(size), true), "");
    }
  }
}

TEST(SameBitsOnGpu, PaddedRows) {
  for (const Ways &ways : AllRules()) {
    const std::vector<int> dims = DimsOf(ways, 2);
    for (int i = 0; i < 8; ++i) {
      Layout layout;
      layout.dim = dims[static_cast<size_t>(i) % dims.size()];
      layout.rows = 1 + 9 * i;
      layout.cols = 1 + 37 * (i % 4);
      layout.pad = i % 2 == 0 ? 16 - static_cast<int>(layout.cols % 16) : i;
      layout.offset = i % 4 == 3 ? 1 : 0;
      ASSERT_EQ(Compare(ways, layout, 1000u + static_cast<uint64_t>(i), i < 4), "");
    }
  }
}

// Columns of more leaves than a team has slots, and without elements.
TEST(SameBitsOnGpu, ManyRows) {
  for (const Ways &ways : AllRules()) {
    for (const int rows : {0, 1025}) {
      Layout layout;
      layout.rows = rows;
      layout.cols = 5;
      ASSERT_EQ(Compare(ways, layout, static_cast<uint64_t>(rows), false), "");
    }
  }
}

// Few columns of so many leaves that rows are shared out in parts.
TEST(SameBitsOnGpu, RowsInParts) {
  for (const Ways &ways : AllRules()) {
    if (ways.unfused.types != std::vector<int>{mshadow::kFloat32}) continue;
    Layout layout;
    layout.rows = 2100;
    layout.cols = 20;
    ASSERT_EQ(Compare(ways, layout, 7, false), "");
  }
}

bool MayHaveChannels(const RuleEntry &rule) {
  return std::any_of(rule.info->begin(), rule.info->end(),
                     [](const mshadow::ParamInfo &param) { return param.rank > 2; });
}

// Few channels of so many leaves that these are shared out in parts; planes that are one row, and
// planes of padded rows.
TEST(SameBitsOnGpu, ChannelsInParts) {
  for (const Ways &ways : AllRules()) {
    if (ways.unfused.types != std::vector<int>{mshadow::kFloat32}) continue;
    if (!MayHaveChannels(ways.unfused)) continue;
    for (const int pad : {0, 5}) {
      Layout layout;
      layout.rows = 12;
      layout.cols = 17003;
      layout.pad = pad;
      ASSERT_EQ(Compare(ways, layout, 7, false), "");
    }
  }
}

/// Each way of \p twice gives what two calls give.
void ExpectSameTwice(const RuleTable &twice, const char *way) {
  const RuleTable kernels = GpuFusedRules();
  ASSERT_EQ(kernels.size(), twice.size());
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].call[2] == nullptr || twice[i].call[2] == nullptr) continue;
    const bool in_parts = kernels[i].types == std::vector<int>{mshadow::kFloat32};
    for (const auto &[rows, cols] : {std::pair{9, 40}, {2100, 3}, {4, 17003}}) {
      if (rows * cols > 360 && !in_parts) continue;
      if (cols > 40 && !MayHaveChannels(kernels[i])) continue;
      Layout layout;
      layout.rows = rows;
      layout.cols = cols;
      ASSERT_EQ(CompareTwice(kernels[i], twice[i], way, layout), "") << twice[i].Name();
    }
  }
}

// Launches neither wait nor allocate, so that a graph may have them.
TEST(SameBitsOnGpu, ByGraph) { ExpectSameTwice(GpuGraphRules(), "by a graph"); }

#ifdef MSHADOW_TEST_GPU_LISTS
TEST(SameBitsOnGpu, ByList) {
  fakecuda::ShuffleBlocks(1);
  ExpectSameTwice(GpuListRules(), "by a list");
  fakecuda::ShuffleBlocks(0);
}
#endif

TEST(SameBitsOnGpu, MoreElementsThanThreads) {
  // A launch on the small device has 8192 threads at most: each goes round several times.
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  for (const Ways &ways : AllRules()) {
    if (ways.unfused.types != std::vector<int>{mshadow::kFloat32}) continue;
    for (const int rows : {1, 3}) {
      Layout layout;
      layout.rows = rows;
      layout.cols = 18757;
      ASSERT_EQ(Compare(ways, layout, 7, false), "");
    }
  }
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(SameBitsOnGpu, NothingIsLeftBehind) { EXPECT_EQ(fakecuda::LiveObjects(), 0); }

/// Calls a rule with copies of these tensors on the device, of which it frees what it has.
class OnDevice {
 public:
  OnDevice(const RuleEntry &rule, const Arguments &arguments) : rule_(rule), arguments_(arguments) {
    for (const auto &tensor : arguments.tensors()) tensors_.push_back(tensor->tensor());
    device_.emplace(*rule.info, rule.types, 2, tensors_.data());
  }
  void Call() { rule_.call[2](device_->tensors(), arguments_.scalars().data()); }
  void CopyBack() { device_->CopyBack(); }

 private:
  const RuleEntry &rule_;
  const Arguments &arguments_;
  std::vector<void *> tensors_;
  std::optional<DeviceArguments> device_;
};

/// "" or what is wrong when call `number` of CUDA fails while a rule is launched.
std::string FailOnce(const RuleEntry &rule, const Arguments &given, int number) {
  // Releases have nobody to tell, nor has the return to the previous device.
  static const std::set<std::string> silent = {"cudaFree", "cudaSetDevice"};
  const Arguments copy = given.Clone();
  OnDevice device(rule, copy);
  fakecuda::FailCall(number, cudaErrorLaunchFailure);
  std::string message;
  try {
    device.Call();
  } catch (const mshadow::Error &error) {
    message = error.what();
  }
  const std::string failed = fakecuda::FailedCall();
  fakecuda::ClearFaults();
  const std::string at = rule.Name() + ", call " + std::to_string(number) + ", " + failed + ": ";
  if (failed.empty()) return at + "was not made";
  if (message.empty()) return silent.count(failed) == 1 ? "" : at + "is not reported";
  const bool names_rule = message.find(rule.info->name) != std::string::npos;
  return failed != "Launch" || names_rule ? "" : at + "the rule is not named: " + message;
}

// Each call of CUDA during a launch fails once: the launch says so, and the next one is right.
TEST(SameBitsOnGpu, EveryFailingCallIsReported) {
  const int live = fakecuda::LiveObjects();
  const mshadow::RuleInfo *previous = nullptr;
  for (const RuleEntry &rule : GpuRawRules()) {
    if (rule.info == previous || rule.call[2] == nullptr) continue;  // a rule's first instance
    previous = rule.info;
    Layout layout;
    layout.rows = 8;  // halves of any dimension have elements
    layout.cols = 20;
    Arguments given(rule, layout);
    given.Fill(Data::kTame, 3);
    given.PickScalars(3);
    const Arguments want = given.Clone(), got = given.Clone();
    int calls = 0;
    for (int round = 0; round < 2; ++round) {  // some things are asked of a device only once
      const Arguments copy = given.Clone();
      OnDevice device(rule, round == 0 ? want : copy);
      fakecuda::ClearFaults();
      device.Call();
      calls = fakecuda::Calls();
      device.CopyBack();
    }
    ASSERT_GT(calls, 0) << rule.Name();
    for (int number = 1; number <= calls; ++number) ASSERT_EQ(FailOnce(rule, given, number), "");
    OnDevice device(rule, got);
    device.Call();
    device.CopyBack();
    ASSERT_EQ(got.Difference(want), "") << rule.Name();
  }
  EXPECT_EQ(fakecuda::LiveObjects(), live);
}

}  // namespace
}  // namespace mshadow_test
