// SPDX-License-Identifier: Apache-2.0
// Elements at other coordinates, which only the launch knows: against loops over coordinates, as
// indexed_views_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fenced_tensor.h"
#include "moved_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::kWidths;
using mshadow_test::Layout;

TEST(MovedViews, NeighboursOfWholeRowsBesideThoseOfSomeColumns) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> in(Shape2(4, width), layout), out(Shape2(4, width), layout);
      moved_views::Neighbours(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        return in.AtOrZero(y - 1, x) + in.AtOrZero(y + 1, x) + in.AtOrZero(y, x - 1) +
               in.AtOrZero(y, x + 1);
      });
    }
  });
}

template <typename DType>
void CompareSpread() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      for (const index_t rows : {index_t{1}, index_t{5}}) {
        for (const index_t cols : {index_t{1}, width}) {
          const Fenced<2, DType> in(Shape2(rows, cols), layout), out(Shape2(5, width), layout);
          moved_views::Spread(out.tensor, in.tensor);
          out.Expect([&](index_t y, index_t x) {
            return in.At(rows == 1 ? 0 : y, cols == 1 ? 0 : width - 1 - x);
          });
        }
      }
    }
  });
}

TEST(MovedViews, ExtentsThatMayBeOne) {
  CompareSpread<float>();
  CompareSpread<int8_t>();
}

template <typename DType>
void CompareDiagonals() {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, DType> in(Shape2(n, n), layout), out(Shape2(n, n), layout);
      moved_views::Diagonals(out.tensor, in.tensor);
      out.Expect(
          [&](index_t y, index_t x) { return in.At(y, x) - in.At(y, y) + in.At(n - 1 - x, x); });
    }
  });
}

TEST(MovedViews, Diagonals) {
  CompareDiagonals<float>();
  CompareDiagonals<mshadow::half::half_t>();
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, float> in(Shape2(n, n), layout);
      const Fenced<1, float> out(Shape1(n), layout);
      moved_views::Diagonal(out.tensor, in.tensor);
      out.Expect([&](index_t, index_t x) { return in.At(x, x); });
    }
    const Fenced<2, float> in(Shape2(3, 4), layout);
    const Fenced<1, float> out(Shape1(3), layout);
    EXPECT_THROW(moved_views::Diagonal(out.tensor, in.tensor), mshadow::Error);
  });
}

template <typename DType>
void CompareDiagonalMatrices() {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<1, DType> in(Shape1(n), layout);
      const Fenced<2, DType> m(Shape2(n, n), layout), out(Shape2(n, n), layout);
      moved_views::DiagonalMatrix(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) { return y == x ? in.At(x) : 0.0f; });
      moved_views::DiagonalMatrices(out.tensor, in.tensor, m.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float on = y == x ? 2 * (in.At(x) + 1) + m.At(y, x) : 0.0f;
        return on - (y == n - 1 - x ? in.At(x) : 0.0f);
      });
    }
  });
}

TEST(MovedViews, DiagonalMatrices) {
  CompareDiagonalMatrices<float>();
  CompareDiagonalMatrices<mshadow::half::half_t>();
}

template <typename DType>
void CompareBorders() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, DType> in(Shape2(3, width), layout), out(Shape2(5, width + 4), layout);
      moved_views::Border(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        return in.AtOrZero(3 - y, x - 2) - in.AtOrZero(y - 1, width + 1 - x);
      });
      const Fenced<3, DType> images(Shape3(2, 3, width), layout);
      const Fenced<3, DType> larger(Shape3(2, 5, width + 4), layout);
      moved_views::Border(larger.tensor, images.tensor);
      const auto at = [&](index_t image, index_t y, index_t x) {
        const bool is_inside = 0 <= y && y < 3 && 0 <= x && x < width;
        return is_inside ? images.At(3 * image + y, x) : 0.0f;
      };
      larger.Expect([&](index_t row, index_t x) {
        const index_t image = row / 5, y = row % 5;
        return at(1 - image, y - 1, x - 2) - at(image, y - 1, width + 1 - x);
      });
    }
  });
}

TEST(MovedViews, DimensionsOfAnyRank) {
  CompareBorders<float>();
  CompareBorders<mshadow::half::half_t>();
}

TEST(MovedViews, ImagesOfAnyRank) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      if (width == 0) continue;
      const Fenced<4, float> in(Shape4(2, 3, 5, width), layout);
      const Fenced<4, float> halves(Shape4(2, 3, 3, (width + 1) / 2), layout);
      moved_views::Halved(halves.tensor, in.tensor);
      const auto at = [&](index_t image, index_t y, index_t x) {
        const bool is_inside = 0 <= y && y < 5 && 0 <= x && x < width;
        return is_inside ? in.At(5 * image + y, x) : 0.0f;
      };
      halves.Expect([&](index_t row, index_t x) {
        float most = 0;
        for (int i = 0; i < 9; ++i) {
          most = std::max(most, at(row / 3, 2 * (row % 3) + i / 3 - 1, 2 * x + i % 3 - 1));
        }
        return most;
      });
      const Fenced<4, float> doubled(Shape4(2, 3, 10, 2 * width), layout);
      moved_views::Doubled(doubled.tensor, in.tensor);
      doubled.Expect([&](index_t row, index_t x) { return at(row / 10, 4 - row % 10 / 2, x / 2); });
    }
  });
}

TEST(MovedViews, ThreeTensorsJoined) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> in(Shape2(2, width), layout), other(Shape2(2, width), layout);
      const Fenced<2, float> out(Shape2(6, width), layout);
      moved_views::Stacked(out.tensor, in.tensor, other.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float front = y / 2 == 1 ? other.At(3 - y, x) : in.At(y % 2, x);
        return front - (y < 2 ? other : in).At(y % 2, width - 1 - x);
      });
    }
  });
}

TEST(MovedViews, ExtentsCountedFromTheLast) {
  const Layout layout = mshadow_test::kLayouts[0];
  const Fenced<3, float> in(Shape3(2, 4, 8), layout), out(Shape3(2, 4, 8), layout);
  moved_views::OverPixels(out.tensor, in.tensor);
  out.Expect([&](index_t y, index_t x) { return 4 + in.At(y, x) / 32; });
}

/// The check comes before the first kernel, which does not need the extent.
TEST(MovedViews, ExtentsThatARankDoesNotHaveThrow) {
  float in[4] = {1, 2, 3, 4}, out[4] = {5, 6, 7, 8};
  const mshadow::Tensor<mshadow::cpu, 1, float> from(in, Shape1(4)), to(out, Shape1(4));
  try {
    moved_views::OverPixels(to, from);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const mshadow::Error &error) {
    EXPECT_STREQ(error.what(),
                 "OverPixels: argument 'in': expected a tensor of rank 2 or more, got one of rank 1");
  }
  EXPECT_THAT(out, testing::ElementsAre(5, 6, 7, 8));
}

}  // namespace
