// SPDX-License-Identifier: Apache-2.0
// Kernels that reduce rows and read across the rows of a tensor: they give the bits of the same
// kernels on a transposed copy, in shapes that are a band, parts of one, and several.
#include <gtest/gtest.h>

#include "banded_rows_rules.h"
#include "fenced_tensor.h"

namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::Layout;

/// Bands have 8 to 64 rows, by the size of an element; in rows of more than 2,000 elements 2 to 16,
/// and there are none in rows of more than 11,000.
constexpr index_t kShapes[][2] = {{0, 5},    {5, 0},    {1, 130},   {7, 1},    {8, 3},
                                  {9, 2},    {15, 33},  {16, 16},   {40, 7},   {33, 128},
                                  {64, 129}, {100, 60}, {20, 2100}, {9, 17000}};

/// Calls test(layout, rows, cols).
template <typename Test>
void InAllShapes(const Test &test) {
  Everywhere([&](const Layout &layout) {
    for (const auto &shape : kShapes) test(layout, shape[0], shape[1]);
  });
}

/// A matrix and its transpose.
template <typename DType>
struct Pair {
  Pair(index_t rows, index_t cols, const Layout &layout)
      : plain(Shape2(rows, cols), layout), across(Shape2(cols, rows), layout) {
    for (index_t y = 0; y < rows; ++y) {
      for (index_t x = 0; x < cols; ++x) plain.tensor[y][x] = across.tensor[x][y];
    }
  }
  const Fenced<2, DType> plain, across;
};

/// Expects the elements of `plain` in `out`.
template <int dim, typename DType>
void ExpectSame(const Fenced<dim, DType> &out, const Fenced<dim, DType> &plain) {
  out.Expect([&](index_t y, index_t x) { return plain.At(y, x); });
}

template <typename DType>
void CompareSoftmax() {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Fenced<2, DType> out(Shape2(rows, cols), layout), plain(Shape2(rows, cols), layout);
    const Pair<DType> in(rows, cols, layout);
    banded_rows::Softmax(out.tensor, in.across.tensor);
    banded_rows::PlainSoftmax(plain.tensor, in.plain.tensor);
    ExpectSame(out, plain);
  });
}

TEST(BandedRows, BySeveralSweeps) {
  CompareSoftmax<float>();
  CompareSoftmax<double>();
  CompareSoftmax<mshadow::half::half_t>();
}

template <typename DType>
void CompareDots(const Layout &layout, index_t rows, index_t cols) {
  const Fenced<1, DType> out(Shape1(rows), layout), plain(Shape1(rows), layout);
  const Pair<DType> a(rows, cols, layout), c(rows, cols, layout);
  const Fenced<2, DType> b(Shape2(rows, cols), layout);
  banded_rows::Dots(out.tensor, a.across.tensor, b.tensor, c.across.tensor);
  banded_rows::PlainDots(plain.tensor, a.plain.tensor, b.tensor, c.plain.tensor);
  ExpectSame(out, plain);
}

TEST(BandedRows, OfTwoMatrices) {
  InAllShapes(CompareDots<float>);
  InAllShapes(CompareDots<double>);
  InAllShapes(CompareDots<int8_t>);
}

/// The parts of the threads begin within bands.
TEST(BandedRows, BySeveralThreads) {
  mshadow::SetNumThreads(3);
  CompareDots<float>(mshadow_test::kLayouts[2], 701, 303);
  CompareDots<int8_t>(mshadow_test::kLayouts[0], 2001, 101);
  mshadow::SetNumThreads(0);
}

template <typename DType>
void CompareRowsAndColumns() {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Fenced<2, DType> out(Shape2(rows, cols), layout), plain(Shape2(rows, cols), layout);
    const Fenced<1, DType> sums(Shape1(cols), layout), plain_sums(Shape1(cols), layout);
    const Pair<DType> in(rows, cols, layout);
    banded_rows::RowsAndColumns(out.tensor, sums.tensor, in.across.tensor);
    banded_rows::PlainRowsAndColumns(plain.tensor, plain_sums.tensor, in.plain.tensor);
    ExpectSame(out, plain);
    ExpectSame(sums, plain_sums);
  });
}

TEST(BandedRows, WithLeavesOfColumns) {
  CompareRowsAndColumns<float>();
  CompareRowsAndColumns<double>();
}

