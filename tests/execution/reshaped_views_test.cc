// SPDX-License-Identifier: Apache-2.0
#include "reshaped_views.gen.h"

#include "fenced_tensor.h"

namespace {

using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using namespace mshadow_test;

template <typename DType>
void CompareRefill(const Layout &layout, const Shape<2> &shape, const Shape<2> &other) {
  const Fenced<2, DType> in(other, layout), more(shape, layout), out(shape, layout);
  const bool keeps_rows = shape[1] == other[1];
  if (layout.gap != 0 && !keeps_rows && shape[0] > 1 && shape[1] > 0) {
    const Fenced<2, DType> before(shape, layout);
    EXPECT_NE(Said([&] { reshaped_views::Refill(out.tensor, in.tensor, more.tensor); }), "");
    return out.Expect([&](index_t y, index_t x) { return before.At(y, x); });
  }
  reshaped_views::Refill(out.tensor, in.tensor, more.tensor);
  out.Expect([&](index_t y, index_t x) {
    const DType twice(in.At(y * shape[1] + x) * 2);
    return static_cast<float>(DType(static_cast<float>(twice) + more.At(y, x)));
  });
}

TEST(Reshaped, AnyShapeOfAsManyElements) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      for (const auto &[a, b] : {std::pair(Shape2(4, n), Shape2(n, 4)),
                                 std::pair(Shape2(1, 6 * n), Shape2(2, 3 * n)),
                                 std::pair(Shape2(6, n), Shape2(3, 2 * n)),
                                 std::pair(Shape2(5, n), Shape2(5, n))}) {
        CompareRefill<float>(layout, a, b);
        CompareRefill<float>(layout, b, a);
        CompareRefill<mshadow::half::half_t>(layout, a, b);
        if (6 * n <= 40) CompareRefill<int8_t>(layout, a, b);
      }
    }
  });
}

TEST(Reshaped, PixelsOfThreeChannels) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, uint8_t> in(Shape2(n, 3), layout);
      const Fenced<1, float> gain(Shape1(3), layout);
      const Fenced<1, uint8_t> out(Shape1(3 * n), layout);
      for (index_t x = 0; x < 3; ++x) gain.tensor.dptr_[x] = 0.5f * static_cast<float>(x + 1);
      reshaped_views::Pixels(out.tensor, in.tensor, gain.tensor);
      out.Expect([&](index_t, index_t x) {
        return static_cast<float>(static_cast<uint8_t>(in.At(x) * gain.At(x % 3)));
      });
    }
  });
}

TEST(Reshaped, VectorsOfAllElements) {
  Everywhere([](const Layout &layout) {
    if (layout.gap != 0) return;
    for (const index_t n : kWidths) {
      const index_t size = 6 * n;
      const Fenced<3, float> out(Shape3(2, 3, n), layout);
      const Fenced<1, float> in(Shape1(size), layout), sum(Shape1(1), layout);
      reshaped_views::Flat(out.tensor, sum.tensor, in.tensor);
      float total = 0;
      out.Expect([&](index_t y, index_t x) {
        const float product = in.At(size - 1 - y * n - x) * in.At(y * n + x);
        total += product;  // of whole numbers
        return product + 1;
      });
      EXPECT_EQ(sum.At(0), total);
    }
  });
}

TEST(Reshaped, ImagesAndTheirRows) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<3, float> in(Shape3(2, 3, n), layout), gain(in.tensor.shape_, layout);
      const Fenced<3, float> state(in.tensor.shape_, layout), before(in.tensor.shape_, layout);
      const Fenced<3, float> out(Shape3(1, 6, n), layout);  // of as many rows
      reshaped_views::Centre(out.tensor, state.tensor, in.tensor, gain.tensor);
      const auto product = [&](index_t y, index_t x) { return in.At(y, x) * gain.At(y, x); };
      out.Expect([&](index_t y, index_t x) {
        float total = 0;  // of whole numbers
        for (index_t other = 0; other < n; ++other) total += product(y, other);
        return product(y, x) - total;
      });
      state.Expect([&](index_t y, index_t x) { return before.At(y, x) + product(y, x); });
    }
  });
}

