// SPDX-License-Identifier: Apache-2.0
// Views of other shapes than their sources, fused, against loops over indices; and what a launch
// refuses before it writes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "counted_tensor.h"
#include "message_of.h"
#include "view_shapes_rules.h"

namespace {

using mshadow::cpu;
using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow::Tensor;
using mshadow_test::Counted;
using mshadow_test::MessageOf;

TEST(ViewShapes, HalvesOfRows) {
  for (const index_t cols : {0, 1, 2, 15, 16, 17, 127, 128, 129, 400}) {
    for (const index_t rows : {0, 1, 3}) {
      Counted<2> in(Shape2(rows, 2 * cols)), out(Shape2(rows, cols));
      view_shapes::Gate(out.tensor, in.tensor);
      for (index_t y = 0; y < rows; ++y) {
        for (index_t x = 0; x < cols; ++x) {
          ASSERT_EQ(out.at(y, x), in.at(y, x) * in.at(y, cols + x)) << y << " " << x;
        }
      }
    }
  }
}

template <int dim>
void CompareHalvesAtRank() {
  mshadow::Shape<dim> shape;
  for (int d = 0; d < dim; ++d) shape[d] = 1 + d % 3;
  shape[dim - 1] = 130;
  Counted<dim> in(shape);
  shape[dim - 1] = 65;
  Counted<dim> out(shape, 0);
  view_shapes::GateAnyRank(out.tensor, in.tensor);
  const index_t rows = shape.FlatTo2D()[0];
  for (index_t y = 0; y < rows; ++y) {
    for (index_t x = 0; x < 65; ++x) ASSERT_EQ(out.at(y, x), in.at(y, x) * in.at(y, 65 + x));
  }
}

TEST(ViewShapes, HalvesOfRowsAtEachRank) {
  CompareHalvesAtRank<1>();
  CompareHalvesAtRank<2>();
  CompareHalvesAtRank<3>();
  CompareHalvesAtRank<5>();
  CompareHalvesAtRank<8>();
}

TEST(ViewShapes, ARankThatAViewDoesNotHaveThrows) {
  Counted<2> in(Shape2(2, 3)), out(Shape2(4, 5), 0);
  view_shapes::Border(out.tensor, in.tensor, in.tensor);
  EXPECT_EQ(out.at(0, 4), 1);
  EXPECT_EQ(out.at(1, 1), in.at(0, 0) * in.at(0, 0) + 1);
  const std::vector<float> before = out.elements;
  EXPECT_EQ(MessageOf([&] { view_shapes::Border(out.tensor, in.tensor, out.tensor); }),
            "Border: argument 'pad((in * other), 1)': operands of an expression: shapes (2,3) and "
            "(4,5) differ");
  Counted<1> vector(Shape1(3)), longer(Shape1(5));
  EXPECT_EQ(MessageOf([&] { view_shapes::Border(longer.tensor, vector.tensor, vector.tensor); }),
            "Border: argument 'in': expected a tensor of rank 2 or more, got one of rank 1");
  EXPECT_EQ(before, out.elements);
}

/// Of which no tensor has the shape.
TEST(ViewShapes, SumsOfWhatIsRepeated) {
  for (const index_t n : {1, 2, 15, 40}) {
    Counted<1> force(Shape1(n)), nearest(Shape1(n)), x(Shape1(n)), mass(Shape1(n), 3);
    view_shapes::Forces(force.tensor, nearest.tensor, x.tensor, mass.tensor);
    for (index_t i = 0; i < n; ++i) {
      float sum = 0;
      for (index_t j = 0; j < n; ++j) {
        const float distance = x.at(0, j) - x.at(0, i);
        sum += distance * mass.at(0, j) / (distance * distance + 1);
      }
      EXPECT_NEAR(force.at(0, i), sum, 1e-4f * static_cast<float>(n)) << i;
      EXPECT_EQ(nearest.at(0, i), 1);
    }
  }
}

TEST(ViewShapes, ColumnsAsRows) {
  for (const index_t rows : {1, 3, 16, 17, 70}) {
    const index_t cols = 5;
    Counted<2> in(Shape2(rows, cols)), out(Shape2(cols, rows), 0);
    Counted<1> total(Shape1(cols));
    view_shapes::ColumnsAsRows(total.tensor, out.tensor, in.tensor);
    for (index_t x = 0; x < cols; ++x) {
      float sum = 0;
      for (index_t y = 0; y < rows; ++y) {
        sum += in.at(y, x);
        ASSERT_EQ(out.at(x, rows - 1 - y), in.at(y, x));
      }
      EXPECT_EQ(total.at(0, x), sum);  // of numbers that no sum rounds
    }
  }
}

TEST(ViewShapes, TwoOfFiveDimensions) {
  for (const index_t n : {1, 2, 33}) {
    for (const index_t m : {1, 3, 40}) {
      const mshadow::Shape<5> shape = mshadow::Shape5(2, n, 3, m, 5);
      Counted<5> in(shape), out(shape, 0), mean(mshadow::Shape5(2, 1, 3, 1, 5), 0);
      for (size_t i = 0; i < in.elements.size(); ++i) in.elements[i] = float(i * i % 17) - 8;
      view_shapes::TwoOfFive(out.tensor, mean.tensor, in.tensor);
      const auto at = [&](const Counted<5> &x, index_t b, index_t d, index_t column) {
        return double{x.at((b * 3 + 2) * m + d, column)};  // of the first image, the last of three
      };
      for (index_t e = 0; e < 5; ++e) {
        double sum = 0, squares = 0;
        for (index_t i = 0; i < n * m; ++i) sum += at(in, i / m, i % m, e);
        const double middle = sum / double(n * m);
        for (index_t i = 0; i < n * m; ++i) {
          squares += std::pow(at(in, i / m, i % m, e) - middle, 2);
        }
        const double root = std::sqrt(squares / double(n * m) + 1);
        ASSERT_NEAR(mean.at(2, e), middle, 1e-5);
        ASSERT_NEAR(at(out, n - 1, m / 2, e), (at(in, n - 1, m / 2, e) - middle) / root, 1e-5);
      }
    }
  }
}

TEST(ViewShapes, RowsThatIndicesChoose) {
  Counted<2> table(Shape2(5, 40)), out(Shape2(4, 40), 0);
  std::vector<int32_t> index = {4, 0, 4, 2};
  const Tensor<cpu, 1, int32_t> chosen(index.data(), Shape1(4));
  view_shapes::Embed(out.tensor, table.tensor, chosen, true);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 40; ++x) ASSERT_EQ(out.at(y, x), 2 * table.at(index[y], x));
  }
  index[2] = 5;
  const std::vector<float> before = out.elements;
  EXPECT_EQ(
      MessageOf([&] { view_shapes::Embed(out.tensor, table.tensor, chosen, true); }),
      "Embed: argument 'take(index, table)': take: index 5 at position 2 is not within [0,5)");
  EXPECT_EQ(out.elements, before);
  // A branch that does not read the view does not look at it.
  view_shapes::Embed(out.tensor, table.tensor, chosen, false);
  EXPECT_EQ(out.at(2, 7), 1.0f);
}

