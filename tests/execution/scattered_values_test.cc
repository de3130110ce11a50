// SPDX-License-Identifier: Apache-2.0
#include <mshadow/parallel.h>

#include "fenced_tensor.h"
#include "scattered_values.gen.h"

namespace {

using mshadow::Shape1;
using mshadow::Shape2;
using namespace mshadow_test;

/// Values and their columns. Some columns are outside of the matrix, and some are the same.
template <typename DType, typename IType>
struct Scattered {
  Scattered(index_t rows, index_t places, index_t cols, const Layout &layout)
      : values(Shape2(rows, places), layout), columns(Shape2(rows, places), layout) {
    for (index_t y = 0; y < rows; ++y) {
      for (index_t i = 0; i < places; ++i) {
        const index_t column = (y * 31 + i * i * 7) % (cols + 2) - 1;
        columns.tensor.dptr_[y * columns.tensor.stride_ + i] = IType(static_cast<float>(column));
      }
    }
  }
  /// \param added to each value
  double At(index_t y, index_t x, double added = 0) const {
    double sum = 0;
    for (index_t i = 0; i < values.tensor.size(1); ++i) {
      if (columns.At(y, i) == static_cast<float>(x)) sum += values.At(y, i) + added;
    }
    return sum;
  }

  const Fenced<2, DType> values;
  const Fenced<2, IType> columns;
};

constexpr index_t kPlaces[] = {0, 1, 2, 8, 9, 40};

template <typename DType, typename IType>
void CompareStore(const Layout &layout, index_t rows, index_t places, index_t cols) {
  const Scattered<DType, IType> in(rows, places, cols, layout);
  const Fenced<2, DType> out(Shape2(rows, cols), layout);
  scattered_values::Store(out.tensor, in.values.tensor, in.columns.tensor);
  out.Expect([&](index_t y, index_t x) {
    return static_cast<float>(DType(static_cast<float>(in.At(y, x))));
  });
}

TEST(ScatteredValues, AreStored) {
  Everywhere([](const Layout &layout) {
    for (const index_t cols : kWidths) {
      for (const index_t places : kPlaces) {
        CompareStore<float, int64_t>(layout, 5, places, cols);
        CompareStore<double, int32_t>(layout, 3, places, cols);
        CompareStore<mshadow::half::half_t, float>(layout, 4, places, cols);
        CompareStore<int32_t, int16_t>(layout, 5, places, cols);
      }
    }
  });
}

TEST(ScatteredValues, InRowsLongerThanABlock) {
  Everywhere([](const Layout &layout) {
    for (const index_t places : {index_t{3}, index_t{70}, index_t{900}}) {
      CompareStore<float, int64_t>(layout, 3, places, 4999);
    }
  });
}

TEST(ScatteredValues, ThatThreadsShare) {
  mshadow::SetNumThreads(3);
  for (const index_t places : {index_t{5}, index_t{130}}) {
    CompareStore<float, int64_t>(kLayouts[0], 1001, places, 1000);
  }
  mshadow::SetNumThreads(1);
}

template <typename DType>
void CompareChange(const Layout &layout, index_t places, index_t cols) {
  const Scattered<float, int64_t> in(5, places, cols, layout);
  const Fenced<2, DType> out(Shape2(5, cols), layout);
  const Fenced<2, float> scaled(Shape2(5, cols), layout);
  scattered_values::Change(out.tensor, scaled.tensor, in.values.tensor, in.columns.tensor, 3.0f);
  scaled.Expect([&](index_t y, index_t x) { return 3 * static_cast<float>(in.At(y, x, 1)); });
  out.Expect([&](index_t y, index_t x) {
    const auto e = static_cast<float>(in.At(y, x, 1));
    return static_cast<float>(mshadow::ScalarCast<DType>(e > 50 ? e : -1.0f));
  });
}

TEST(ScatteredValues, AreChanged) {
  Everywhere([](const Layout &layout) {
    for (const index_t cols : kWidths) {
      for (const index_t places : {index_t{0}, index_t{1}, index_t{2}, index_t{8}}) {
        CompareChange<float>(layout, places, cols);
        CompareChange<mshadow::bfloat::bf16_t>(layout, places, cols);
        if (places <= 1) CompareChange<int8_t>(layout, places, cols);  // a sum may not fit
      }
    }
  });
}

TEST(ScatteredValues, BesideOthers) {
  Everywhere([](const Layout &layout) {
    for (const index_t cols : kWidths) {
      for (const index_t places : kPlaces) {
        const Scattered<float, int64_t> in(5, places, cols, layout);
        const Fenced<2, float> out(Shape2(5, cols), layout);
        scattered_values::Add(out.tensor, in.values.tensor, in.columns.tensor);
        const auto first = [&](index_t y, index_t x) {
          return static_cast<float>((y * cols + x) % 113 + 1);
        };
        out.Expect(
            [&](index_t y, index_t x) { return first(y, x) + static_cast<float>(in.At(y, x)); });
        const Fenced<1, float> totals(Shape1(5), layout);
        scattered_values::Total(totals.tensor, out.tensor, in.values.tensor, in.columns.tensor);
        totals.Expect([&](index_t, index_t y) {
          double sum = 0;
          for (index_t x = 0; x < cols; ++x) sum += out.At(y, x) * in.At(y, x);
          return static_cast<float>(sum);  // of integers that float has
        });
      }
    }
  });
}

}  // namespace
