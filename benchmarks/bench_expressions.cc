// SPDX-License-Identifier: Apache-2.0
// The unfused path: expressions against a loop by hand and Eigen, in turn in one process, on the
// same buffers and threads; a time is the least of all rounds. Before it is timed a peer's result
// is compared with the expression's.
#include <mshadow/expr/op_extra.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "expressions.h"
#include "options.h"

namespace mshadow_bench {
namespace {

using namespace mshadow;        // NOLINT: as the users of expressions write
using namespace mshadow::expr;  // NOLINT

struct clip {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType bound) {
    if (a > bound) return bound;
    if (a < -bound) return -bound;
    return a;
  }
};
struct square_root {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    return DType(sqrtf(static_cast<float>(a)));
  }
};

struct Case {
  const char *name;
  std::function<void()> run;
  float *result;
  int64_t count;  ///< elements of the result
};

/// The expressions, on the buffers.
std::vector<Case> Cases(const Buffers &b) {
  const index_t rows = Buffers::kRows, height = Buffers::kHeight, channels = Buffers::kChannels;
  const index_t images = Buffers::kBatch * channels;
  const Tensor<cpu, 1> flat_x(b.x, Shape1(Buffers::kSize)), flat_z(b.z, flat_x.shape_);
  const Tensor<cpu, 2> x(b.x, Shape2(rows, rows)), z(b.z, x.shape_),
      half(b.x, Shape2(rows, rows / 2));
  const Tensor<cpu, 3> x3(b.x, Shape3(images, height, height));
  const Tensor<cpu, 4> x4(b.x, Shape4(Buffers::kBatch, channels, height, height));
  const Tensor<cpu, 2> by(b.z, Shape2(images, height));
  const Tensor<cpu, 1> mean(b.v, Shape1(channels)), slope(b.w, Shape1(channels));
  const Tensor<cpu, 1> index(b.index, Shape1(rows));
  Tensor<cpu, 1> flat_y(b.y, flat_x.shape_), v(b.v, Shape1(rows)), c(b.v, Shape1(channels));
  Tensor<cpu, 2> y(b.y, x.shape_), y2(b.y, by.shape_), grad(b.y, Shape2(rows, rows / 2));
  Tensor<cpu, 3> y3(b.y, x3.shape_);
  Tensor<cpu, 4> y4(b.y, x4.shape_);
  const int64_t all = Buffers::kSize, kept = images * height;
  return {
      {"sgd_1d", [=]() mutable { flat_y -= 0.1f * (flat_x + 0.01f * flat_z); }, b.y, all},
      {"user_op_clip", [=]() mutable { flat_y = F<clip>(flat_x, 0.5f) * F<clip>(flat_z, 0.1f); },
       b.y, all},
      {"exp", [=]() mutable { flat_y = F<op::exp>(flat_x); }, b.y, all},
      {"sigmoid_of_a_sum", [=]() mutable { flat_y = F<op::sigmoid>(flat_x + flat_z); }, b.y, all},
      {"sum_rows", [=]() mutable { v = sum_rows(x); }, b.v, rows},
      {"sumall_except_dim_0", [=]() mutable { v = sumall_except_dim<0>(x); }, b.v, rows},
      {"sumall_except_dim_1", [=]() mutable { c = 0.5f * sumall_except_dim<1>(x4); }, b.v,
       channels},
      {"broadcast_with_axis_middle",
       [=]() mutable { y3 = x3 / broadcast_with_axis(by, 0, height); }, b.y, all},
      {"broadcast_with_axis_last", [=]() mutable { y3 = x3 / broadcast_with_axis(by, 1, height); },
       b.y, all},
      {"reduce_with_axis_middle", [=]() mutable { y2 = reduce_with_axis<red::sum, false>(x3, 1); },
       b.y, kept},
      {"reduce_with_axis_last", [=]() mutable { y2 = reduce_with_axis<red::sum, false>(x3, 2); },
       b.y, kept},
      {"broadcast_of_reduction",
       [=]() mutable {
         y = x - broadcast_with_axis(reduce_with_axis<red::sum, false>(x, 1), 0, rows);
       },
       b.y, all},
      {"batch_norm",
       [=]() mutable {
         y4 = broadcast<1>(slope, y4.shape_) * (x4 - broadcast<1>(mean, y4.shape_)) /
                  F<square_root>(broadcast<1>(mean + 1e-3f, y4.shape_)) +
              broadcast<1>(mean, y4.shape_);
       },
       b.y, all},
      {"take_grad", [=]() mutable { grad = take_grad(index, half, rows); }, b.y, all / 2},
      {"one_hot", [=]() mutable { y = one_hot_encode(index, rows); }, b.y, all},
      {"complex_product", [=]() mutable { y = complex_mul_cc(x, z); }, b.y, all},
      {"swapaxis", [=]() mutable { y4 = swapaxis<2, 1>(x4); }, b.y, all}};
}

