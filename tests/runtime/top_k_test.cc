// SPDX-License-Identifier: Apache-2.0
// TopK, ArgTopK, SortRows and ArgSortRows of every element type, against std::stable_sort.
#include <gtest/gtest.h>
#include <mshadow/extension/top_k.h>
#include <mshadow/limit_isa.h>
#include <mshadow/tensor.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "testing.h"

namespace {

using namespace mshadow;

template <typename T>
bool IsNan(T value) {
  return !(value == value);
}
/// NaN is greatest.
template <typename T>
bool IsLess(T a, T b) {
  return IsNan(a) || IsNan(b) ? !IsNan(a) && IsNan(b) : a < b;
}

template <typename T>
std::vector<index_t> Order(const T *row, index_t cols, bool ascends) {
  std::vector<index_t> order(static_cast<size_t>(cols));
  std::iota(order.begin(), order.end(), index_t{0});
  std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
    return ascends ? IsLess(row[a], row[b]) : IsLess(row[b], row[a]);
  });
  return order;
}

/// Rows with equal elements, both zeros, and for floats infinities and NaNs, some of them negative.
template <typename T>
void Fill(Tensor<cpu, 2, T> rows, unsigned seed) {
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      seed = seed * 1664525u + 1013904223u;
      rows[y][x] = ScalarCast<T>(static_cast<int>(seed >> 16 & 0xff) - 128);
      if constexpr (!std::is_integral_v<T>) {
        const unsigned kind = seed >> 24 & 15;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, nan, -nan, 1e-40f, -1e-40f};
        if (kind < 8) rows[y][x] = T(special[kind]);
      }
    }
  }
}

template <typename T>
bool HaveSameBits(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T, typename I>
void Compare(index_t rows, index_t cols, index_t count, bool ascends) {
  TensorContainer<cpu, 2, T> src(Shape2(rows, cols)), values(Shape2(rows, count)),
      alone(values.shape_);
  TensorContainer<cpu, 2, I> columns(values.shape_), columns_alone(values.shape_);
  Fill<T>(src, static_cast<unsigned>(cols + count));
  TopK(values, columns, src, ascends);
  TopK(alone, src, ascends);
  ArgTopK(columns_alone, src, ascends);
  for (index_t y = 0; y < rows; ++y) {
    const std::vector<index_t> order = Order(src[y].dptr_, cols, ascends);
    for (index_t i = 0; i < count; ++i) {
      const index_t x = order[static_cast<size_t>(i)];
      const bool is_right = static_cast<index_t>(columns[y][i]) == x &&
                            static_cast<index_t>(columns_alone[y][i]) == x &&
                            HaveSameBits(values[y][i], src[y][x]) &&
                            HaveSameBits(alone[y][i], src[y][x]);
      ASSERT_TRUE(is_right) << rows << "x" << cols << ", " << count << " " << ascends << ": " << y
                            << " " << i << ", column " << static_cast<index_t>(columns[y][i])
                            << " instead of " << x;
    }
  }
}

template <typename T>
void CompareSizes() {
  for (const bool ascends : {false, true}) {
    for (const index_t cols : {1, 2, 16, 33, 64, 65, 150}) {
      for (const index_t count : {0, 1, 2, 5, 16, 35, 65, 150}) {
        if (count <= cols) Compare<T, int64_t>(11, cols, count, ascends);
      }
    }
  }
  Compare<T, float>(1, 1000, 7, false);
  Compare<T, int32_t>(1, 1000, 1000, true);
  Compare<T, uint8_t>(9, 256, 3, false);
  Compare<T, int16_t>(3, 256, 40, true);
  Compare<T, int32_t>(2, 2100, 130, false);
  Compare<T, int32_t>(1, 5000, 129, true);
}

TEST(TopKTest, EveryTypeOnEveryInstructionSet) {
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    LimitIsa(isa);
    CompareSizes<float>();
    CompareSizes<double>();
    CompareSizes<half::half_t>();
    CompareSizes<bfloat::bf16_t>();
    CompareSizes<int8_t>();
    CompareSizes<uint8_t>();
    CompareSizes<int16_t>();
    CompareSizes<uint16_t>();
    CompareSizes<int32_t>();
    CompareSizes<uint32_t>();
    CompareSizes<int64_t>();
    CompareSizes<uint64_t>();
  }
  LimitIsa(Isa::kAvx512);
}

TEST(TopKTest, ThreadsShareTheRows) {
  SetNumThreads(3);
  Compare<float, int64_t>(300, 200, 3, false);
  Compare<float, int64_t>(300, 200, 200, true);
  Compare<float, int64_t>(3001, 40, 5, true);
  Compare<float, int64_t>(30, 8000, 200, true);
  SetNumThreads(0);
}

TEST(TopKTest, NanIsGreatestAndEqualElementsKeepTheirOrder) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  float numbers[] = {1, nan, 3, -0.0f, 3, 0.0f, -nan, -INFINITY};
  int32_t at[8];
  const Tensor<cpu, 2, float> src(numbers, Shape2(1, 8));
  const Tensor<cpu, 2, int32_t> columns(at, Shape2(1, 8));
  ArgSortRows(columns, src);
  EXPECT_EQ(std::vector<int32_t>(at, at + 8), (std::vector<int32_t>{7, 3, 5, 0, 2, 4, 1, 6}));
  ArgSortRows(columns, src, false);
  EXPECT_EQ(std::vector<int32_t>(at, at + 8), (std::vector<int32_t>{1, 6, 2, 4, 0, 3, 5, 7}));
}

TEST(TopKTest, SaysWhatDoesNotFit) {
  TensorContainer<cpu, 2, float> src(Shape2(3, 300), 0), few(Shape2(3, 4)), more(Shape2(3, 301)),
      rows(Shape2(2, 4)), other(Shape2(3, 5));
  TensorContainer<cpu, 2, uint8_t> bytes(Shape2(3, 4));
  EXPECT_MESSAGE(TopK(more, src), "TopK: expected at most as many columns as are sorted");
  EXPECT_MESSAGE(SortRows(few, src), "SortRows: expected as many columns");
  EXPECT_MESSAGE(TopK(rows, src), "TopK: expected as many rows");
  EXPECT_MESSAGE(TopK(few, other, src), "TopK: expected a column for each value");
  EXPECT_MESSAGE(ArgTopK(bytes, src), "expected a type of columns that holds the number of each");
  EXPECT_MESSAGE(SortRows(src, src), "SortRows: expected tensors that share no memory");
  EXPECT_MESSAGE(TopK(few, few, src), "TopK: expected tensors that share no memory");
}

}  // namespace
