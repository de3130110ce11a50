// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(Shape, FlattensKeepingTheLastExtent) {
  const Shape<4> shape = Shape4(2, 3, 4, 5);
  EXPECT_EQ(shape.Size(), 120);
  EXPECT_EQ(shape.FlatTo1D(), Shape1(120));
  EXPECT_EQ(shape.FlatTo2D(), Shape2(24, 5));
  EXPECT_EQ(Shape1(7).FlatTo2D(), Shape2(1, 7));
  EXPECT_EQ(shape.ProdShape(1, 3), 12);
}

TEST(Shape, TakesParts) {
  const Shape<5> shape = Shape5(2, 3, 4, 5, 6);
  EXPECT_EQ(shape.SubShape(), Shape4(3, 4, 5, 6));
  EXPECT_EQ((shape.Slice<1, 3>()), Shape2(3, 4));
  EXPECT_EQ((shape.Slice<2, 5>()), Shape3(4, 5, 6));
}

TEST(Shape, ComparesEveryExtent) {
  EXPECT_TRUE(Shape2(2, 3) == Shape2(2, 3));
  EXPECT_TRUE(Shape2(2, 3) != Shape2(3, 2));
  EXPECT_FALSE(Shape2(2, 3) != Shape2(2, 3));
}

TEST(Shape, PrintsAsATuple) {
  std::ostringstream out;
  out << Shape2(2, 3) << Shape1(3);
  EXPECT_EQ(out.str(), "(2,3)(3,)");
}

TEST(Shape, CountsBeyond32Bits) {
  EXPECT_EQ(Shape2(index_t{1} << 20, index_t{1} << 20).Size(), index_t{1} << 40);
}

TEST(Shape, TakesAnyIntegerAsIndex) {
  const Shape<2> shape = Shape2(2, 3);
  EXPECT_EQ(shape[1u], 3);
  EXPECT_EQ(shape[int64_t{0}], 2);
}

}  // namespace
