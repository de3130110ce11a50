// SPDX-License-Identifier: Apache-2.0
// rows(matrix, index): the rows that indices name, read and assigned.
#include <mshadow/extension/rows.h>

#include <numeric>

#include "extension_testing.h"

namespace {
using namespace testing_runtime;

/// Which rows of \p rows an operand is; another order for each \p seed.
template <typename IType>
TensorContainer<cpu, 1, IType> SomeRows(index_t count, index_t rows, unsigned seed) {
  std::vector<index_t> all(static_cast<size_t>(rows));
  std::iota(all.begin(), all.end(), index_t{0});
  std::shuffle(all.begin(), all.end(), std::mt19937(seed));
  TensorContainer<cpu, 1, IType> index(Shape1(count));
  for (index_t i = 0; i < count; ++i) index[i] = static_cast<IType>(all[static_cast<size_t>(i)]);
  return index;
}

template <typename IType, typename DType>
void CheckRows(index_t rows_of_matrix, index_t cols, index_t count) {
  auto t = Make<DType>(Shape2(rows_of_matrix, cols), 1);
  const auto before = Make<DType>(Shape2(rows_of_matrix, cols), 1);
  auto from = Make<DType>(Shape2(count, cols), 2);
  auto index = SomeRows<IType>(count, rows_of_matrix, 3);
  Tensor<cpu, 2, DType> matrix = t;
  Tensor<cpu, 1, IType> at = index;
  ExpectElements(rows(matrix, at), Shape2(count, cols), [&](const Shape<2> &i) {
    return Number(t[static_cast<index_t>(index[i[0]])][i[1]]);
  });
  rows(matrix, at) = from + rows(matrix, at);
  rows(matrix, at) *= DType(2);
  std::vector<index_t> named(static_cast<size_t>(rows_of_matrix), count);
  for (index_t i = 0; i < count; ++i) named[static_cast<size_t>(index[i])] = i;
  for (index_t y = 0; y < rows_of_matrix; ++y) {
    const index_t i = named[static_cast<size_t>(y)];
    for (index_t x = 0; x < cols; ++x) {
      const DType want = i == count ? before[y][x] : (from[i][x] + before[y][x]) * DType(2);
      ASSERT_EQ(t[y][x], want) << y << "," << x;
    }
  }
}

TEST(RowsTest, AreReadAndAssigned) {
  for (index_t cols : {0, 1, 5, 64, 300}) {
    CheckRows<int32_t, float>(9, cols, 4);
    CheckRows<int64_t, double>(5, cols, 5);
    CheckRows<float, int32_t>(40, cols, 17);
  }
  CheckRows<int32_t, float>(3, 7, 0);
  SetNumThreads(3);
  CheckRows<int64_t, float>(2000, 33, 1500);
  SetNumThreads(0);
}

TEST(RowsTest, ViewsReadThem) {
  auto t = Make<float>(Shape2(6, 5), 1);
  auto index = SomeRows<int32_t>(4, 6, 1);
  const auto at = [&](index_t y, index_t x) { return Number(t[index[y]][x]); };
  ExpectElements(flip(rows(t, index), 1), Shape2(4, 5),
                 [&](const Shape<2> &i) { return at(i[0], 4 - i[1]); });
  slice<1>(rows(t, index), 1, 3) = 3000.0f;
  for (index_t y = 0; y < 4; ++y) {
    EXPECT_EQ(at(y, 2), 3000.0);
    EXPECT_NE(at(y, 3), 3000.0);
  }
}

TEST(RowsTest, ErrorsComeBeforeTheFirstWrite) {
  auto t = Make<float>(Shape2(6, 5), 1);
  const auto before = Make<float>(Shape2(6, 5), 1);
  auto in = Make<float>(Shape2(3, 5), 2);
  TensorContainer<cpu, 1, int64_t> index(Shape1(3)), other(Shape1(3));
  TensorContainer<cpu, 1, float> few(Shape1(3));
  for (index_t i = 0; i < 3; ++i) index[i] = 5 - i, other[i] = few[i] = static_cast<float>(i);
  const auto assign = [&](int64_t second) {
    index[1] = second;
    rows(t, index) = in;
  };
  EXPECT_MESSAGE(assign(6), "rows: index 6 at position 1 is not within [0,6)");
  EXPECT_MESSAGE(assign(-1), "rows: index -1 at position 1");
  EXPECT_MESSAGE(assign(3), "rows: the indices at positions 1 and 2 are both row 3");
  EXPECT_MESSAGE(in = rows(t, other) + rows(t, (index[0] = 9, index)), "index 9 at position 0");
  index[0] = 5, index[1] = 4;
  few[0] = 1.25f, few[1] = 1.75f;  // fractions are cut off
  EXPECT_MESSAGE(rows(t, few) = in, "the indices at positions 0 and 1 are both row 1");
  // Reads may name a row twice.
  index[1] = 5;
  in = rows(t, index);
  EXPECT_EQ(in[0][2], in[1][2]);
  index[1] = 4;
  EXPECT_MESSAGE(rows(t, index) = rows(t, other), "overlaps its memory");
  EXPECT_MESSAGE(rows(t, index) = take(other, t), "");
  EXPECT_MESSAGE(rows(t, index) = flip(rows(t, index), 1), "");
  EXPECT_MESSAGE((slice<0>(t, 0, 3) = rows(t, index)), "");
  EXPECT_MESSAGE(rows(t, index) = Make<float>(Shape2(4, 5), 1), "shape");
  auto own = Make<float>(Shape2(6, 5), 1);
  own[0][0] = 0, own[0][1] = 1, own[0][2] = 2;
  EXPECT_MESSAGE(rows(own, own[0].Slice(0, 3)) = in, "overlap");
  for (index_t y = 0; y < 6; ++y) {
    for (index_t x = 0; x < 5; ++x) ASSERT_EQ(t[y][x], before[y][x]);
  }
}

}  // namespace