TEST(ViewShapes, NamesThatOthersAreMadeOf) {
  Counted<2> out(Shape2(3, 4)), in(Shape2(3, 4)), other(Shape2(3, 4), 50), s(Shape2(3, 4), 100);
  Counted<1> sum(Shape1(3)), top(Shape1(3));
  std::vector<int32_t> index = {3, 0, 1};
  const Tensor<cpu, 1, int32_t> chosen(index.data(), Shape1(3));
  view_shapes::Named(out.tensor, sum.tensor, top.tensor, in.tensor, other.tensor, s.tensor, chosen,
                     0.5f, 2.0f);
  for (int y = 0; y < 3; ++y) {
    float squares = 0;
    for (int x = 0; x < 4; ++x) squares += in.at(y, x) * in.at(y, x) * 0.5f;
    EXPECT_EQ(top.tensor[y], 3.0f);
    EXPECT_EQ(sum.tensor[y], squares + s.at(y, index[y]));
    for (int x = 0; x < 4; ++x) {
      const float both = x == 0 ? in.at(2 - y, x) : other.at(2 - y, x);
      EXPECT_EQ(out.at(y, x), both * sum.tensor[y] + s.at(y, x) * 2.0f) << y << " " << x;
    }
  }
}

TEST(ViewShapes, PatchesOfImages) {
  Counted<4> images(Shape4(2, 3, 4, 6));
  constexpr index_t kPatches = 3 * 4;  // of an image
  Counted<2> out(Shape2(3 * 2 * 3, 2 * kPatches));
  view_shapes::Patches(out.tensor, images.tensor);
  for (index_t row = 0; row < 18; ++row) {
    const index_t x = row % 3, y = row / 3 % 2, channel = row / 6;
    for (index_t patch = 0; patch < 2 * kPatches; ++patch) {
      const index_t image = patch / kPatches, py = patch % kPatches / 4, px = patch % 4;
      const float want = images.at((image * 3 + channel) * 4 + py + y, px + x) + 1;
      ASSERT_EQ(out.at(row, patch), want) << row << " " << patch;
    }
  }
}

