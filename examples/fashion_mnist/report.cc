// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <numeric>

#include "optimizer.h"
#include "random.h"

namespace demo {
namespace {

using mshadow::ParamInfo;

/// Tensors and scalars for one rule, known only by what it says of itself.
class Call {
 public:
  Call(const Rule &rule, int rows, int cols) {
    Random random(42);
    for (const ParamInfo &param : *rule.info) {
      if (!param.is_tensor) {
        scalars_.push_back(param.has_value ? param.value : 1.0);
        continue;
      }
      const int height = param.rank == 1 ? 1 : rows;
      const int width = param.is_single ? 1 : param.is_per_row ? rows : cols;
      buffers_.emplace_back(mshadow::Shape2(height, width));
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const float any = 1.5f + random.Symmetric();
          buffers_.back()[y][x] = param.is_index ? static_cast<float>(x % cols) : any;
        }
      }
    }
    for (Buffer &buffer : buffers_) vectors_.push_back(buffer[0]);
    size_t i = 0;
    for (const ParamInfo &param : *rule.info) {
      if (!param.is_tensor) continue;
      tensors_.push_back(param.rank == 1 ? static_cast<void *>(&vectors_[i])
                                         : static_cast<Matrix *>(&buffers_[i]));
      ++i;
    }
  }

  /// Seconds for each of \p times calls.
  double Time(const Rule &rule, int times) const {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) rule.call(tensors_.data(), scalars_.data());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / times;
  }

 private:
  std::vector<Buffer> buffers_;
  std::vector<Vector> vectors_;
  std::vector<void *> tensors_;
  std::vector<double> scalars_;
};

/// Time of `unfused` divided by that of `fused`: both in turn, the best of each.
double SpeedUp(const Rule &fused, const Rule &unfused, int rows, int cols) {
  constexpr int kRounds = 9;
  const Call call(fused, rows, cols);
  const double once = std::max(call.Time(unfused, 1), 1e-7);
  const int times = std::clamp(static_cast<int>(1e-3 / once), 1, 1000);
  double best_fused = std::numeric_limits<double>::infinity(), best_unfused = best_fused;
  for (int round = 0; round < kRounds; ++round) {
    best_fused = std::min(best_fused, call.Time(fused, times));
    best_unfused = std::min(best_unfused, call.Time(unfused, times));
  }
  return best_unfused / best_fused;
}

void PrintSpeedUp(const std::string &name, int rows, int cols) {
  constexpr int kLargeRows = 2048, kLargeCols = 4096;
  const Rule &fused = *FindRule(FusedKernels().rules, name);
  const Rule &unfused = *FindRule(UnfusedKernels().rules, name);
  const mshadow::RuleInfo &info = *fused.info;
  std::printf("  %-24s %10d %5d -> %d %8d -> %-3d %9.2f x %9.2f x\n", info.name, info.statements,
              info.unfused_passes, info.passes, info.unfused_bytes, info.bytes,
              SpeedUp(fused, unfused, rows, cols), SpeedUp(fused, unfused, kLargeRows, kLargeCols));
}

}  // namespace

void PrintOptimizers(const Kernels &kernels) {
  for (const Rule &rule : kernels.rules) {
    if (!IsOptimizer(*rule.info)) continue;
    std::printf("%-18s", rule.info->name);
    for (const ParamInfo &param : *rule.info) {
      if (param.role == mshadow::Role::kHyper) std::printf(" %s=%g", param.name, param.value);
    }
    std::printf("\n");
  }
}

void PrintClasses(const Confusion &confusion) {
  std::printf("\n  class         images   right   most often taken for\n");
  for (int i = 0; i < kClasses; ++i) {
    const int images = std::accumulate(confusion[i].begin(), confusion[i].end(), 0);
    auto row = confusion[i];
    row[i] = -1;
    const int other = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
    std::printf("  %-12s %7d  %6.2f%%  %s (%d)\n", kClassNames[i], images,
                100.0 * confusion[i][i] / std::max(images, 1), kClassNames[other], row[other]);
  }
}

void PrintSpeedUps(const std::string &optimizer) {
  std::printf(
      "\n                                      passes over     bytes per      fused against unfused"
      "\n  rule                     statements    memory          element   in the net  8 M el."
      "\n");
  PrintSpeedUp("BiasRelu", kBatch, 256);
  PrintSpeedUp("BiasReluGrad", kBatch, 256);
  PrintSpeedUp("BiasAdd", kBatch, kClasses);
  PrintSpeedUp("SoftmaxCrossEntropyTrain", kBatch, kClasses);
  PrintSpeedUp(optimizer, kPixels, 256);
}

}  // namespace demo
