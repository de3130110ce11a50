// SPDX-License-Identifier: Apache-2.0
#include <mshadow/extension/reduce_to_1d.h>
#include <mshadow/extension/reduce_with_axis.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(Reduce, SumsAllDimensionsButOne) {
  const Shape<4> shape = Shape4(2, 3, 4, 70);
  auto t = Make<double>(shape, 1);
  std::vector<double> expected[4] = {std::vector<double>(2), std::vector<double>(3),
                                     std::vector<double>(4), std::vector<double>(70)};
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 4; ++k)
        for (index_t l = 0; l < 70; ++l) {
          const size_t index[] = {static_cast<size_t>(i), static_cast<size_t>(j),
                                  static_cast<size_t>(k), static_cast<size_t>(l)};
          for (int d = 0; d < 4; ++d) expected[d][index[d]] += t[i][j][k][l];
        }
  TensorContainer<cpu, 1, double> s0(Shape1(2)), s1(Shape1(3)), s2(Shape1(4)), s3(Shape1(70));
  s0 = sumall_except_dim<0>(t);
  s1 = sumall_except_dim<1>(t);
  s2 = sumall_except_dim<2>(t);
  s3 = sumall_except_dim<3>(t);
  const Tensor<cpu, 1, double> *sums[] = {&s0, &s1, &s2, &s3};
  for (int d = 0; d < 4; ++d) {
    for (size_t i = 0; i < expected[d].size(); ++i) {
      EXPECT_EQ(sums[d]->dptr_[i], expected[d][i]) << d << ' ' << i;
    }
  }
}

TEST(Reduce, SumRowsOfExpressionsWithEverySaver) {
  auto a = Make<float>(Shape2(100, 7), 1);
  auto b = Make<float>(Shape2(100, 7), 2);
  TensorContainer<cpu, 1> v(Shape1(7), 10.0f);
  const auto sum = [&](index_t x) {
    float s = 0;
    for (index_t y = 0; y < 100; ++y) s += a[y][x] * b[y][x];
    return s;
  };
  v += sum_rows(a * b);
  EXPECT_EQ(v[6], 10 + sum(6));
  v = 2 * sum_rows(a * b);
  EXPECT_EQ(v[0], 2 * sum(0));
  v -= sum_rows(a * b) * 2;
  EXPECT_EQ(v[3], 0.0f);
  v = 1;
  v *= sum_rows(a * b);
  EXPECT_EQ(v[2], sum(2));
  v /= sum_rows(a * b);
  EXPECT_EQ(v[2], 1.0f);
}

TEST(Reduce, SixteenBitFloatsAccumulateInFloat) {
  TensorContainer<cpu, 2, half::half_t> t(Shape2(5000, 3), 1.0f);
  TensorContainer<cpu, 1, half::half_t> v(Shape1(3));
  v = sum_rows(t);
  EXPECT_EQ(float(v[2]), 5000.0f);  // adding halves stops at 2048
}

TEST(Reduce, MaximumAndMinimumKeepNaN) {
  auto t = Make<float>(Shape2(5, 9), 1);
  t[2][4] = std::nanf("");
  t[3][3] = 100;
  TensorContainer<cpu, 1> v(Shape1(9));
  v = reduce_except_dim<1, red::maximum>(t);
  EXPECT_EQ(v[3], 100.0f);
  EXPECT_TRUE(std::isnan(v[4]));
  TensorContainer<cpu, 1> rows(Shape1(5));
  rows = reduce_except_dim<0, red::minimum>(t);
  EXPECT_EQ(rows[3], 1.0f);
  EXPECT_TRUE(std::isnan(rows[2]));
}

TEST(Reduce, NothingGivesTheInitialValue) {
  TensorContainer<cpu, 2> none(Shape2(0, 3));
  TensorContainer<cpu, 1> v(Shape1(3), 7.0f);
  v = sum_rows(none);
  EXPECT_EQ(v[1], 0.0f);
  v = reduce_except_dim<1, red::maximum>(none);
  EXPECT_EQ(v[1], -std::numeric_limits<float>::infinity());
}

TEST(Reduce, ShapesAreChecked) {
  auto t = Make<float>(Shape2(4, 5), 1);
  TensorContainer<cpu, 1> v(Shape1(4), 7.0f);
  EXPECT_MESSAGE(v = sum_rows(t), "destination and reduction: shapes (4,) and (5,) differ");
  EXPECT_EQ(v[0], 7.0f);
}

