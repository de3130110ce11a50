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

/// Counts its calls: for one thread.
struct counted {
  static int calls;
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    ++calls;
    return a * a;
  }
};
int counted::calls = 0;

TEST(BroadcastOfComputed, EvaluatesItsSourceOnce) {
  const auto x = Make<float>(Shape3(3, 4, 5), 1);
  TensorContainer<cpu, 3> y(x.shape_), want(x.shape_);
  TensorContainer<cpu, 2> sums(Shape2(3, 5));
  sums = reduce_with_axis<red::sum, false>(F<counted>(x), 1);
  want = x - broadcast_with_axis(sums, 0, 4) * 2.0f;
  counted::calls = 0;
  y = x - broadcast_with_axis(reduce_with_axis<red::sum, false>(F<counted>(x), 1), 0, 4) * 2.0f;
  EXPECT_EQ(counted::calls, 60);
  ExpectSame<float>(y.FlatTo2D(), want.FlatTo2D());
  const auto row = Make<float>(Shape1(5), 2);
  TensorContainer<cpu, 2> rows(Shape2(7, 5)), more(Shape2(7, 5));
  counted::calls = 0;
  rows = repmat(F<counted>(row), 7) +
         broadcast_to(reshape(F<counted>(row), Shape2(1, 5)), more.shape_);
  EXPECT_EQ(counted::calls, 10);
  more = repmat(row * row, 7) * 2.0f;
  ExpectSame<float>(rows, more);
}

TEST(BroadcastAlongRows, IsComputedOnceForARow) {
  const auto bias = Make<float>(Shape1(4), 1);
  TensorContainer<cpu, 3> y(Shape3(2, 4, 300)), want(y.shape_);
  counted::calls = 0;
  y = 1.0f + F<counted>(broadcast<1>(bias, y.shape_) * 2.0f);
  EXPECT_EQ(counted::calls, 8 * 3);  // a row is three runs
  for (index_t i = 0; i < 2; ++i) want[i] = broadcast<0>(bias * bias * 4.0f + 1.0f, want[i].shape_);
  ExpectSame<float>(y.FlatTo2D(), want.FlatTo2D());
  // A Plan that outlives what it was made from.
  const auto plan = MakePlan(broadcast<1>(bias + bias, y.shape_));
  const auto copy = plan;
  EXPECT_EQ(copy.Eval(5, 3), 2 * bias[1]);
}

}  // namespace
