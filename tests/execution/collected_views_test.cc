// SPDX-License-Identifier: Apache-2.0
// Short rows of views, which a loop copies one behind the other: against loops over coordinates, as
// indexed_views_test.cc. Rows of more than eight elements are read where they are.
#include <gtest/gtest.h>
#include <mshadow/parallel.h>

#include "collected_views_rules.h"
#include "fenced_tensor.h"

namespace {

using mshadow::index_t;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::Layout;

constexpr index_t kChannels[] = {1, 2, 3, 4, 5, 8, 9};
constexpr index_t kColumns[] = {1, 2, 7, 129};

/// A result as an element holds it.
template <typename DType>
float Stored(float value) {
  return static_cast<float>(DType(value));
}

template <typename DType>
void CompareFlip(const Layout &layout, index_t rows, index_t cols, index_t channels) {
  const auto shape = Shape3(rows, cols, channels);
  const Fenced<3, DType> out(shape, layout), before(shape, layout), in(shape, layout);
  collected_views::Flip(out.tensor, in.tensor);
  out.Expect([&](index_t y, index_t x) {
    const index_t from = y / cols * cols + cols - 1 - y % cols;
    return Stored<DType>(before.At(y, x) + in.At(from, x));
  });
}
template <typename DType>
void CompareFlips() {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : kChannels) {
      for (const index_t cols : kColumns) {
        for (const index_t rows : {0, 1, 9}) CompareFlip<DType>(layout, rows, cols, channels);
      }
    }
  });
}

TEST(CollectedViews, OfColumns) {
  CompareFlips<float>();
  CompareFlips<double>();
  CompareFlips<mshadow::half::half_t>();
  CompareFlips<uint8_t>();
}

/// A thread begins within a row.
TEST(CollectedViews, BySeveralThreads) {
  mshadow::SetNumThreads(3);
  CompareFlip<float>(mshadow_test::kLayouts[0], 301, 257, 3);
  CompareFlip<uint8_t>(mshadow_test::kLayouts[0], 70001, 3, 1);
  mshadow::SetNumThreads(0);
}

template <typename DType>
void CompareChannels() {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : kChannels) {
      for (const index_t cols : kColumns) {
        const index_t rows = 5;
        const auto shape = Shape3(rows, cols, channels);
        const Fenced<3, DType> out(shape, layout), in(shape, layout);
        const Fenced<3, int32_t> other(Shape3(rows, cols + 1, channels), layout);
        collected_views::Channels(out.tensor, in.tensor, other.tensor);
        out.Expect([&](index_t y, index_t x) {
          const index_t from = (rows - 1 - y / cols) * (cols + 1) + y % cols + 1;
          return in.At(y, channels - 1 - x) - other.At(from, x);
        });
      }
    }
  });
}

TEST(CollectedViews, OfTwoTypes) {
  CompareChannels<float>();
  CompareChannels<double>();
}

template <typename DType>
void CompareUpside() {
  Everywhere([](const Layout &layout) {
    for (const index_t cols : kChannels) {
      for (const index_t rows : {1, 40, 5001}) {
        const Fenced<2, DType> out(Shape2(rows, cols), layout), in(Shape2(rows, cols), layout);
        collected_views::Upside(out.tensor, in.tensor);
        out.Expect([&](index_t y, index_t x) {
          const int twice = static_cast<int>(in.At(rows - 1 - y, x)) * 2;
          return static_cast<float>(static_cast<DType>(twice));
        });
      }
    }
  });
}

TEST(CollectedViews, OfMatrices) {
  CompareUpside<float>();
  CompareUpside<int8_t>();
}

template <typename DType>
void CompareTurn() {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : kChannels) {
      for (const index_t cols : kColumns) {
        const index_t rows = 5;
        const Fenced<3, DType> out(Shape3(rows, cols, channels), layout);
        const Fenced<3, DType> in(Shape3(cols, rows, channels), layout);
        for (const bool doubles : {false, true}) {
          collected_views::Turn(out.tensor, in.tensor, doubles);
          out.Expect([&](index_t y, index_t x) {
            const float element = in.At(y % cols * rows + y / cols, x);
            return Stored<DType>(element * (doubles ? 2.0f : 1.0f));
          });
        }
      }
    }
  });
}

TEST(CollectedViews, InBranches) {
  CompareTurn<float>();
  CompareTurn<uint8_t>();
}

}  // namespace