template <typename DType>
void ComparePlanes() {
  Everywhere([](const Layout &layout) {
    for (const index_t rows : {1, 5, 16, 49}) {
      for (const index_t cols : {1, 7, 130}) {
        const auto shape = Shape3(3, rows, cols);
        const Fenced<3, DType> out(shape, layout), plain(shape, layout), across(shape, layout);
        const Fenced<3, DType> in(Shape3(3, cols, rows), layout);
        for (index_t p = 0; p < 3; ++p) {
          for (index_t y = 0; y < rows; ++y) {
            for (index_t x = 0; x < cols; ++x) across.tensor[p][y][x] = in.tensor[p][x][y];
          }
        }
        banded_rows::Planes(out.tensor, in.tensor);
        banded_rows::PlainPlanes(plain.tensor, across.tensor);
        ExpectSame(out, plain);
      }
    }
  });
}

TEST(BandedRows, OfPlanes) {
  ComparePlanes<float>();
  ComparePlanes<uint8_t>();
}

/// Two images of channels, by channels and by pixels.
template <typename DType>
struct Images {
  Images(index_t rows, index_t cols, index_t channels, const Layout &layout)
      : pixels(Shape4(2, rows, cols, channels), layout),
        planes(Shape4(2, channels, rows, cols), layout) {
    for (index_t image = 0; image < 2; ++image) {
      for (index_t y = 0; y < rows; ++y) {
        for (index_t x = 0; x < cols; ++x) {
          for (index_t c = 0; c < channels; ++c) {
            pixels.tensor[image][y][x][c] = planes.tensor[image][c][y][x];
          }
        }
      }
    }
  }
  const Fenced<4, DType> pixels, planes;
};

template <typename DType>
void ComparePixels(const Layout &layout, index_t rows, index_t cols, index_t channels) {
  const auto shape = Shape4(2, rows, cols, channels);
  const Fenced<4, DType> out(shape, layout), plain(shape, layout);
  const Images<DType> in(rows, cols, channels, layout);
  banded_rows::Pixels(out.tensor, in.planes.tensor);
  banded_rows::PlainPixels(plain.tensor, in.pixels.tensor);
  ExpectSame(out, plain);
}

TEST(BandedRows, OfImages) {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : {1, 3, 40}) {
      for (const index_t cols : {1, 5, 16, 33}) {
        ComparePixels<float>(layout, 3, cols, channels);
        ComparePixels<mshadow::half::half_t>(layout, 2, cols, channels);
      }
    }
  });
}

/// Only one of two tensors has gaps between its rows.
template <typename DType>
void CompareTwoImages(const Layout &layout, index_t rows, index_t cols, index_t channels) {
  Layout other = layout;
  other.gap = layout.gap == 0 ? 3 : 0;
  const auto shape = Shape4(2, rows, cols, channels);
  const Fenced<4, DType> out(shape, layout), plain(shape, layout);
  const Images<DType> a(rows, cols, channels, layout), b(rows, cols, channels, other);
  banded_rows::TwoImages(out.tensor, a.planes.tensor, b.planes.tensor);
  banded_rows::PlainTwoImages(plain.tensor, a.pixels.tensor, b.pixels.tensor);
  ExpectSame(out, plain);
  banded_rows::TwoImages(out.tensor, b.planes.tensor, a.planes.tensor);
  banded_rows::PlainTwoImages(plain.tensor, b.pixels.tensor, a.pixels.tensor);
  ExpectSame(out, plain);
}

TEST(BandedRows, OfTwoImages) {
  Everywhere([](const Layout &layout) {
    for (const index_t channels : {3, 40}) {
      for (const index_t cols : {5, 16, 33}) {
        CompareTwoImages<float>(layout, 7, cols, channels);
        CompareTwoImages<double>(layout, 4, cols, channels);
      }
    }
  });
}

template <typename DType>
void ComparePadded() {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Fenced<1, DType> out(Shape1(rows + 4), layout), plain(Shape1(rows + 4), layout);
    const Pair<DType> in(rows, cols, layout);
    banded_rows::Padded(out.tensor, in.across.tensor);
    banded_rows::PlainPadded(plain.tensor, in.plain.tensor);
    ExpectSame(out, plain);
  });
}

TEST(BandedRows, WithZerosAround) {
  ComparePadded<float>();
  ComparePadded<int8_t>();
}

TEST(BandedRows, InOrder) {
  InAllShapes([](const Layout &layout, index_t rows, index_t cols) {
    const Fenced<2, float> out(Shape2(rows, cols), layout), plain(Shape2(rows, cols), layout);
    const Pair<float> in(rows, cols, layout);
    banded_rows::Scan(out.tensor, in.across.tensor);
    banded_rows::PlainScan(plain.tensor, in.plain.tensor);
    ExpectSame(out, plain);
  });
}

}  // namespace
