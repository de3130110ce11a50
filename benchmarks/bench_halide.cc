// SPDX-License-Identifier: Apache-2.0
// bench_halide [ROUNDS]: rules beside the same functions as pipelines of Halide, which
// halide_pipelines.py schedules and compiles ahead of time. One thread, in turn in this process, in
// place where the rule is. Prints Halide's time over that of the rule and of the rule with
// --numerics=fast, and each side's worst error: the distance to the result in double, in units of
// the last place of that result; of layer_norm and adamw of the largest of it and of gain and bias,
// or of the weight before. The exit status is 1 if a side computes something else.
#include <HalideBuffer.h>
#include <adamw.gen.h>
#include <elementary.gen.h>
#include <fast/adamw.gen.h>
#include <fast/elementary.gen.h>
#include <fast/gelu.gen.h>
#include <fast/layer_norm.gen.h>
#include <fast/silu.gen.h>
#include <fast/softmax.gen.h>
#include <gelu.gen.h>
#include <halide_adamw.h>
#include <halide_exp.h>
#include <halide_gelu.h>
#include <halide_layer_norm.h>
#include <halide_log.h>
#include <halide_silu.h>
#include <halide_softmax.h>
#include <layer_norm.gen.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>
#include <silu.gen.h>
#include <softmax.gen.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../tests/packet/ulp.h"

namespace {

using namespace mshadow;
using Image = Halide::Runtime::Buffer<float>;
using Floats = TensorContainer<cpu, 2, float>;
using Clock = std::chrono::steady_clock;

constexpr index_t kColumns = 1000;
// Of the greatest result: more than roundings of a float, less than another formula.
constexpr double kBound = 1e-5;

/// Rows of random numbers, normal ones, or those between two bounds.
Floats Random(index_t rows, index_t columns, unsigned seed, double low = 0, double high = 0) {
  Floats made(Shape2(rows, columns), 0.0f, false);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(static_cast<float>(low), static_cast<float>(high));
  for (index_t i = 0; i < rows * columns; ++i) {
    made.dptr_[i] = low < high ? uniform(random) : normal(random);
  }
  return made;
}

/// The same memory for Halide.
Image AsRow(const Floats &x) { return Image(x.dptr_, static_cast<int>(x.shape_.Size())); }
Image AsRows(const Floats &x) {
  return Image(x.dptr_, static_cast<int>(x.size(1)), static_cast<int>(x.size(0)));
}

void Check(int status) {
  if (status != 0) std::exit(1);
}

/// A way to compute a function.
struct Side {
  std::function<void()> run;
  const Floats *out;
};

/// A function to compute on three sides: by the rule, by the rule with --numerics=fast, by Halide.
struct Case {
  std::string name;
  index_t elements;
  std::vector<Side> sides;
  std::vector<double> exact = {};  ///< the result of each element
  std::vector<double> sizes = {};  ///< in units of whose last place an error is given

  void Add(double result, double size = 0) {
    exact.push_back(result);
    sizes.push_back(std::max(std::fabs(result), size));
  }
};

double SecondsOf(const std::function<void()> &run, int calls) {
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < calls; ++i) run();
  return std::chrono::duration<double>(Clock::now() - begin).count() / calls;
}

/// The worst error in units of the last place.
double WorstError(const Case &c, const Floats &out) {
  double worst = 0;
  for (size_t i = 0; i < c.exact.size(); ++i) {
    worst = std::max(worst, packet_test::UlpError(out.dptr_[i], c.exact[i], c.sizes[i]));
  }
  return worst;
}

bool IsRight(const Case &c, const Floats &out) {
  double size = 0, worst = 0;
  for (size_t i = 0; i < c.exact.size(); ++i) {
    size = std::max(size, std::fabs(c.exact[i]));
    const double error = std::fabs(out.dptr_[i] - c.exact[i]);
    if (!(error <= worst)) worst = error;  // NaN, too
  }
  return worst <= kBound * size;
}

