// SPDX-License-Identifier: Apache-2.0
// The shipped expressions, run unfused, against <cmath> in double precision.
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <cmath>

#include "specs/functional/functional.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

constexpr int kCount = 241;  // inputs from -12 to 12

double Input(int i) { return 0.1 * (i - kCount / 2); }

/// That `exp`, of Input(i), is `want(Input(i))`.
template <typename E, int etype, typename Function>
void ExpectValues(const Exp<E, double, etype> &exp, Function want) {
  TensorContainer<cpu, 1, double> out(Shape1(kCount));
  out = exp;
  for (int i = 0; i < kCount; ++i) {
    const double value = want(Input(i));
    EXPECT_NEAR(out[i], value, 1e-15 + 1e-14 * std::fabs(value)) << Input(i);
  }
}

class Functional : public testing::Test {
 protected:
  Functional() : x(Shape1(kCount)) {
    for (int i = 0; i < kCount; ++i) x[i] = Input(i);
  }
  TensorContainer<cpu, 1, double> x;
};

TEST_F(Functional, Activations) {
  ExpectValues(functional::gelu(x),
               [](double a) { return a / 2 * std::erfc(-a / std::sqrt(2.0)); });
  ExpectValues(functional::gelu_tanh(x), [](double a) {
    return a / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a)));
  });
  ExpectValues(functional::silu(x), [](double a) { return a / (1 + std::exp(-a)); });
}

TEST_F(Functional, HuberIsAParabolaBetweenLines) {
  const float delta = 1.5f;
  const auto loss = [](double a) {
    const double d = std::fabs(2 * a - 1);
    return d <= 1.5 ? d * d / 2 : 1.5 * (d - 0.75);
  };
  ExpectValues(functional::huber(2.0 * x, scalar<double>(1), delta), loss);
  ExpectValues(functional::huber_grad(2.0 * x, scalar<double>(1), delta),
               [](double a) { return std::fmax(-1.5, std::fmin(1.5, 2 * a - 1)); });
  // The derivative is that of the loss.
  const double step = 1e-6;
  for (double a : {-3.0, -0.1, 0.3, 0.9, 4.0}) {
    const double slope = (loss(a + step) - loss(a - step)) / (2 * step) / 2;  // by 2 a
    EXPECT_NEAR(slope, std::fmax(-1.5, std::fmin(1.5, 2 * a - 1)), 1e-8) << a;
  }
}

TEST_F(Functional, OfSixteenBitsAreRoundedOnce) {
  TensorContainer<cpu, 1, half::half_t> a(Shape1(kCount)), out(Shape1(kCount));
  a = tcast<half::half_t>(x);
  out = functional::gelu(a);
  for (int i = 0; i < kCount; ++i) {
    const float value = static_cast<float>(a[i]);
    const float want = value / 2 * std::erfc(-value / std::sqrt(2.0f));
    EXPECT_NEAR(static_cast<float>(out[i]), want, 1e-6f + 6e-4f * std::fabs(want)) << value;
  }
}

}  // namespace