/// Images of other shapes are refused before anything is written, though their rows would fit.
TEST(Reshaped, ImagesOfOneShape) {
  Everywhere([](const Layout &layout) {
    const Fenced<3, float> in(Shape3(2, 3, 5), layout), turned(Shape3(3, 2, 5), layout);
    const Fenced<3, float> out(Shape3(3, 2, 5), layout), before(Shape3(3, 2, 5), layout);
    const auto said = [&](const Fenced<3, float> &state, const Fenced<3, float> &gain) {
      return Said([&] {
        reshaped_views::Centre(out.tensor, state.tensor, in.tensor, gain.tensor);
      });
    };
    EXPECT_EQ(said(in, turned),
              "Centre: argument 'gain': expected shape (2,3,5), the shape of 'in', got (3,2,5)");
    EXPECT_EQ(said(turned, in),
              "Centre: argument 'in': expected shape (3,2,5), the shape of 'state', got (2,3,5)");
    out.Expect([&](index_t y, index_t x) { return before.At(y, x); });
    const Fenced<3, float> none(Shape3(0, 3, 5), layout), nothing(Shape3(2, 0, 5), layout);
    const auto of_none = [&](const Fenced<3, float> &gain) {
      return Said([&] {
        reshaped_views::Centre(none.tensor, none.tensor, none.tensor, gain.tensor);
      });
    };
    EXPECT_NE(of_none(nothing), "");
    EXPECT_EQ(of_none(none), "");
  });
}

TEST(Reshaped, AnyRank) {
  Everywhere([](const Layout &layout) {
    if (layout.gap != 0) return;
    for (const index_t n : kWidths) {
      const Fenced<3, float> in(Shape3(2, 3, n), layout), out(Shape3(n, 3, 2), layout);
      reshaped_views::Like(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) { return in.At(2 * y + x) * 2 - 1; });
      const Fenced<1, float> v(Shape1(n), layout), to(Shape1(n), layout);
      reshaped_views::Like(to.tensor, v.tensor);
      to.Expect([&](index_t, index_t x) { return v.At(x) * 2 - 1; });
    }
  });
}

TEST(Reshaped, Products) {
  Everywhere([](const Layout &layout) {
    if (layout.gap != 0) return;
    const Fenced<3, float> image(Shape3(2, 6, 7), layout), out(Shape3(3, 4, 5), layout);
    const Fenced<2, float> weight(Shape2(3, 18), layout);
    reshaped_views::Convolve(out.tensor, weight.tensor, image.tensor);
    out.Expect([&](index_t row, index_t x) {
      const index_t channel = row / 4, y = row % 4;
      float sum = 0;
      for (index_t i = 0; i < 18; ++i) {
        const index_t from = i / 9 * 6 + y + i / 3 % 3;
        sum += weight.At(channel, i) * image.At(from, x + i % 3);
      }
      return sum;
    });
  });
}

TEST(Reshaped, WhatDoesNotFit) {
  const Layout dense = kLayouts[0], padded = {Guard::kAfter, 3};
  const Fenced<2, float> in(Shape2(3, 4), dense), out(Shape2(6, 2), padded),
      small(Shape2(5, 2), dense);
  EXPECT_EQ(Said([&] { reshaped_views::Refill(out.tensor, in.tensor, out.tensor); }),
            "Refill: argument 'out': expected a row stride of 2, to be reshaped from (6,2) to "
            "(3,4), got 5");
  EXPECT_EQ(Said([&] { reshaped_views::Refill(small.tensor, in.tensor, small.tensor); }),
            "Refill: argument 'out': expected as many elements as shape (3,4) has, got shape "
            "(5,2)");
  // An operand in the memory of the destination, in another shape.
  const Fenced<2, float> t(Shape2(6, 2), dense), more(Shape2(6, 2), dense);
  const mshadow::Tensor<mshadow::cpu, 2> part(t.tensor.dptr_ + 1, Shape2(3, 4));
  EXPECT_NE(Said([&] { reshaped_views::Refill(t.tensor, part, more.tensor); }), "");
  // The same elements.
  const mshadow::Tensor<mshadow::cpu, 2> same(t.tensor.dptr_, Shape2(3, 4));
  reshaped_views::Refill(t.tensor, same, more.tensor);
  t.Expect([&](index_t y, index_t x) { return 3 * more.At(y, x); });
}

}  // namespace
