// SPDX-License-Identifier: Apache-2.0
// Elements several times, in other shapes, by indices and in windows: against loops over
// coordinates, for each instruction set, with a guard page before or behind each tensor, rows that
// are padded or not, and shapes that fill packets or do not.
#include <gtest/gtest.h>
#include <mshadow/detail/exception.h>
#include <mshadow/list.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fenced_tensor.h"
#include "indexed_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::Guard;
using mshadow_test::kWidths;
using mshadow_test::Layout;

template <typename DType>
void CompareRepeatedPixels() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, DType> in(Shape3(2, 3, width), layout);
      const Fenced<3, DType> out(Shape3(2, 6, 2 * width), layout);
      indexed_views::Twice(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) { return in.At(y / 6 * 3 + y % 6 / 2, x / 2); });
      const Fenced<2, DType> image(Shape2(2, width), layout);
      const Fenced<2, DType> larger(Shape2(12, 3 * (width + 2)), layout);
      indexed_views::Thrice(larger.tensor, image.tensor);
      larger.Expect([&](index_t y, index_t x) { return image.AtOrZero(y / 3 - 1, x / 3 - 1); });
    }
  });
}

TEST(IndexedViews, PixelsAreRepeated) {
  CompareRepeatedPixels<float>();
  CompareRepeatedPixels<double>();
  CompareRepeatedPixels<mshadow::half::half_t>();
  CompareRepeatedPixels<int8_t>();
}

TEST(IndexedViews, PixelsAreRepeatedAsOftenAsTheLaunchSays) {
  Everywhere([](const Layout &layout) {
    for (const int times : {1, 2, 5, 40}) {
      const Fenced<2, float> in(Shape2(3, 7), layout);
      const Fenced<2, float> out(Shape2(3 * times, 7 * times), layout);
      indexed_views::Enlarged(out.tensor, in.tensor, times);
      out.Expect([&](index_t y, index_t x) { return in.At(y / times, 6 - x / times); });
    }
  });
}

template <typename DType>
void CompareShapes() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, DType> in(Shape3(2, 3, width), layout);
      for (const index_t rows : {1, 2, 3, 6}) {
        const Fenced<2, DType> out(Shape2(rows, 6 / rows * width), layout);
        indexed_views::Reshaped(out.tensor, in.tensor);
        out.Expect([&](index_t y, index_t x) { return in.At(y * (6 / rows * width) + x); });
      }
      const Fenced<2, DType> narrow(Shape2(2 * width, 3), layout);
      indexed_views::Reshaped(narrow.tensor, in.tensor);
      narrow.Expect([&](index_t y, index_t x) { return in.At(3 * y + x); });
    }
  });
}

TEST(IndexedViews, TheSameElementsInAnotherShape) {
  CompareShapes<float>();
  CompareShapes<double>();
  CompareShapes<mshadow::half::half_t>();
  CompareShapes<int8_t>();
}

TEST(IndexedViews, ElementsOfOtherViewsInAnotherShape) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> in(Shape2(4, width), layout);
      const Fenced<2, float> out(Shape2(2, 2 * width), layout);
      indexed_views::ReshapedTranspose(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        const index_t n = y * 2 * width + x;
        return in.At(n % 4, n / 4);
      });
      const Fenced<2, float> often(Shape2(10, 2 * width), layout);
      indexed_views::Repeated(often.tensor, in.tensor);
      often.Expect([&](index_t y, index_t x) { return in.At((y * 2 * width + x) / 5); });
      const Fenced<1, float> scale(Shape1(2), layout);
      const Fenced<3, float> cube(Shape3(2, width, 2), layout);
      indexed_views::ReshapedAnyRank(cube.tensor, in.tensor, scale.tensor);
      cube.Expect([&](index_t y, index_t x) {
        const index_t n = 2 * y + x;
        return in.At(n / width, width - 1 - n % width) * scale.At(x);
      });
    }
  });
}

TEST(IndexedViews, SumsOfRowsOfAnotherShape) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, float> in(Shape3(2, 3, width), layout);
      const Fenced<2, float> out(Shape2(3, 2 * width), layout);
      const Fenced<1, float> sums(Shape1(3), layout);
      indexed_views::SumsOfReshaped(sums.tensor, out.tensor, in.tensor);
      for (index_t y = 0; y < 3; ++y) {
        float sum = 0;  // of numbers that floats have
        for (index_t x = 0; x < 2 * width; ++x) sum += in.At(y * 2 * width + x);
        ASSERT_EQ(sums.At(y), sum);
      }
      out.Expect([&](index_t y, index_t x) { return in.At(y * 2 * width + x) - sums.At(y); });
    }
  });
}

