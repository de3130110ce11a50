// SPDX-License-Identifier: Apache-2.0
// What code of the years before 2019 says of extents, with an unsigned index_t of 32 bits.
#include <mshadow/emitted/parts.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "testing.h"

namespace {
using namespace testing_runtime;

static_assert(std::is_same<index_t, uint32_t>::value, "this file is compiled for uint32_t");

TEST(UnsignedIndex, ExtentsMixWithUnsignedNumbers) {
  auto t = Make<float>(Shape2(3, 5), 1);
  EXPECT_EQ(std::max(t.size(0), 1U), 3U);
  EXPECT_EQ(std::min(t.shape_.Size(), 7U), 7U);
  unsigned rows = t.size(0);
  float sum = 0;
  for (unsigned i = 0; i < rows; ++i) {
    for (index_t j = 0; j < t.size(1); ++j) sum += t[i][j];
  }
  EXPECT_GT(sum, 0.0f);
}

TEST(UnsignedIndex, SliceAndAllocationAreChecked) {
  auto t = Make<float>(Shape2(3, 5), 1);
  EXPECT_THROW(t.Slice(2, 1), Error);
  EXPECT_THROW(t.Slice(0, 4), Error);
  EXPECT_THROW((TensorContainer<cpu, 2>(Shape2(1u << 31, 1u << 31))), Error);
}

TEST(UnsignedIndex, PartsOfRowsInThreads) {
  TensorContainer<cpu, 2> t(Shape2(7, 100003), 1.0f);
  t += t * 2.0f;
  for (index_t y = 0; y < t.size(0); ++y) {
    for (index_t x = 0; x < t.size(1); ++x) ASSERT_EQ(t[y][x], 3.0f);
  }
}

TEST(UnsignedIndex, PartsOfAsManyElementsAsThereCanBe) {
  const index_t most = std::numeric_limits<index_t>::max();
  for (const index_t size : {index_t{0}, index_t{1}, most / 2 + 2, most}) {
    SetNumThreads(1);
    const ColumnShape column = {1, size, 1, 1};
    for (const Parts &parts : {MakeParts(size), MakeRowParts(column, 1)}) {
      EXPECT_LE(parts.count, kMaxParts);
      EXPECT_EQ(parts.count == 0, size == 0);
      if (size > 0) EXPECT_EQ(parts.End(parts.count - 1), size);
    }
    SetNumThreads(0);
  }
}

TEST(UnsignedIndex, NegativeIndicesInTensorsAreOutside) {
  TensorContainer<cpu, 2> dst(Shape2(3, 2), 0.0f), src(Shape2(1, 2), 1.0f);
  TensorContainer<cpu, 1, int> index(Shape1(1), -1);
  AddTakeGrad(dst, index, src);
  EXPECT_EQ(dst[0][0], 1.0f);
  AddTakeGrad<false>(dst, index, src);
  EXPECT_EQ(dst[2][1], 1.0f);
  EXPECT_THROW(IndexFill(dst, index, src), Error);
  TensorContainer<cpu, 1> label(Shape1(3), -1.0f);
  SoftmaxGrad(dst, dst, label, -1);
  EXPECT_EQ(dst[0][0], 0.0f);
}

TEST(UnsignedIndex, BroadcastInFront) {
  const auto t = Make<float>(Shape2(2, 5), 1);
  TensorContainer<cpu, 3> front(Shape3(3, 2, 5)), back(Shape3(2, 5, 3));
  front = broadcast_with_axis(t, -1, 3);
  back = broadcast_with_axis(t * 2.0f, 1, 3);
  for (index_t i = 0; i < 3; ++i) {
    EXPECT_EQ(front[i][1][4], t[1][4]);
    EXPECT_EQ(back[1][4][i], 2 * t[1][4]);
  }
  EXPECT_MESSAGE(broadcast_with_axis(t, -2, 3), "axis -2 is not within [-1,1]");
}

TEST(UnsignedIndex, RangeMayCountBelowZero) {
  TensorContainer<cpu, 1> down(Shape1(6)), up(Shape1(3));
  down = range<float>(1.0f, -5.0f, -2.0f, 2);
  up = range<float>(-1.5f, 1.5f);
  const float want[] = {1, 1, -1, -1, -3, -3};
  for (index_t i = 0; i < 6; ++i) EXPECT_EQ(down[i], want[i]);
  EXPECT_EQ(up[0], -1.5f);
  EXPECT_EQ(up[2], 0.5f);
}

TEST(UnsignedIndex, TakesAndTheirGradients) {
  TensorContainer<cpu, 1> index(Shape1(4));
  const auto src = Make<float>(Shape2(4, 3), 1);
  TensorContainer<cpu, 2> grad(Shape2(3, 3));
  for (index_t i = 0; i < 4; ++i) index[i] = static_cast<float>(i) - 1;  // -1 is no row
  grad = take_grad(index, src, 3);
  EXPECT_EQ(grad[0][1], src[1][1]);
  EXPECT_EQ(grad[2][2], src[3][2]);
  EXPECT_MESSAGE(grad = take(index.Slice(0, 3), src), "index -1 at position 0 is not within [0,4)");
}

}  // namespace
