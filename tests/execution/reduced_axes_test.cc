// SPDX-License-Identifier: Apache-2.0
// Axes that are reduced to tensors of the others: the bits of the unfused expressions, for each
// instruction set, rows that are padded or not, and extents of 0.
#include <gtest/gtest.h>

#include "fenced_tensor.h"
#include "reduced_axes_rules.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::Layout;

/// Sums of these depend on the order, unlike those of small integers.
template <int dim, typename DType>
Fenced<dim, DType> Sevenths(const Shape<dim> &shape, const Layout &layout) {
  Fenced<dim, DType> numbers(shape, layout);
  if (shape.Size() > 0) numbers.tensor = (numbers.tensor - DType(50)) / DType(7);
  return numbers;
}

template <int dim, typename DType>
void ExpectSame(const Fenced<dim, DType> &got, const Fenced<dim, DType> &want) {
  got.Expect([&want](index_t y, index_t x) { return want.At(y, x); });
}

const Shape<4> kShapes[] = {
    Shape4(1, 1, 1, 1),   Shape4(2, 3, 7, 7),  Shape4(3, 2, 5, 33), Shape4(2, 70, 3, 1),
    Shape4(1, 2, 1, 600), Shape4(40, 1, 2, 9), Shape4(0, 2, 3, 4),  Shape4(2, 0, 3, 4),
    Shape4(2, 3, 0, 4),   Shape4(2, 3, 4, 0)};

template <typename DType>
void CompareEachAxis() {
  Everywhere([](const Layout &layout) {
    for (const Shape<4> &s : kShapes) {
      const auto in = Sevenths<4, DType>(s, layout);
      const Shape<3> shapes[] = {Shape3(s[1], s[2], s[3]), Shape3(s[0], s[2], s[3]),
                                 Shape3(s[0], s[1], s[3]), Shape3(s[0], s[1], s[2])};
      const Fenced<3, DType> got[] = {
          {shapes[0], layout}, {shapes[1], layout}, {shapes[2], layout}, {shapes[3], layout}};
      reduced_axes::EachAxis(got[0].tensor, got[1].tensor, got[2].tensor, got[3].tensor, in.tensor);
      Fenced<3, DType> want[] = {
          {shapes[0], layout}, {shapes[1], layout}, {shapes[2], layout}, {shapes[3], layout}};
      want[0].tensor = reduce_with_axis<red::sum, false>(in.tensor, 0);
      want[1].tensor += DType(2) * reduce_with_axis<red::maximum, false>(in.tensor * in.tensor, 1);
      want[2].tensor = reduce_with_axis<red::minimum, false>(in.tensor, 2) -
                       reduce_with_axis<red::sum, false>(in.tensor, 2);
      want[3].tensor = reduce_with_axis<red::product, false>(
          in.tensor * DType(0.03125f) + DType(1), 3);
      for (int i = 0; i < 4; ++i) ExpectSame(got[i], want[i]);
    }
  });
}

TEST(ReducedAxes, EachAxis) {
  CompareEachAxis<float>();
  CompareEachAxis<double>();
  CompareEachAxis<half::half_t>();
  CompareEachAxis<int32_t>();
}

template <typename DType>
void ComparePool() {
  Everywhere([](const Layout &layout) {
    for (const Shape<4> &s : kShapes) {
      if (s[2] * s[3] == 0) continue;  // no mean
      const auto in = Sevenths<4, DType>(s, layout);
      const Shape<4> kept = Shape4(s[0], s[1], 1, 1), channels = Shape4(1, s[1], 1, 1);
      const Shape<2> means = Shape2(s[0], s[1]);
      const Fenced<4, DType> got[] = {{kept, layout}, {channels, layout}};
      const Fenced<2, DType> mean(means, layout);
      reduced_axes::Pool(got[0].tensor, mean.tensor, got[1].tensor, in.tensor);
      Fenced<4, DType> want[] = {{kept, layout}, {channels, layout}};
      Fenced<2, DType> want_mean(means, layout);
      const float share = 1.0f / static_cast<float>(s[2] * s[3]);
      want[0].tensor = reduce_multi_axes<red::sum>(in.tensor, Shape2(2, 3));
      want_mean.tensor =
          share * reduce_with_axis<red::sum, false>(reduce_with_axis<red::sum, false>(in.tensor, 3),
                                                    2);
      want[1].tensor = reduce_multi_axes<red::maximum>(F<op::abs>(in.tensor), Shape3(0, 2, 3));
      ExpectSame(got[0], want[0]);
      ExpectSame(got[1], want[1]);
      ExpectSame(mean, want_mean);
    }
  });
}

