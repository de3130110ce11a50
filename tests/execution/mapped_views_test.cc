// SPDX-License-Identifier: Apache-2.0
// Arithmetic at other places: against loops over coordinates, as indexed_views_test.cc.
#include <gtest/gtest.h>
#include <mshadow/detail/exception.h>
#include <mshadow/functions.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fenced_tensor.h"
#include "mapped_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::Guard;
using mshadow_test::kWidths;
using mshadow_test::Layout;

/// As a rule rounds it.
template <typename DType>
float As(float value) {
  return static_cast<float>(DType(value));
}

template <typename DType>
void CompareTransposed() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, DType> a(Shape2(width, 5), layout), b(Shape2(width, 5), layout);
      const Fenced<2, DType> out(Shape2(5, width), layout);
      mapped_views::Transposed(out.tensor, a.tensor, b.tensor, 0.25f);
      out.Expect([&](index_t y, index_t x) {
        return As<DType>(As<DType>(a.At(x, y) * b.At(x, y)) + 0.25f);
      });
    }
  });
}

TEST(MappedViews, AProductTransposed) {
  CompareTransposed<float>();
  CompareTransposed<double>();
  CompareTransposed<mshadow::half::half_t>();
}

TEST(MappedViews, ElementsOfOtherTypes) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, mshadow::half::half_t> a(Shape2(3, width), layout);
      const Fenced<2, int32_t> b(Shape2(width, 3), layout);
      const Fenced<2, float> out(Shape2(3, width), layout);
      mapped_views::Rounded(out.tensor, a.tensor, b.tensor);
      out.Expect([&](index_t y, index_t x) {
        const index_t from = width - 1 - x;
        return a.At(y, from) * 0.5f - 2 * b.At(from, y);
      });
    }
  });
}

template <typename DType>
void CompareBordered() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, DType> a(Shape2(2, width), layout), b(Shape2(2, width), layout);
      const Fenced<2, DType> out(Shape2(4, width + 2), layout);
      for (index_t x = 0; x < width; ++x) b.tensor.dptr_[x] = DType(static_cast<float>(x % 5) - 2);
      mapped_views::Bordered(out.tensor, a.tensor, b.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float left = a.AtOrZero(y - 1, x - 1), right = b.AtOrZero(y - 1, x - 1);
        const float square = As<DType>(As<DType>(right * right) * 2);
        const float sum = As<DType>(As<DType>(left + square) * 3);
        return As<DType>(sum - std::max(As<DType>(left - right), 0.0f));
      });
    }
  });
}

TEST(MappedViews, SumsAndProductsWithABorder) {
  CompareBordered<float>();
  CompareBordered<mshadow::half::half_t>();
}

TEST(MappedViews, ABorderIsZeroWhateverIsComputed) {
  Everywhere([](const Layout &layout) {
    for (const float scale : {-1.0f, std::numeric_limits<float>::infinity()}) {
      for (const index_t width : kWidths) {
        const Fenced<2, float> in(Shape2(2, width), layout);
        const Fenced<2, float> out(Shape2(4, width + 2), layout), other(out.tensor.shape_, layout);
        mapped_views::Guarded(out.tensor, other.tensor, in.tensor, scale);
        out.Expect([&](index_t y, index_t x) {
          const float element = in.AtOrZero(y - 1, x - 1);
          return element == 0 ? 0 : element * scale;
        });
        for (index_t x = 0; x < width + 2; ++x) {
          EXPECT_FALSE(std::signbit(out.At(0, x)));
          EXPECT_FALSE(std::signbit(other.At(0, x)));
        }
        other.Expect(
            [&](index_t y, index_t x) { return in.AtOrZero(y - 1, x - 1) == 0 ? 0.0f : -1.0f; });
      }
    }
  });
}

TEST(MappedViews, ABorderThatIsCutOffAgain) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> a(Shape2(3, width), layout), b(Shape2(3, width), layout);
      const Fenced<2, float> out(Shape2(3, width), layout);
      mapped_views::Shifted(out.tensor, a.tensor, b.tensor);
      out.Expect([&](index_t y, index_t x) {
        return a.AtOrZero(y - 1, x + 1) + b.AtOrZero(y - 1, x + 1) +
               a.AtOrZero(y + 1, x) * b.AtOrZero(y + 1, x);
      });
    }
  });
}

TEST(MappedViews, ChoicesSeveralTimes) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> a(Shape2(3, width), layout), b(Shape2(3, width), layout);
      const Fenced<2, float> out(Shape2(6, 2 * width), layout);
      for (index_t x = 0; x < width; x += 2) b.tensor.dptr_[x] = 0;
      mapped_views::Repeated(out.tensor, a.tensor, b.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float left = a.At(y / 2, x / 2), right = b.At(y / 2, x / 2);
        return left > right ? left : 2 * right;
      });
    }
  });
}

TEST(MappedViews, RowsByIndices) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> a(Shape2(3, width), layout), b(Shape2(3, width), layout);
      const Fenced<1, int32_t> index(Shape1(4), layout);
      const int numbers[] = {2, 0, 0, 1};
      for (int i = 0; i < 4; ++i) index.tensor.dptr_[i] = numbers[i];
      const Fenced<2, float> out(Shape2(4, width), layout);
      mapped_views::Taken(out.tensor, a.tensor, b.tensor, index.tensor);
      out.Expect([&](index_t y, index_t x) {
        return a.At(numbers[y], x) - b.At(numbers[y], width - 1 - x);
      });
    }
  });
}

TEST(MappedViews, QuotientsInAnotherShape) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, float> a(Shape3(2, 3, width), layout), b(Shape3(2, 3, width), layout);
      const Fenced<2, float> out(Shape2(3, 2 * width), layout);
      for (index_t y = 0; y < 6; ++y) {
        for (index_t x = 0; x < width; ++x) a.tensor.dptr_[y * a.tensor.stride_ + x] *= 0.125f;
      }
      mapped_views::Reshaped(out.tensor, a.tensor, b.tensor);
      out.Expect([&](index_t y, index_t x) {
        const index_t n = y * 2 * width + x;
        return mshadow::math::exp(a.At(n)) / b.At(n);
      });
    }
  });
}

TEST(MappedViews, OperandsThatDoNotFitThrowBeforeTheFirstWrite) {
  const Layout layout = {Guard::kAfter, 0};
  const Fenced<2, float> out(Shape2(3, 4), layout), fits(Shape2(3, 4), layout);
  const Fenced<2, float> larger(Shape2(4, 5), layout);  // of which a part would fit
  EXPECT_THROW(mapped_views::Shifted(out.tensor, fits.tensor, larger.tensor), mshadow::Error);
  const Fenced<3, float> a(Shape3(2, 3, 2), layout), b(Shape3(3, 2, 2), layout);
  EXPECT_THROW(mapped_views::Reshaped(out.tensor, a.tensor, b.tensor), mshadow::Error);
  out.Expect([](index_t y, index_t x) { return static_cast<float>(4 * y + x + 1); });
}

}  // namespace