struct Memory {
  std::vector<float> x, y, z, v, w, index;
  Memory() : x(Buffers::kSize), y(x.size()), z(x.size()), v(Buffers::kRows), w(v.size()), index(v) {
    Reset();
  }
  /// Numbers around 1, in no order; nothing that arithmetic is slow on.
  void Reset() {
    unsigned state = 1;
    for (std::vector<float> *buffer : {&x, &y, &z, &v, &w}) {
      for (float &value : *buffer) {
        state = state * 1664525 + 1013904223;
        value = 0.5f + static_cast<float>(state >> 8) * 0x1p-24f;
      }
    }
    for (size_t i = 0; i < index.size(); ++i) index[i] = static_cast<float>(i * 37 % index.size());
  }
  Buffers buffers() { return {x.data(), y.data(), z.data(), v.data(), w.data(), index.data()}; }
};

double SecondsOf(const std::function<void()> &run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Whether a peer computes what the expression does, but for the order of sums.
bool Agrees(const Case &expression, const std::function<void()> &peer, Memory *memory) {
  memory->Reset();
  expression.run();
  const std::vector<float> want(expression.result, expression.result + expression.count);
  memory->Reset();
  peer();
  for (size_t i = 0; i < want.size(); ++i) {
    const float error = std::fabs(expression.result[i] - want[i]);
    if (!(error <= 1e-4f * std::max(1.0f, std::fabs(want[i])))) return false;
  }
  return true;
}

std::function<void()> Find(const std::vector<ExpressionPeer> &peers, const Buffers &buffers,
                           const std::string &name) {
  for (const ExpressionPeer &peer : peers) {
    if (peer.name == name) return [run = peer.run, buffers] { run(buffers); };
  }
  return nullptr;
}

/// Seconds of each: the expression, and its peers where there is one.
std::vector<double> Measure(const std::vector<std::function<void()>> &contenders, int rounds) {
  std::vector<double> least(contenders.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < contenders.size(); ++i) {
      if (!contenders[i]) continue;
      contenders[i]();
      least[i] = std::min(least[i], SecondsOf(contenders[i]));
    }
  }
  return least;
}

std::string Cell(double ratio) {
  if (std::isinf(ratio)) return "      -";
  char text[16];
  std::snprintf(text, sizeof(text), "%7.2f", ratio);
  return text;
}

int Main(int argc, char **argv) {
  const Options options = ParseOptions(argc, argv);
  SetNumThreads(options.threads);
  Memory memory;
  const Buffers buffers = memory.buffers();
  nlohmann::json rows = nlohmann::json::array();
  std::printf(
      "%d threads. Ratios: time of the other / time of the expression.\n%-28s %10s %7s %7s\n",
      NumThreads(), "expression", "ms", "hand", "eigen");
  for (const Case &expression : Cases(buffers)) {
    const std::string name = expression.name;
    if (name.find(options.filter) == std::string::npos) continue;
    const std::vector<std::function<void()>> contenders = {expression.run,
                                                           Find(HandExpressions(), buffers, name),
                                                           Find(EigenExpressions(), buffers, name)};
    for (size_t i = 1; i < contenders.size(); ++i) {
      if (contenders[i] && !Agrees(expression, contenders[i], &memory)) {
        std::fprintf(stderr, "bench_expressions: a peer of %s computes something else\n",
                     name.c_str());
        return 1;
      }
    }
    memory.Reset();
    const std::vector<double> seconds = Measure(contenders, options.rounds);
    std::printf("%-28s %10.3f %s %s\n", name.c_str(), seconds[0] * 1e3,
                Cell(seconds[1] / seconds[0]).c_str(), Cell(seconds[2] / seconds[0]).c_str());
    std::fflush(stdout);
    rows.push_back({{"expression", name}, {"seconds", seconds[0]}});
    if (contenders[1]) rows.back()["ratio_hand"] = seconds[1] / seconds[0];
    if (contenders[2]) rows.back()["ratio_eigen"] = seconds[2] / seconds[0];
  }
  if (rows.empty()) {
    std::fprintf(stderr, "bench_expressions: no expression's name contains '%s'\n",
                 options.filter.c_str());
    return 1;
  }
  if (options.json.empty()) return 0;
  std::ofstream file(options.json);
  file << rows.dump(1) << "\n";
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "bench_expressions: cannot write '%s'\n", options.json.c_str());
  return 1;
}

}  // namespace
}  // namespace mshadow_bench

int main(int argc, char **argv) { return mshadow_bench::Main(argc, argv); }