TEST(ReducedAxes, SeveralAxes) {
  ComparePool<float>();
  ComparePool<half::half_t>();
}

TEST(ReducedAxes, TwoOfFive) {
  Everywhere([](const Layout &layout) {
    for (const Shape<4> &s : kShapes) {
      const auto in = Sevenths<5, float>(Shape5(s[0], s[1], 2, s[2], s[3]), layout);
      const Shape<3> shape = Shape3(s[0], 2, s[3]);
      const auto bias = Sevenths<3, float>(shape, layout);
      const Fenced<3, float> got(shape, layout);
      reduced_axes::TwoOfFive(got.tensor, in.tensor, bias.tensor);
      Fenced<3, float> want(shape, layout);
      auto over3 = reduce_with_axis<red::sum, false>(in.tensor * in.tensor, 3);
      want.tensor =
          F<op::square_root>(reduce_with_axis<red::sum, false>(over3, 1) + 1.0f) * bias.tensor;
      ExpectSame(got, want);
    }
  });
}

TEST(ReducedAxes, ReductionsOfReductions) {
  Everywhere([](const Layout &layout) {
    for (const Shape<4> &s : kShapes) {
      const auto in = Sevenths<3, float>(Shape3(s[1], s[2], s[3]), layout);
      const auto matrix = Sevenths<2, float>(Shape2(s[0] * s[1], s[3]), layout);
      const Shape<1> length = Shape1(s[1]);
      const Shape<2> tall = Shape2(s[0] * s[1], 1), wide = Shape2(1, s[3]);
      const Fenced<1, float> vector(length, layout);
      const Fenced<2, float> column(tall, layout), row(wide, layout);
      reduced_axes::Again(vector.tensor, column.tensor, row.tensor, in.tensor, matrix.tensor);
      Fenced<1, float> want(length, layout);
      Fenced<2, float> want_column(tall, layout), want_row(wide, layout);
      want.tensor =
          reduce_with_axis<red::sum, false>(reduce_with_axis<red::maximum, false>(in.tensor, 2), 1);
      want_column.tensor = reduce_keepdim<red::sum, false>(matrix.tensor, 1);
      want_row.tensor = reduce_keepdim<red::sum, false>(matrix.tensor, 0) * 3.0f;
      ExpectSame(vector, want);
      ExpectSame(column, want_column);
      ExpectSame(row, want_row);
    }
  });
}

TEST(ReducedAxes, WithViews) {
  Everywhere([](const Layout &layout) {
    for (const Shape<4> &s : kShapes) {
      for (const bool twice : {false, true}) {
        const Shape<3> shape = Shape3(s[1], s[2], s[3]);
        const auto in = Sevenths<3, float>(shape, layout);
        auto want_in = Sevenths<3, float>(shape, layout);
        const Shape<2> rows = Shape2(s[1], s[2]), columns = Shape2(s[1], s[3]);
        const Fenced<2, float> turned(rows, layout), folded(columns, layout);
        reduced_axes::Beside(turned.tensor, folded.tensor, in.tensor, twice);
        Fenced<2, float> want_turned(rows, layout), want_folded(columns, layout);
        auto sum = reduce_with_axis<red::sum, false>(want_in.tensor, 2);
        want_turned.tensor = mirror(sum);
        want_folded.tensor =
            reduce_with_axis<red::sum, false>(want_in.tensor * mirror(want_in.tensor), 1);
        if (twice) {
          want_in.tensor *= 0.5f;
          want_turned.tensor += sum;
        }
        want_folded.tensor -= reduce_with_axis<red::minimum, false>(want_in.tensor, 1);
        ExpectSame(in, want_in);
        ExpectSame(turned, want_turned);
        ExpectSame(folded, want_folded);
      }
    }
  });
}

}  // namespace