template <typename DType>
void ComparePatches() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {1, 2, 7, 16, 40}) {
      const Fenced<4, DType> in(Shape4(2, 3, 5, width), layout);
      // Of 7 x (width + 2) pixels patches of 3 x 2, 2 x 1 apart, in which columns are 2 apart.
      const index_t across = width;
      const Fenced<2, DType> out(Shape2(3 * 3 * 2, 2 * 3 * across), layout);
      indexed_views::Patches(out.tensor, in.tensor);
      out.Expect([&](index_t row, index_t patch) {
        const index_t channel = row / 6, dy = row / 2 % 3, dx = row % 2;
        const index_t image = patch / (3 * across), py = patch / across % 3, px = patch % across;
        const index_t y = 2 * py + dy - 1, x = px + 2 * dx - 1;
        const bool is_inside = 0 <= y && y < 5 && 0 <= x && x < width;
        return is_inside ? in.At((image * 3 + channel) * 5 + y, x) : 0.0f;
      });
    }
  });
}

TEST(IndexedViews, PatchesOfPaddedImages) {
  ComparePatches<float>();
  ComparePatches<double>();
  ComparePatches<mshadow::half::half_t>();
  ComparePatches<int8_t>();
}

TEST(IndexedViews, PatchesThatAreApart) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {2, 5, 17, 60, 100}) {
      const Fenced<3, float> in(Shape3(2, 4, width), layout);  // of rows 0 and 3
      const index_t across = (width + 4 - 3) / 3 + 1;
      const Fenced<2, float> out(Shape2(2 * 3, 2 * across), layout);
      indexed_views::PatchesAcross(out.tensor, in.tensor);
      out.Expect([&](index_t row, index_t patch) {
        const index_t x = 3 * (patch % across) + row % 3 - 2;
        return x < 0 || x >= width ? 0.0f : in.At(row / 3 * 4 + patch / across * 3, x);
      });
    }
  });
}

template <typename DType, typename Index>
void CompareTakenRows() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, DType> table(Shape2(5, width), layout);
      const Fenced<1, Index> index(Shape1(7), layout);
      const int numbers[] = {4, 0, 4, 2, 1, 0, 3};
      for (int i = 0; i < 7; ++i) index.tensor.dptr_[i] = Index(static_cast<float>(numbers[i]));
      const Fenced<2, DType> out(Shape2(7, width), layout);
      indexed_views::Taken(out.tensor, table.tensor, index.tensor);
      out.Expect([&](index_t y, index_t x) { return table.At(numbers[y], x); });
    }
  });
}

TEST(IndexedViews, RowsByIndices) {
  CompareTakenRows<float, int32_t>();
  CompareTakenRows<float, float>();
  CompareTakenRows<double, int64_t>();
  CompareTakenRows<mshadow::half::half_t, mshadow::half::half_t>();
  CompareTakenRows<int8_t, uint8_t>();
}

TEST(IndexedViews, ColumnsOfRowsByIndices) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> table(Shape2(3, width), layout);
      const Fenced<1, int32_t> index(Shape1(5), layout);  // of five rows, two of them of zeros
      const int numbers[] = {4, 0, 3, 2, 1};
      for (int i = 0; i < 5; ++i) index.tensor.dptr_[i] = numbers[i];
      const Fenced<2, float> out(Shape2(5, width + 4), layout);
      indexed_views::TakenColumns(out.tensor, table.tensor, index.tensor);
      out.Expect(
          [&](index_t y, index_t x) { return table.AtOrZero(numbers[y] - 1, width + 1 - x); });
    }
  });
}

TEST(IndexedViews, AnIndexThatIsNoRowThrowsBeforeTheFirstWrite) {
  const Layout layout = {Guard::kAfter, 0};
  const Fenced<2, float> table(Shape2(5, 3), layout), out(Shape2(2, 3), layout);
  const Fenced<1, float> index(Shape1(2), layout);
  for (const float wrong : {-1.0f, 5.0f, 1e30f, std::numeric_limits<float>::quiet_NaN()}) {
    index.tensor.dptr_[1] = wrong;
    EXPECT_THROW(indexed_views::Taken(out.tensor, table.tensor, index.tensor), mshadow::Error);
    out.Expect([](index_t y, index_t x) { return static_cast<float>(3 * y + x + 1); });
  }
  index.tensor.dptr_[1] = 4.9f;  // fractions are cut off
  indexed_views::Taken(out.tensor, table.tensor, index.tensor);
  EXPECT_EQ(out.At(1, 2), table.At(4, 2));
}

TEST(IndexedViews, AListThrowsForAnIndexThatIsNoRow) {
  const Layout layout = {Guard::kAfter, 0};
  const Fenced<2, float> table(Shape2(5, 3), layout), out(Shape2(2, 3), layout);
  const Fenced<1, float> index(Shape1(2), layout);
  mshadow::RuleList list;
  index.tensor.dptr_[1] = 5;
  auto group = list.Group<indexed_views::TakenRule>();
  EXPECT_THROW(group.Add(out.tensor, table.tensor, index.tensor), mshadow::Error);
  index.tensor.dptr_[1] = 4;
  group.Add(out.tensor, table.tensor, index.tensor);
  index.tensor.dptr_[1] = 5;
  EXPECT_THROW(list.Run(), mshadow::Error);
  out.Expect([](index_t y, index_t x) { return static_cast<float>(3 * y + x + 1); });
  index.tensor.dptr_[1] = 4;
  list.Run();
  EXPECT_EQ(out.At(1, 2), table.At(4, 2));
}