TEST(ViewShapes, TransposesAndParts) {
  Counted<2> a(Shape2(7, 150)), out(Shape2(150, 7));
  Counted<3> b(Shape3(3, 150, 7));
  view_shapes::Cross(out.tensor, a.tensor, b.tensor, 2);
  for (index_t y = 0; y < 150; ++y) {
    for (index_t x = 0; x < 7; ++x) ASSERT_EQ(out.at(y, x), a.at(x, y) - b.at(300 + y, x));
  }
}

TEST(ViewShapes, MisuseIsFoundBeforeTheFirstWrite) {
  Counted<2> in(Shape2(3, 9)), out(Shape2(3, 4), 0);
  const std::vector<float> before = out.elements;
  EXPECT_EQ(
      MessageOf([&] { view_shapes::Gate(out.tensor, in.tensor); }),
      "Gate: argument 'slice<1>(in, half, in_extent1)': expected shape (3,4), the shape of 'out', "
      "got (3,5)");
  Counted<2> even(Shape2(3, 8));
  const Tensor<cpu, 2, float> shifted(even.elements.data() + 1, Shape2(3, 4), even.tensor.stride_,
                                      nullptr);
  EXPECT_EQ(MessageOf([&] { view_shapes::Gate(shifted, even.tensor); }),
            "Gate: argument 'slice<1>(in, 0, half)': expected memory that does not overlap that of "
            "'out', which the rule writes");
  Counted<3> b(Shape3(3, 9, 3));
  EXPECT_NE(MessageOf([&] { view_shapes::Cross(out.tensor, in.tensor, b.tensor, 0); }), "nothing");
  EXPECT_EQ(out.elements, before);
  mshadow::TensorArg<float> flat = mshadow::Arg(in.tensor);
  flat.dim = 1;
  EXPECT_EQ(MessageOf([&] {
              view_shapes::LaunchGate<cpu, float>(cpu(), {mshadow::Arg(out.tensor), flat});
            }),
            "Gate: argument 'in': expected a tensor of rank 2, got one of rank 1");
}

TEST(ViewShapes, ProductsAndSums) {
  Counted<2> a(Shape2(3, 7)), b(Shape2(7, 150)), out(Shape2(3, 150));
  Counted<3> c(Shape3(3, 4, 150));
  view_shapes::Multiply(out.tensor, a.tensor, b.tensor, c.tensor);
  for (index_t y = 0; y < 3; ++y) {
    for (index_t x = 0; x < 150; ++x) {
      float want = 0;  // of integers, exact
      for (index_t k = 0; k < 7; ++k) want += 2 * a.at(y, k) * b.at(k, x);
      for (index_t k = 0; k < 4; ++k) want -= c.at(4 * y + k, x);
      ASSERT_EQ(out.at(y, x), want) << y << " " << x;
    }
  }
  Counted<2> wrong(Shape2(6, 150));
  EXPECT_EQ(MessageOf([&] { view_shapes::Multiply(out.tensor, a.tensor, wrong.tensor, c.tensor); }),
            "Multiply: argument 'implicit_dot(a, b)': implicit_dot: expected as many columns on "
            "the left as "
            "rows on the right, shapes (3,7) and (6,150)");
}

TEST(ViewShapes, TheGradientOfPooling) {
  Counted<4> in(Shape4(1, 2, 4, 6)), pooled(Shape4(1, 2, 2, 3)), grad(Shape4(1, 2, 2, 3), 10),
      out(Shape4(1, 2, 4, 6));
  for (index_t row = 0; row < 4; ++row) {
    for (index_t x = 0; x < 3; ++x)
      pooled.tensor[0][row / 2][row % 2][x] = in.at(2 * row + 1, 2 * x + 1);
  }
  view_shapes::MaxPoolGrad(out.tensor, in.tensor, pooled.tensor, grad.tensor);
  for (index_t row = 0; row < 8; ++row) {
    for (index_t x = 0; x < 6; ++x) {
      const bool is_largest = row % 2 == 1 && x % 2 == 1;
      ASSERT_EQ(out.at(row, x), is_largest ? 2 * grad.at(row / 2, x / 2) : 0.0f);
    }
  }
}

