// SPDX-License-Identifier: Apache-2.0
// Rules that were generated with --numerics=correct: on each instruction set the results of libm's
// double functions, rounded to float, which are right for numbers that were not chosen to be hard;
// and two for which a double is not enough. Doubles are as in unfused rules.
#include <gtest/gtest.h>

#include <cmath>

#include "correctly_rounded.h"
#include "fenced_tensor.h"

namespace {

using mshadow::index_t;
using mshadow::Shape2;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::kWidths;
using mshadow_test::Layout;

template <typename DType>
using Matrix = Fenced<2, DType>;

/// Scales what Fenced has filled in.
template <typename DType>
void Scale(const Matrix<DType> &matrix, float factor) {
  for (index_t y = 0; y < matrix.tensor.size(0); ++y) {
    for (index_t x = 0; x < matrix.tensor.size(1); ++x) {
      matrix.tensor.dptr_[y * matrix.tensor.stride_ + x] *= factor;
    }
  }
}

float Rounded(double x) { return static_cast<float>(x); }

void CompareCurves(const Layout &layout, index_t width) {
  const auto shape = Shape2(3, width);
  const Matrix<float> x(shape, layout), power(shape, layout), logarithm(shape, layout),
      tangent(shape, layout), angle(shape, layout);
  Scale(x, 0.0078125f);
  correct_rules::Curves(power.tensor, logarithm.tensor, tangent.tensor, angle.tensor, x.tensor);
  const auto of = [&x](double (*function)(double)) {
    return [&x, function](index_t i, index_t j) { return Rounded(function(x.At(i, j))); };
  };
  power.Expect(of(std::exp));
  logarithm.Expect(of(std::log));
  tangent.Expect(of(std::tanh));
  angle.Expect(of(std::acos));
}

void CompareAngles(const Layout &layout, index_t width) {
  const auto shape = Shape2(3, width);
  const Matrix<float> x(shape, layout), sine(shape, layout), cosine(shape, layout),
      inverse(shape, layout);
  Scale(x, 0.7f);
  correct_rules::Angles(sine.tensor, cosine.tensor, inverse.tensor, x.tensor);
  sine.Expect([&](index_t i, index_t j) { return Rounded(std::sin(double{x.At(i, j)})); });
  cosine.Expect([&](index_t i, index_t j) { return Rounded(std::cos(double{x.At(i, j)})); });
  inverse.Expect([&](index_t i, index_t j) { return Rounded(1 / std::sqrt(double{x.At(i, j)})); });
}

void ComparePairs(const Layout &layout, index_t width) {
  const auto shape = Shape2(3, width);
  const Matrix<float> x(shape, layout), y(shape, layout), power(shape, layout),
      angle(shape, layout), length(shape, layout);
  Scale(x, 0.3f);
  Scale(y, 0.1f);
  correct_rules::Pairs(power.tensor, angle.tensor, length.tensor, x.tensor, y.tensor);
  const auto of = [&](double (*function)(double, double)) {
    return
        [&, function](index_t i, index_t j) { return Rounded(function(x.At(i, j), y.At(i, j))); };
  };
  power.Expect(of(std::pow));
  angle.Expect(of(std::atan2));
  length.Expect(of(std::hypot));
}

TEST(CorrectRules, AreRoundedOnce) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      CompareCurves(layout, width);
      CompareAngles(layout, width);
      ComparePairs(layout, width);
    }
  });
}

TEST(CorrectRules, ArgumentsForWhichADoubleIsNotEnough) {
  Everywhere([](const Layout &layout) {
    const auto shape = Shape2(1, 33);
    const Matrix<float> x(shape, layout), angle(shape, layout), power(shape, layout),
        logarithm(shape, layout), tangent(shape, layout);
    for (index_t i = 0; i < 33; ++i) x.tensor.dptr_[i] = i % 2 ? 0x1.110b46p-26f : 0x1.04c444p-12f;
    correct_rules::Curves(power.tensor, logarithm.tensor, tangent.tensor, angle.tensor, x.tensor);
    angle.Expect([](index_t, index_t i) { return i % 2 ? 0x1.921fb6p+0f : 0x1.920f6ap+0f; });
  });
}

TEST(CorrectRules, AScalarBeforeTheLoop) {
  Everywhere([](const Layout &layout) {
    const Matrix<float> x(Shape2(1, 7), layout), out(Shape2(1, 7), layout);
    correct_rules::ByScalar(out.tensor, x.tensor, 0x1.04c444p-12f);
    out.Expect([&](index_t i, index_t j) { return x.At(i, j) * 0x1.920f6ap+0f; });
  });
}

}  // namespace
