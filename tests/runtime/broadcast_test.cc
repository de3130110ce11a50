// SPDX-License-Identifier: Apache-2.0
#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(Broadcast, RepeatsAVectorAlongEveryOtherDimension) {
  const Shape<4> shape = Shape4(2, 3, 4, 5);
  TensorContainer<cpu, 4> t(shape);
  const auto check = [&](auto vector, int keep) {
    for (index_t i = 0; i < 2; ++i)
      for (index_t j = 0; j < 3; ++j)
        for (index_t k = 0; k < 4; ++k)
          for (index_t l = 0; l < 5; ++l) {
            const index_t index[] = {i, j, k, l};
            EXPECT_EQ(t[i][j][k][l], vector[index[keep]]);
          }
  };
  auto v0 = Make<float>(Shape1(2), 1);
  auto v1 = Make<float>(Shape1(3), 2);
  auto v2 = Make<float>(Shape1(4), 3);
  auto v3 = Make<float>(Shape1(5), 4);
  t = broadcast<0>(v0, shape);
  check(v0, 0);
  t = broadcast<1>(v1, shape);
  check(v1, 1);
  t = broadcast<2>(v2, shape);
  check(v2, 2);
  t = broadcast<3>(v3, shape);
  check(v3, 3);
}

TEST(Broadcast, TakesExpressionsAndJoinsThem) {
  auto bias = Make<float>(Shape1(5), 1);
  auto x = Make<float>(Shape2(3, 5), 2);
  TensorContainer<cpu, 2> y(Shape2(3, 5));
  y = 2 * x + repmat(bias * 3 + 1, 3);
  ForEach(y.shape_, [&](index_t r, index_t c) {
    EXPECT_EQ(At(y, r, c), 2 * At(x, r, c) + (bias[c] * 3 + 1));
  });
  TensorContainer<cpu, 1> one(Shape1(5));
  one = broadcast<0>(bias, Shape1(5)) + bias;
  EXPECT_EQ(one[3], 2 * bias[3]);
}

TEST(Broadcast, ChecksTheLengths) {
  auto v = Make<float>(Shape1(4), 1);
  TensorContainer<cpu, 2> t(Shape2(3, 5), 7.0f);
  EXPECT_MESSAGE(t = broadcast<1>(v, t.shape_), "shapes (4,) and (5,) differ");
  EXPECT_MESSAGE(t = repmat(v, 3), "shapes (3,5) and (3,4) differ");
  EXPECT_MESSAGE(t = broadcast<1>(v, Shape2(3, 4)), "shapes (3,5) and (3,4) differ");
  EXPECT_EQ(t[0][0], 7.0f);
}

TEST(Broadcast, OfOtherElementTypes) {
  auto v = Make<half::half_t>(Shape1(5), 1);
  TensorContainer<cpu, 2, half::half_t> t(Shape2(2, 5));
  t = repmat(v, 2);
  EXPECT_EQ(float(t[1][4]), float(v[4]));
  TensorContainer<cpu, 2> f(Shape2(2, 5));
  f = tcast<float>(repmat(v, 2)) + broadcast<1>(tcast<float>(v), f.shape_);
  EXPECT_EQ(f[1][4], 2 * float(v[4]));
}

}  // namespace