TEST(Reduce, TheOrderOfTheSumDoesNotDependOnThreads) {
  const index_t rows = 3001, cols = 517;
  TensorContainer<cpu, 2> t(Shape2(rows, cols));
  uint32_t state = 1;
  ForEach(t.shape_, [&](index_t y, index_t x) {
    state = state * 1664525u + 1013904223u;
    t[y][x] = std::ldexp(static_cast<float>(state >> 8), static_cast<int>(state & 31) - 40);
  });
  TensorContainer<cpu, 1> columns(Shape1(cols)), lines(Shape1(rows)), columns1(Shape1(cols)),
      lines1(Shape1(rows));
  SetNumThreads(1);
  columns1 = sum_rows(t);
  lines1 = sumall_except_dim<0>(t);
  for (const int threads : {2, 3, 8}) {
    SetNumThreads(threads);
    columns = sum_rows(t);
    lines = sumall_except_dim<0>(t);
    EXPECT_EQ(std::memcmp(columns.dptr_, columns1.dptr_, sizeof(float) * 517), 0);
    EXPECT_EQ(std::memcmp(lines.dptr_, lines1.dptr_, sizeof(float) * 3001), 0);
  }
  SetNumThreads(0);
}

/// Rows of each number of columns against one row's definition, on what is special, too.
template <typename Reducer, typename T>
void CheckRowsOfAnyLength() {
  constexpr T kInf = std::numeric_limits<T>::infinity();
  const T special[] = {T(0),
                       -T(0),
                       kInf,
                       -kInf,
                       std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::denorm_min()};
  constexpr index_t kRows = 70;
  for (index_t cols = 0; cols < 19; ++cols) {
    TensorContainer<cpu, 2, T> x(Shape2(kRows, cols));
    ForEach(x.shape_, [&](index_t y, index_t c) {
      const index_t k = y * 31 + c * 7;
      x[y][c] = y % 3 == 0 ? special[(k + y) % 6] : static_cast<T>(k % 101 - 50) / T(7);
    });
    TensorContainer<cpu, 1, T> results(Shape1(kRows)), doubled(results.shape_);
    results = reduce_with_axis<Reducer, false>(x, 1);
    doubled = reduce_with_axis<Reducer, false>(x * T(2), 1);
    const auto expect = [&](const auto &exp, const Tensor<cpu, 1, T> &got) {
      for (index_t y = 0; y < kRows; ++y) {
        T lanes[expr::detail::kReduceLanes];
        expr::detail::ReduceRow<Reducer>(MakePlan(exp), y, cols, lanes);
        const T want = expr::detail::ReduceAcross<Reducer>(lanes);
        const bool same = std::memcmp(&want, &got.dptr_[y], sizeof want) == 0;
        EXPECT_TRUE(same || (want != want && got[y] != got[y])) << cols << ' ' << y;
      }
    };
    expect(x, results);
    expect(x * T(2), doubled);
  }
}
template <typename T>
void CheckReducersOfRows() {
  CheckRowsOfAnyLength<red::sum, T>();
  CheckRowsOfAnyLength<red::product, T>();
  CheckRowsOfAnyLength<red::maximum, T>();
  CheckRowsOfAnyLength<red::minimum, T>();
}
TEST(Reduce, RowsOfAnyLengthAreAddedAsOne) {
  CheckReducersOfRows<float>();
  CheckReducersOfRows<double>();
}

TEST(Reduce, PairwiseSumsLoseLittle) {
  TensorContainer<cpu, 2> t(Shape2(1 << 20, 1), 0.1f, false);
  TensorContainer<cpu, 1> v(Shape1(1));
  v = sum_rows(t);
  EXPECT_NEAR(v[0], 0.1f * (1 << 20), 0.05);  // one running sum is off by more than 1000
}

TEST(PairwiseTree, CombinesNeighboursFirst) {
  // Subtraction shows the shape: ((1-2)-(3-4)) - (5-6) for six leaves.
  struct minus {
    static void Reduce(double &dst, double src) { dst -= src; }
    static void SetInitValue(double &value) { value = 0; }
  };
  expr::detail::PairwiseTree<minus, double, 1> tree;
  for (double leaf : {1.0, 20.0, 300.0, 4000.0, 50000.0, 600000.0}) tree.Push(&leaf);
  EXPECT_EQ(*tree.Finish(), ((1.0 - 20) - (300 - 4000.0)) - (50000.0 - 600000));
}

TEST(Reduce, ByMshadowsFunctions) {
  auto t = Make<float>(Shape3(2, 3, 4), 1);
  TensorContainer<cpu, 1> kept(Shape1(3), 1.0f), lowest(Shape1(4), 1.0f), want(Shape1(3), 1.0f);
  Tensor<cpu, 1> view = kept, columns = lowest;
  MapReduceKeepHighDim<sv::plusto, red::sum, 1>(&view, t * 2, 0.5f);
  want += sumall_except_dim<1>(t);
  for (index_t k = 0; k < 3; ++k) EXPECT_EQ(kept[k], want[k]);
  MapReduceKeepLowest<sv::saveto, red::maximum>(&columns, t, 1.0f);
  want.Resize(Shape1(4));
  want = reduce_except_dim<2, red::maximum>(t);
  for (index_t x = 0; x < 4; ++x) EXPECT_EQ(lowest[x], want[x]);
}