template <typename DType>
void CompareLargest() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      for (const index_t more : {0, 1}) {
        const Fenced<3, DType> in(Shape3(2, 5, 2 * width + 2 + more), layout);
        const Fenced<3, DType> out(Shape3(2, 2, width + 1), layout);
        indexed_views::Largest(out.tensor, in.tensor);
        out.Expect([&](index_t row, index_t x) {
          const index_t y = row / 2 * 5 + row % 2 * 2;
          return std::max(std::max(in.At(y, 2 * x), in.At(y, 2 * x + 1)),
                          std::max(in.At(y + 1, 2 * x), in.At(y + 1, 2 * x + 1)));
        });
      }
    }
  });
}

TEST(IndexedViews, LargestOfWindows) {
  CompareLargest<float>();
  CompareLargest<double>();
  CompareLargest<mshadow::half::half_t>();
  CompareLargest<int8_t>();
}

template <typename DType>
void CompareSums() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      if (width == 0) continue;  // no window lies within the border
      const Fenced<2, DType> in(Shape2(3, width), layout), out(Shape2(3, width), layout);
      indexed_views::Sums(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        float sum = 0;
        for (index_t i = y - 1; i <= y + 1; ++i) {
          for (index_t j = x - 1; j <= x + 1; ++j) sum += in.AtOrZero(i, j);
        }
        const bool wraps = sizeof(DType) == 1;
        return wraps ? static_cast<float>(static_cast<int8_t>(static_cast<int>(sum))) : sum;
      });
    }
  });
}

TEST(IndexedViews, SumsOfWindowsOfABorder) {
  CompareSums<float>();
  CompareSums<double>();
  CompareSums<mshadow::half::half_t>();
  CompareSums<int8_t>();
}

TEST(IndexedViews, SmallestOfWindowsThatTheLaunchKnows) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {1, 5, 16, 47, 100}) {
      for (const int columns : {1, 2, 4}) {
        const Fenced<2, float> in(Shape2(4, width), layout);
        const Fenced<2, float> out(Shape2(2, (width + 4 - columns) / 3 + 1), layout);
        indexed_views::Smallest(out.tensor, in.tensor, 3, columns);
        out.Expect([&](index_t y, index_t x) {
          float least = in.AtOrZero(y, 3 * x - 2);
          for (index_t i = y; i < y + 3; ++i) {
            for (index_t j = 3 * x - 2; j < 3 * x - 2 + columns; ++j) {
              least = std::min(least, in.AtOrZero(i, j));
            }
          }
          return least;
        });
      }
    }
  });
}

TEST(IndexedViews, SumsOfRowsOfWindows) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {3, 4, 33, 100}) {
      const Fenced<2, float> in(Shape2(3, width), layout);
      const Fenced<1, float> sums(Shape1(3), layout);
      indexed_views::SumsOfLargest(sums.tensor, in.tensor);
      sums.Expect([&](index_t, index_t y) {
        float sum = 0;
        for (index_t x = 0; x + 3 <= width; x += 2) {
          sum += std::max(std::max(in.At(y, x), in.At(y, x + 1)), in.At(y, x + 2));
        }
        return sum;
      });
    }
  });
}

TEST(IndexedViews, WindowsOfChannels) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<4, float> in(Shape4(2, 4, 2, width), layout), out(in.tensor.shape_, layout);
      indexed_views::NearChannels(out.tensor, in.tensor);
      out.Expect([&](index_t row, index_t x) {
        const index_t channel = row / 2 % 4;
        float sum = in.At(row, x) + in.At(row, x) * in.At(row, x);
        if (channel > 0) sum += in.At(row - 2, x);
        return channel < 3 ? sum + in.At(row + 2, x) : sum;
      });
      const Fenced<3, float> some(Shape3(2, 2, width + 2), layout);
      const Fenced<3, float> few(Shape3(3, 2, width), layout);
      indexed_views::SomeChannels(some.tensor, few.tensor, 3);
      some.Expect([&](index_t row, index_t x) {
        const index_t y = row % 2;
        const auto at = [&](index_t channel) {
          const bool is_inside = 0 < x && x <= width;
          return is_inside ? few.At(2 * channel + y, x - 1) : 0.0f;
        };
        return row < 2 ? at(0) * at(1) : at(1) * at(2);
      });
    }
  });
}

TEST(IndexedViews, ANanIsTheLargestOfItsWindows) {
  Everywhere([](const Layout &layout) {
    for (index_t place = 0; place < 40; ++place) {
      const Fenced<3, float> in(Shape3(1, 2, 80), layout), out(Shape3(1, 1, 40), layout);
      in.tensor.dptr_[2 * place + place % 2] = std::numeric_limits<float>::quiet_NaN();
      indexed_views::Largest(out.tensor, in.tensor);
      for (index_t x = 0; x < 40; ++x) ASSERT_EQ(std::isnan(out.At(0, x)), x == place) << place;
    }
  });
}

}  // namespace
