// SPDX-License-Identifier: Apache-2.0
// bench_halide [ROUNDS]: rules beside the same functions as pipelines of Halide, which
// halide_pipelines.py schedules and compiles ahead of time. One thread, in turn in this process, in
// place where the rule is. Prints Halide's time over ours, and each side's worst error: the
// distance to the result in double, in units of the last place of that result; of layer_norm and
// adamw of the largest of it and of gain and bias, or of the weight before. The exit status is 1 if
// either side computes something else.
#include <HalideBuffer.h>
#include <adamw.gen.h>
#include <elementary.gen.h>
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

/// A function to compute in both ways.
struct Case {
  std::string name;
  index_t elements;
  std::function<void()> ours, halide;
  const Floats *our_out, *halide_out;
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

/// Both sides once, for their errors, then in turn.
bool Compare(const Case &c, int rounds) {
  c.ours();
  c.halide();
  const double our_error = WorstError(c, *c.our_out);
  const double halide_error = WorstError(c, *c.halide_out);
  const bool right = IsRight(c, *c.our_out) && IsRight(c, *c.halide_out);
  const int calls = std::max(1, static_cast<int>(1e-3 / SecondsOf(c.ours, 10)));
  double ours = 1e9, halide = 1e9;
  for (int i = 0; i < rounds; ++i) {
    ours = std::min(ours, SecondsOf(c.ours, calls));
    halide = std::min(halide, SecondsOf(c.halide, calls));
  }
  std::printf("%-10s %9lld %9.3f %8.2f %10.3g %10.3g%s\n", c.name.c_str(),
              static_cast<long long>(c.elements), ours / static_cast<double>(c.elements) * 1e9,
              halide / ours, our_error, halide_error, right ? "" : "  DIFFERENT");
  std::fflush(stdout);
  return right;
}

/// A function of each element, between two bounds.
bool CompareElements(const std::string &name, index_t elements, double low, double high,
                     void (*rule)(Floats &, const Floats &),
                     int (*pipeline)(halide_buffer_t *, halide_buffer_t *), double (*exact)(double),
                     int rounds) {
  const Floats in = Random(1, elements, 1, low, high);
  Floats ours(in.shape_, 0.0f, false), theirs(in.shape_, 0.0f, false);
  Image from = AsRow(in), to = AsRow(theirs);
  Case c{name,  elements, [&] { rule(ours, in); }, [&] { Check(pipeline(from, to)); },
         &ours, &theirs};
  for (index_t i = 0; i < elements; ++i) c.Add(exact(in.dptr_[i]));
  return Compare(c, rounds);
}

bool CompareSoftmax(index_t rows, int rounds) {
  const Floats in = Random(rows, kColumns, 2);
  Floats ours(in.shape_, 0.0f, false), theirs(in.shape_, 0.0f, false);
  Image from = AsRows(in), to = AsRows(theirs);
  Case c{"softmax",
         rows * kColumns,
         [&] { activation::Softmax(ours, in); },
         [&] { Check(halide_softmax(from, to)); },
         &ours,
         &theirs};
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
  Floats ours(in.shape_, 0.0f, false), theirs(in.shape_, 0.0f, false);
  Floats mean(Shape2(1, rows), 0.0f, false), inv_std(Shape2(1, rows), 0.0f, false);
  Image from = AsRows(in), to = AsRows(theirs), factors = AsRow(gain), summands = AsRow(bias);
  Case c{"layer_norm",
         rows * kColumns,
         [&] { normalize::LayerNorm(ours, mean[0], inv_std[0], in, gain[0], bias[0], kEps); },
         [&] { Check(halide_layer_norm(from, factors, summands, kEps, to)); },
         &ours,
         &theirs};
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

/// The first update, from a state of zeros; each further call is one more.
bool CompareAdamW(index_t elements, int rounds) {
  constexpr float kRate = 1e-3f, kBeta1 = 0.9f, kBeta2 = 0.999f, kEps = 1e-8f, kDecay = 0.01f;
  const Floats start = Random(1, elements, 6), grad = Random(1, elements, 7);
  Floats weights[2], means[2], variances[2];
  for (int side = 0; side < 2; ++side) {
    weights[side] = Random(1, elements, 6);
    for (Floats *const state : {&means[side], &variances[side]}) {
      *state = Floats(start.shape_, 0.0f, false);
    }
  }
  int our_step = 0, halide_step = 0;
  Image weight = AsRow(weights[1]), mean = AsRow(means[1]), variance = AsRow(variances[1]);
  Image gradient = AsRow(grad);
  const auto ours = [&] {
    optim::AdamW(weights[0], means[0], variances[0], grad, kRate, kBeta1, kBeta2, kEps, kDecay,
                 ++our_step);
  };
  const auto halide = [&] {
    ++halide_step;
    const double bias1 = 1 - std::pow(static_cast<double>(kBeta1), halide_step);
    const double bias2 = 1 - std::pow(static_cast<double>(kBeta2), halide_step);
    Check(halide_adamw(weight, mean, variance, gradient, 1 - kRate * kDecay,
                       static_cast<float>(kRate / bias1), kBeta1, kBeta2,
                       static_cast<float>(1 / std::sqrt(bias2)), kEps, weight, mean, variance));
  };
  Case c{"adamw", elements, ours, halide, &weights[0], &weights[1]};
  for (index_t i = 0; i < elements; ++i) {
    const double g = grad[0][i];  // m^ = g and v^ = g^2 in the first step
    const double kept = (1 - static_cast<double>(kRate) * kDecay) * start[0][i];
    c.Add(kept - kRate * g / (std::fabs(g) + kEps), std::fabs(kept));
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
      halide_exp, exp, rounds);
  right &= CompareElements(
      "log", elements, 0.001, 100, [](Floats &out, const Floats &in) { elementary::Log(out, in); },
      halide_log, log, rounds);
  right &= CompareElements(
      "silu", elements, -5, 5, [](Floats &out, const Floats &in) { activation::Silu(out, in); },
      halide_silu, silu, rounds);
  right &= CompareElements(
      "gelu", elements, -5, 5, [](Floats &out, const Floats &in) { activation::Gelu(out, in); },
      halide_gelu, gelu, rounds);
  right &= CompareSoftmax(elements / kColumns, rounds);
  right &= CompareLayerNorm(elements / kColumns, rounds);
  return CompareAdamW(elements, rounds) && right;
}

}  // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  SetNumThreads(1);
  std::printf("%-10s %9s %9s %8s %10s %10s\n", "", "elements", "ns, ours", "ratio", "ULP, ours",
              "Halide");
  bool right = true;
  for (const index_t elements : {1 << 14, 1 << 20}) right &= CompareAll(elements, rounds);
  return right ? 0 : 1;
}
