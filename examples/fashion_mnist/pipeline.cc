// SPDX-License-Identifier: Apache-2.0
#include "pipeline.h"

#include <fashion_mnist_rules.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "random.h"

namespace demo {
namespace {

using mshadow::cpu;
using mshadow::Shape1;
using mshadow::Tensor;

/// Milliseconds of the fastest of some calls.
template <typename Function>
double Milliseconds(const Function &f) {
  constexpr int kRounds = 20;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, 1e3 * taken.count());
  }
  return best;
}

/// Single calls with the results of the pipeline: each is a pass over memory.
class SingleCalls {
 public:
  explicit SingleCalls(Pipeline *pipeline) : pipeline_(*pipeline) {
    for (const Pipeline::Layer &layer : pipeline_.layers) {
      means_.emplace_back(layer.weight.shape_, 0.0f);
      variances_.emplace_back(layer.weight.shape_, 0.0f);
    }
  }

  /// Bytes for each element, in the order of the calls.
  static constexpr int kBytes = 8 + 4 + 8 + 8 + 28 + 6 + 12, kPasses = 7;

  void Step() {
    using mshadow::expr::tcast;
    float total = 0.0f;
    const Tensor<cpu, 1> norm(&total, Shape1(1));
    for (Pipeline::Layer &layer : pipeline_.layers) {
      layer.grad *= 1.0f / pipeline_.scale[0];
      optim::AddSquaredNorm(norm, layer.grad);
    }
    if (!std::isfinite(total)) return;
    ++step_;
    auto mean = means_.begin(), variance = variances_.begin();
    for (Pipeline::Layer &layer : pipeline_.layers) {
      optim::ClipByNorm(layer.grad, norm);
      blas1::Clip(layer.grad, layer.grad);
      optim::AdamW(layer.weight, *mean++, *variance++, layer.grad, 0.001f, 0.9f, 0.999f, 1e-8f,
                   0.01f, step_);
      layer.copy = tcast<mshadow::bfloat::bf16_t>(layer.weight);
      blas1::Axpby(layer.average, layer.weight, 0.001f, 0.999f);
    }
  }

 private:
  Pipeline &pipeline_;
  std::list<Buffer> means_, variances_;
  int step_ = 0;
};

void PrintTimes(const char *what, const std::vector<mshadow::Shape<2>> &shapes) {
  std::list<Buffer> weights, grads;
  Pipeline pipeline;
  Random random(7);
  for (const mshadow::Shape<2> &shape : shapes) {
    weights.emplace_back(shape);
    grads.emplace_back(shape);
    for (mshadow::index_t y = 0; y < shape[0]; ++y) {
      for (mshadow::index_t x = 0; x < shape[1]; ++x) {
        weights.back()[y][x] = random.Symmetric();
        grads.back()[y][x] = random.Symmetric();
      }
    }
    pipeline.Add(weights.back(), grads.back());
  }
  mshadow::Optimizer optimizer;
  FusedKernels().add_pipeline(&pipeline, &optimizer);
  pipeline.scale = 1.0f;  // single calls unscale gradients in place, at last to nothing
  SingleCalls single(&pipeline);
  const double fused = Milliseconds([&] { optimizer.Step(); });
  const double calls = Milliseconds([&] { single.Step(); });
  std::printf("  %-24s %9.3f ms %9.3f ms %9.2f x\n", what, fused, calls, calls / fused);
}

}  // namespace

void Pipeline::Add(Matrix weight, Matrix grad) {
  layers.emplace_back();
  Layer &layer = layers.back();
  layer.weight = weight;
  layer.grad = grad;
  layer.average.Resize(weight.shape_);
  layer.copy.Resize(weight.shape_);
  mshadow::Copy(layer.average, weight);
}

void PrintPipeline() {
  const int bytes = optim::GradientSquaresRule::kInfo.bytes + optim::PipelineAdamWRule::kInfo.bytes;
  std::printf(
      "\n  a step of AdamW with mixed precision: %d bytes for each element in 2 passes, "
      "against %d in %d\n  %-24s %12s %12s %11s\n",
      bytes, SingleCalls::kBytes, SingleCalls::kPasses, "", "pipeline", "single calls", "");
  using mshadow::Shape2;
  PrintTimes("the network", {Shape2(784, 256), Shape2(1, 256), Shape2(256, 128), Shape2(1, 128),
                             Shape2(128, 10), Shape2(1, 10)});
  PrintTimes("one tensor of 8 M el.", {Shape2(2048, 4096)});
}

}  // namespace demo
