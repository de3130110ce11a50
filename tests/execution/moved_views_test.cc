// SPDX-License-Identifier: Apache-2.0
// Elements at other coordinates, which only the launch knows: against loops over coordinates, as
// indexed_views_test.cc.
#include <gtest/gtest.h>

#include "fenced_tensor.h"
#include "moved_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape2;
using mshadow::Shape3;
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

}  // namespace