TEST(ViewShapes, NumbersInATranspose) {
  std::vector<int32_t> in = {0, 1, 5, 4}, out(4);
  const Tensor<cpu, 1, int32_t> from(in.data(), Shape1(4)), to(out.data(), Shape1(4));
  view_shapes::Renumber(to, from, 2, 3);
  EXPECT_EQ(out, (std::vector<int32_t>{1, 3, 6, 4}));  // element (y, x) is number 2 x + y
}

TEST(ViewShapes, OfALaterKernel) {
  Counted<2> in(Shape2(2, 9), 3), twice(Shape2(2, 9)), out(Shape2(2, 9));
  view_shapes::FlipLater(out.tensor, twice.tensor, in.tensor);
  EXPECT_EQ(out.at(0, 4), 2 * in.at(1, 4));
  Counted<2> larger(Shape2(4, 9));
  const std::vector<float> before = larger.elements, twice_before = twice.elements;
  in.tensor = 1.0f;
  EXPECT_EQ(
      MessageOf([&] { view_shapes::FlipLater(larger.tensor, twice.tensor, in.tensor); }),
      "FlipLater: argument 'flip(twice, 0)': expected shape (4,9), the shape of 'out', got (2,9)");
  EXPECT_EQ(larger.elements, before);
  EXPECT_EQ(twice.elements, twice_before);
}

TEST(ViewShapes, WhatIsNotReadMustFit) {
  Counted<2> in(Shape2(3, 5)), out(Shape2(3, 5), 0), other(Shape2(7, 5)), ignored(Shape2(3, 5));
  Counted<1> bias(Shape1(5)), longer(Shape1(6));
  const Tensor<cpu, 2, float> like(nullptr, Shape2(3, 5));  // a shape alone
  view_shapes::Fit(out.tensor, in.tensor, bias.tensor, like, ignored.tensor, bias.tensor);
  EXPECT_EQ(out.at(2, 4), in.at(2, 4) + 5);
  view_shapes::Fit(out.tensor, in.tensor, bias.tensor, like, out.tensor, bias.tensor);
  EXPECT_EQ(out.at(1, 0), in.at(1, 0) + 1);
  const std::vector<float> before = out.elements;
  const auto message = [&](const auto &named, const auto &unread, const auto &row) {
    return MessageOf([&] {
      view_shapes::Fit(out.tensor, in.tensor, bias.tensor, named.tensor, unread.tensor, row.tensor);
    });
  };
  EXPECT_EQ(message(other, ignored, bias),
            "Fit: argument 'like': expected shape (3,5), the shape of 'out', got (7,5)");
  EXPECT_EQ(message(in, other, bias),
            "Fit: argument 'ignored': expected shape (3,5), the shape of 'out', got (7,5)");
  EXPECT_EQ(message(in, ignored, longer).substr(0, 28), "Fit: argument 'ignored_row':");
  const Tensor<cpu, 2, float> shifted(out.elements.data() + 1, Shape2(3, 5), 8, nullptr);
  EXPECT_NE(MessageOf([&] {
              view_shapes::Fit(out.tensor, in.tensor, bias.tensor, like, shifted, bias.tensor);
            }).find("'ignored'"),
            std::string::npos);
  EXPECT_EQ(before, out.elements);
}

TEST(ViewShapes, WhatGivesATemporaryItsShapeMustFit) {
  Counted<3> in(Shape3(2, 3, 5)), out(Shape3(2, 3, 5), 0), other(Shape3(2, 4, 5));
  view_shapes::FitTwice(out.tensor, in.tensor, in.tensor);
  const std::vector<float> before = out.elements;
  EXPECT_EQ(MessageOf([&] { view_shapes::FitTwice(out.tensor, in.tensor, other.tensor); }),
            "FitTwice: argument 'like': expected shape (2,3,5), the shape of 'out', got (2,4,5)");
  EXPECT_EQ(before, out.elements);
}

}  // namespace
