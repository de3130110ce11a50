// SPDX-License-Identifier: Apache-2.0
/// \file optimizer_check.h
/// Runs an optimizer for some steps and compares each with a reference in double precision. Every
/// step is checked by itself, from the states that the rule itself left, so that an error cannot
/// hide in an earlier one.
#ifndef MSHADOW_TESTS_EXECUTION_OPTIMIZER_CHECK_H_
#define MSHADOW_TESTS_EXECUTION_OPTIMIZER_CHECK_H_

#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace mshadow_test {

using mshadow::cpu;
using mshadow::Shape2;
using mshadow::Tensor;

constexpr int kRows = 7, kCols = 19, kSize = kRows * kCols, kSteps = 4;

// Hyper-parameters that differ from the defaults and from each other; doubles of the floats that
// the rules get, for the references.
constexpr float kLr = 0.02f, kMu = 0.8f, kDecay = 0.3f, kBeta1 = 0.85f, kBeta2 = 0.97f;
constexpr float kEps = 1e-3f, kScale = 0.75f, kClip = 1.5f;
constexpr double lr = kLr, mu = kMu, decay = kDecay, beta1 = kBeta1, beta2 = kBeta2, eps = kEps;

/// Adam's correction of a running mean in step t.
inline double Bias(double beta, int t) { return 1.0 - std::pow(beta, t); }

/// Half a unit in the last place of DType, relative to the value.
template <typename DType>
double HalfUlp();
template <>
inline double HalfUlp<float>() {
  return 0.0;
}
template <>
inline double HalfUlp<double>() {
  return 0.0;
}
template <>
inline double HalfUlp<mshadow::half::half_t>() {
  return std::ldexp(1.0, -11);
}
template <>
inline double HalfUlp<mshadow::bfloat::bf16_t>() {
  return std::ldexp(1.0, -8);
}

/// Values in [-1, 1) that are the same on every machine.
class Values {
 public:
  float Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<int64_t>(state_ >> 40) - (1 << 23)) / (1 << 23);
  }

 private:
  uint64_t state_ = 2019;
};

template <typename DType>
using Matrix = Tensor<cpu, 2, DType>;

/// The tensors of an optimizer.
template <typename DType>
struct Problem {
  using State = mshadow::Promoted<DType>;
  std::vector<DType> weights = std::vector<DType>(kSize);
  std::vector<DType> gradients = std::vector<DType>(kSize);
  std::vector<State> storage[4];

  explicit Problem(int num_states) {
    Values values;
    for (DType &w : weights) w = DType(values.Next());
    for (int i = 0; i < num_states; ++i) storage[i].assign(kSize, State(0));
  }
  Matrix<DType> weight() { return Matrix<DType>(weights.data(), Shape2(kRows, kCols)); }
  Matrix<DType> grad() { return Matrix<DType>(gradients.data(), Shape2(kRows, kCols)); }
  Matrix<State> state(int i) { return Matrix<State>(storage[i].data(), Shape2(kRows, kCols)); }
};

/// One element of an optimizer in double: what the paper's algorithm does to it in step t.
struct Element {
  double w;
  double s[4];
};
using Reference = std::function<void(Element *, double g, int t)>;

inline double Sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

/// The running means that the rules of the Adam family share.
inline void Moments(Element *e, double g) {
  e->s[0] = beta1 * e->s[0] + (1.0 - beta1) * g;
  e->s[1] = beta2 * e->s[1] + (1.0 - beta2) * g * g;
}

/// PyTorch's two kinds of decay, and its maximize: what the gradient becomes.
inline double Decayed(Element *e, double g, bool decoupled, bool maximize) {
  if (maximize) g = -g;
  if (!decoupled) return g + decay * e->w;
  e->w *= 1.0 - lr * decay;
  return g;
}

inline void ExpectNear(double got, double expected, double relative, const std::string &what,
                       double epsilon = 3e-6) {
  // Float rounds each operation and the prologue's scalars: some 1e-6 of values of order one.
  const double tolerance = epsilon * (1.0 + std::fabs(expected)) + relative * std::fabs(expected);
  EXPECT_NEAR(got, expected, tolerance) << what;
}

/// What rounding makes of values of order one, in the type that a rule for DType computes in.
template <typename DType>
constexpr double kRounding = sizeof(mshadow::Promoted<DType>) == 8 ? 1e-14 : 3e-6;

/// A number of any type, exactly.
template <typename DType>
double InDouble(DType x) {
  return static_cast<double>(static_cast<mshadow::Promoted<DType>>(x));
}

/// Gradients: three times `x`, which in a double has more digits than a float holds.
template <typename DType>
DType ThreeTimes(float x) {
  return DType(mshadow::Promoted<DType>(3) * x);
}

/// Runs `rule(problem, t)` and `reference` for some steps.
template <typename DType, typename Rule>
void Check(int num_states, Rule rule, const Reference &reference, int steps = kSteps) {
  Problem<DType> problem(num_states);
  Values values;
  for (int t = 1; t <= steps; ++t) {
    for (DType &g : problem.gradients) g = ThreeTimes<DType>(values.Next());
    problem.gradients[0] = DType(0.0f);
    std::vector<Element> expected(kSize);
    for (int i = 0; i < kSize; ++i) {
      Element &e = expected[i];
      e.w = InDouble(problem.weights[i]);
      for (int k = 0; k < num_states; ++k) e.s[k] = problem.storage[k][i];
      reference(&e, InDouble(problem.gradients[i]), t);
    }
    rule(problem, t);
    for (int i = 0; i < kSize; ++i) {
      const std::string at = ", element " + std::to_string(i) + ", step " + std::to_string(t);
      const double rounding = kRounding<DType>;
      ExpectNear(InDouble(problem.weights[i]), expected[i].w, HalfUlp<DType>(), "weight" + at,
                 rounding);
      for (int k = 0; k < num_states; ++k)
        ExpectNear(problem.storage[k][i], expected[i].s[k], 0.0, "state" + at, rounding);
    }
  }
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_OPTIMIZER_CHECK_H_