/// Each side once, for the errors, then in turn.
bool Compare(const Case &c, int rounds) {
  std::vector<double> errors, least(c.sides.size(), 1e9);
  bool right = true;
  for (const Side &side : c.sides) {
    side.run();
    errors.push_back(WorstError(c, *side.out));
    right &= IsRight(c, *side.out);
  }
  const int calls = std::max(1, static_cast<int>(1e-3 / SecondsOf(c.sides[0].run, 10)));
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < least.size(); ++i) {
      least[i] = std::min(least[i], SecondsOf(c.sides[i].run, calls));
    }
  }
  std::printf("%-10s %9lld %9.3f %8.2f %8.2f %10.3g %9.3g %9.3g%s\n", c.name.c_str(),
              static_cast<long long>(c.elements), least[0] / static_cast<double>(c.elements) * 1e9,
              least[2] / least[0], least[2] / least[1], errors[0], errors[1], errors[2],
              right ? "" : "  DIFFERENT");
  std::fflush(stdout);
  return right;
}

/// A function of each element, between two bounds.
using ElementRule = void (*)(Floats &out, const Floats &in);

bool CompareElements(const std::string &name, index_t elements, double low, double high,
                     ElementRule rule, ElementRule fast,
                     int (*pipeline)(halide_buffer_t *, halide_buffer_t *), double (*exact)(double),
                     int rounds) {
  const Floats in = Random(1, elements, 1, low, high);
  std::vector<Floats> outs(3, Floats(in.shape_, 0.0f, false));
  Image from = AsRow(in), to = AsRow(outs[2]);
  Case c{name,
         elements,
         {{[&] { rule(outs[0], in); }, &outs[0]},
          {[&] { fast(outs[1], in); }, &outs[1]},
          {[&] { Check(pipeline(from, to)); }, &outs[2]}}};
  for (index_t i = 0; i < elements; ++i) c.Add(exact(in.dptr_[i]));
  return Compare(c, rounds);
}

bool CompareSoftmax(index_t rows, int rounds) {
  const Floats in = Random(rows, kColumns, 2);
  std::vector<Floats> outs(3, Floats(in.shape_, 0.0f, false));
  Image from = AsRows(in), to = AsRows(outs[2]);
  Case c{"softmax",
         rows * kColumns,
         {{[&] { activation::Softmax(outs[0], in); }, &outs[0]},
          {[&] { fast::activation::Softmax(outs[1], in); }, &outs[1]},
          {[&] { Check(halide_softmax(from, to)); }, &outs[2]}}};
  for (index_t row = 0; row < rows; ++row) {
    double total = 0;
    for (index_t i = 0; i < kColumns; ++i) total += std::exp(static_cast<double>(in[row][i]));
    for (index_t i = 0; i < kColumns; ++i) {
      c.Add(std::exp(static_cast<double>(in[row][i])) / total);
    }
  }
  return Compare(c, rounds);
}

bool CompareLayerNorm(index_t rows, int rounds) {
  constexpr float kEps = 1e-5f;
  const Floats in = Random(rows, kColumns, 3), gain = Random(1, kColumns, 4);
  const Floats bias = Random(1, kColumns, 5);
  std::vector<Floats> outs(3, Floats(in.shape_, 0.0f, false));
  Floats mean(Shape2(1, rows), 0.0f, false), inv_std(Shape2(1, rows), 0.0f, false);
  Image from = AsRows(in), to = AsRows(outs[2]), factors = AsRow(gain), summands = AsRow(bias);
  const auto ours = [&](const auto &rule, Floats &out) {
    rule(out, mean[0], inv_std[0], in, gain[0], bias[0], kEps);
  };
  const auto strict = [](auto &&...args) { normalize::LayerNorm(args...); };
  const auto fast = [](auto &&...args) { fast::normalize::LayerNorm(args...); };
  Case c{"layer_norm",
         rows * kColumns,
         {{[&] { ours(strict, outs[0]); }, &outs[0]},
          {[&] { ours(fast, outs[1]); }, &outs[1]},
          {[&] { Check(halide_layer_norm(from, factors, summands, kEps, to)); }, &outs[2]}}};
  for (index_t row = 0; row < rows; ++row) {
    double total = 0, squares = 0;
    for (index_t i = 0; i < kColumns; ++i) total += in[row][i];
    const double centre = total / kColumns;
    for (index_t i = 0; i < kColumns; ++i) squares += std::pow(in[row][i] - centre, 2);
    const double factor = 1 / std::sqrt(squares / kColumns + kEps);
    for (index_t i = 0; i < kColumns; ++i) {
      c.Add((in[row][i] - centre) * factor * gain[0][i] + bias[0][i],
            std::max(std::fabs(gain[0][i]), std::fabs(bias[0][i])));
    }
  }
  return Compare(c, rounds);
}