/// Planes of 45 elements in rows of 9, and of 1089 in rows of 33: leaves end within rows.
TEST(Reduce, PlanesAreRowsHoweverTheyLie) {
  for (const Shape<4> &shape : {Shape4(5, 3, 5, 9), Shape4(3, 2, 33, 33), Shape4(1, 4, 2, 601)}) {
    TensorContainer<cpu, 4> t(shape, 0.0f, false);
    for (index_t i = 0; i < shape.Size(); ++i) t.dptr_[i] = std::sin(static_cast<float>(i) + 1);
    TensorContainer<cpu, 4> padded(shape, 0.0f, true);
    ASSERT_NE(padded.stride_, shape[3]);
    padded = F<op::identity>(t);
    const index_t plane = shape[2] * shape[3];
    const index_t channels = shape[1];
    TensorContainer<cpu, 1> contiguous(Shape1(channels)), apart(Shape1(channels));
    for (const int threads : {1, 2}) {
      SetNumThreads(threads);
      contiguous = sumall_except_dim<1>(t);
      apart = sumall_except_dim<1>(padded * 1.0f);
      SetNumThreads(0);
      for (index_t c = 0; c < channels; ++c) {
        expr::detail::PairwiseTree<red::sum, float, kRowLanes> tree;
        for (index_t o = 0; o < shape[0]; ++o) {
          for (index_t leaf = 0; leaf < plane; leaf += kRowLeaf) {
            float lanes[kRowLanes] = {};
            for (index_t e = leaf; e < LeafEnd(leaf, plane); ++e) {
              lanes[e % kRowLanes] += t.dptr_[(o * channels + c) * plane + e];
            }
            tree.Push(lanes);
          }
        }
        const float expected = expr::detail::ReduceAcross<red::sum>(tree.Finish());
        EXPECT_EQ(contiguous[c], expected) << c << ' ' << shape;
        EXPECT_EQ(apart[c], expected) << c << ' ' << shape;
      }
    }
  }
}

}  // namespace

TEST(Reduce, Products) {
  auto t = Make<double>(Shape2(3, 5), 1);
  TensorContainer<cpu, 1, double> rows(Shape1(3)), columns(Shape1(5)), one(Shape1(1));
  rows = reduce_except_dim<0, red::product>(t);
  columns = reduce_except_dim<1, red::product>(t);
  one = 2 * reduce_all<red::product>(t / 4.0);
  double want = 2;
  for (index_t y = 0; y < 3; ++y) {
    double row = 1;
    for (index_t x = 0; x < 5; ++x) row *= t[y][x];
    EXPECT_EQ(rows[y], row);
    for (index_t x = 0; x < 5; ++x) want *= t[y][x] / 4;
  }
  for (index_t x = 0; x < 5; ++x) EXPECT_EQ(columns[x], t[0][x] * t[1][x] * t[2][x]);
  EXPECT_NEAR(one[0], want, 1e-12 * std::fabs(want));
  TensorContainer<cpu, 2, int8_t> small(Shape2(2, 3), int8_t{100});
  TensorContainer<cpu, 1, int8_t> wrapped(Shape1(2));
  wrapped = reduce_except_dim<0, red::product>(small);
  EXPECT_EQ(wrapped[1], static_cast<int8_t>(1000000 & 0xff));
}

/// The number of the first NaN, else of the first of the largest, or smallest, values.
template <typename DType>
index_t Chosen(const std::vector<DType> &values, bool largest) {
  size_t chosen = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[i]) return static_cast<index_t>(i);
    if (largest ? values[i] > values[chosen] : values[i] < values[chosen]) chosen = i;
  }
  return static_cast<index_t>(chosen);
}

/// Every kept dimension of \p t, and all of it.
template <typename DType, int kept, int dim>
void ExpectNumbers(const Tensor<cpu, dim, DType> &t) {
  std::vector<std::vector<DType>> groups(static_cast<size_t>(kept < 0 ? 1 : t.shape_[kept]));
  ForEach(t.shape_.FlatTo2D(), [&](index_t y, index_t x) {
    index_t index = y;
    for (int d = dim - 2; d > kept; --d) index /= t.shape_[d];
    if (kept == dim - 1) index = x;
    if (kept >= 0 && kept < dim - 1) index %= t.shape_[kept];
    groups[static_cast<size_t>(kept < 0 ? 0 : index)].push_back(t.FlatTo2D()[y][x]);
  });
  TensorContainer<cpu, 1, DType> most(Shape1(static_cast<index_t>(groups.size()))),
      least(most.shape_, DType(3));
  if constexpr (kept < 0) {
    most = reduce_all<red::argmax>(t);
    least += 2 * reduce_all<red::argmin>(t);
  } else {
    most = reduce_except_dim<kept, red::argmax>(t);
    least += 2 * reduce_except_dim<kept, red::argmin>(t);
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(most.dptr_[i], DType(Chosen(groups[i], true))) << kept << ' ' << i;
    EXPECT_EQ(least.dptr_[i], DType(3 + 2 * Chosen(groups[i], false))) << kept << ' ' << i;
  }
}

