// SPDX-License-Identifier: Apache-2.0
// What code of the years before 2019 says of extents, with an unsigned index_t of 32 bits.
#include <algorithm>
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

}  // namespace