constexpr float kRate = 1e-3f, kBeta1 = 0.9f, kBeta2 = 0.999f, kAdamEps = 1e-8f, kDecay = 0.01f;

/// Weights and both states of one side, and how many updates they have had.
struct Model {
  Floats weight, mean, variance;
  int step = 0;

  explicit Model(const Floats &start)
      : weight(start), mean(start.shape_, 0.0f, false), variance(start.shape_, 0.0f, false) {}
  template <typename Rule>
  void Update(const Rule &rule, const Floats &grad) {
    rule(weight, mean, variance, grad, kRate, kBeta1, kBeta2, kAdamEps, kDecay, ++step);
  }
  void UpdateByHalide(const Floats &grad) {
    ++step;
    const double bias1 = 1 - std::pow(static_cast<double>(kBeta1), step);
    const double bias2 = 1 - std::pow(static_cast<double>(kBeta2), step);
    Image w = AsRow(weight), m = AsRow(mean), v = AsRow(variance), g = AsRow(grad);
    Check(halide_adamw(w, m, v, g, 1 - kRate * kDecay, static_cast<float>(kRate / bias1), kBeta1,
                       kBeta2, static_cast<float>(1 / std::sqrt(bias2)), kAdamEps, w, m, v));
  }
};

/// The first update, from a state of zeros; each further call is one more.
bool CompareAdamW(index_t elements, int rounds) {
  const Floats start = Random(1, elements, 6), grad = Random(1, elements, 7);
  Model strict(start), fast(start), halide(start);
  const auto rule = [](auto &&...args) { optim::AdamW(args...); };
  const auto fast_rule = [](auto &&...args) { fast::optim::AdamW(args...); };
  Case c{"adamw",
         elements,
         {{[&] { strict.Update(rule, grad); }, &strict.weight},
          {[&] { fast.Update(fast_rule, grad); }, &fast.weight},
          {[&] { halide.UpdateByHalide(grad); }, &halide.weight}}};
  for (index_t i = 0; i < elements; ++i) {
    const double g = grad[0][i];  // m^ = g and v^ = g^2 in the first step
    const double kept = (1 - static_cast<double>(kRate) * kDecay) * start[0][i];
    c.Add(kept - kRate * g / (std::fabs(g) + kAdamEps), std::fabs(kept));
  }
  return Compare(c, rounds);
}

bool CompareAll(index_t elements, int rounds) {
  const auto exp = [](double x) { return std::exp(x); };
  const auto log = [](double x) { return std::log(x); };
  const auto silu = [](double x) { return x / (1 + std::exp(-x)); };
  const auto gelu = [](double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5)); };
  bool right = CompareElements(
      "exp", elements, -10, 10, [](Floats &out, const Floats &in) { elementary::Exp(out, in); },
      [](Floats &out, const Floats &in) { fast::elementary::Exp(out, in); }, halide_exp, exp,
      rounds);
  right &= CompareElements(
      "log", elements, 0.001, 100, [](Floats &out, const Floats &in) { elementary::Log(out, in); },
      [](Floats &out, const Floats &in) { fast::elementary::Log(out, in); }, halide_log, log,
      rounds);
  right &= CompareElements(
      "silu", elements, -5, 5, [](Floats &out, const Floats &in) { activation::Silu(out, in); },
      [](Floats &out, const Floats &in) { fast::activation::Silu(out, in); }, halide_silu, silu,
      rounds);
  right &= CompareElements(
      "gelu", elements, -5, 5, [](Floats &out, const Floats &in) { activation::Gelu(out, in); },
      [](Floats &out, const Floats &in) { fast::activation::Gelu(out, in); }, halide_gelu, gelu,
      rounds);
  right &= CompareSoftmax(elements / kColumns, rounds);
  right &= CompareLayerNorm(elements / kColumns, rounds);
  return CompareAdamW(elements, rounds) && right;
}

}  // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  SetNumThreads(1);
  std::printf("%-10s %9s %9s %8s %8s %10s %9s %9s\n", "", "elements", "ns, ours", "ratio",
              "to fast", "ULP, ours", "fast", "Halide");
  bool right = true;
  for (const index_t elements : {1 << 14, 1 << 20}) right &= CompareAll(elements, rounds);
  return right ? 0 : 1;
}