template <typename DType>
class ArgReduce : public testing::Test {};
using Numbers = testing::Types<float, double, int32_t, int64_t>;
TYPED_TEST_SUITE(ArgReduce, Numbers);

TYPED_TEST(ArgReduce, GivesTheFirstNumber) {
  for (const index_t cols : {1, 7, 600}) {
    TensorContainer<cpu, 3, TypeParam> t(Shape3(3, 5, cols));
    uint32_t state = 1;
    ForEach(Shape2(15, cols), [&](index_t y, index_t x) {
      state = state * 1664525u + 1013904223u;
      t.FlatTo2D()[y][x] = static_cast<TypeParam>(static_cast<int>(state >> 28) - 8);
    });
    const Tensor<cpu, 3, TypeParam> view = t;
    ExpectNumbers<TypeParam, -1>(view);
    ExpectNumbers<TypeParam, 0>(view);
    ExpectNumbers<TypeParam, 1>(view);
    ExpectNumbers<TypeParam, 2>(view);
    const Tensor<cpu, 2, TypeParam> matrix = view[1];
    ExpectNumbers<TypeParam, 0>(matrix);
    ExpectNumbers<TypeParam, 1>(matrix);
    TensorContainer<cpu, 1, TypeParam> rows(Shape1(5)), same(Shape1(5));
    rows = reduce_except_dim<0, red::argmin>(matrix);
    same = reduce_with_axis<red::minimum, true>(matrix, 1);
    for (index_t y = 0; y < 5; ++y) EXPECT_EQ(rows[y], same[y]);
  }
}

TEST(ArgReduce, OfNaNInfinityAndZero) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  TensorContainer<cpu, 2> t(Shape2(4, 3));
  const float elements[4][3] = {
      {1, nan, nan}, {-infinity, -infinity, -infinity}, {-0.0f, 0.0f, -1}, {2, infinity, infinity}};
  ForEach(t.shape_, [&](index_t y, index_t x) { t[y][x] = elements[y][x]; });
  TensorContainer<cpu, 1> rows(Shape1(4)), one(Shape1(1));
  rows = reduce_except_dim<0, red::argmax>(t);
  EXPECT_EQ(rows[0], 1);
  EXPECT_EQ(rows[1], 0);
  EXPECT_EQ(rows[2], 0);
  EXPECT_EQ(rows[3], 1);
  rows = reduce_except_dim<0, red::argmin>(t);
  EXPECT_EQ(rows[0], 1);
  EXPECT_EQ(rows[1], 0);
  EXPECT_EQ(rows[2], 2);
  EXPECT_EQ(rows[3], 0);
  one = reduce_all<red::argmax>(t);
  EXPECT_EQ(one[0], 1);
}

TEST(ArgReduce, OfNothingIsZero) {
  TensorContainer<cpu, 2> none(Shape2(2, 0)), nothing(Shape2(0, 2));
  TensorContainer<cpu, 1> v(Shape1(2), 7.0f), one(Shape1(1), 7.0f);
  v = reduce_except_dim<0, red::argmax>(none);
  EXPECT_EQ(v[1], 0);
  v = 7;
  v = reduce_except_dim<1, red::argmin>(nothing);
  EXPECT_EQ(v[0], 0);
  one = reduce_all<red::argmin>(none);
  EXPECT_EQ(one[0], 0);
}

TEST(ArgReduce, NumbersMustFitTheElements) {
  TensorContainer<cpu, 2, int8_t> t(Shape2(2, 129), int8_t{1});
  TensorContainer<cpu, 1, int8_t> v(Shape1(2), int8_t{7});
  EXPECT_MESSAGE((v = reduce_except_dim<0, red::argmax>(t)), "does not hold index 128");
  EXPECT_EQ(v[0], 7);
  TensorContainer<cpu, 2, half::half_t> h(Shape2(40, 60), half::half_t(1.0f));
  TensorContainer<cpu, 1, half::half_t> one(Shape1(1));
  EXPECT_MESSAGE(one = reduce_all<red::argmax>(h), "does not hold index 2399");
  TensorContainer<cpu, 1> wide(Shape1(1));
  h[39][59] = half::half_t(2.0f);
  wide = reduce_all<red::argmax>(tcast<float>(h));
  EXPECT_EQ(wide[0], 2399);
}
