// SPDX-License-Identifier: Apache-2.0
// Products of every element type and rank, against sums in double.
#include <type_traits>

#include "testing.h"

namespace {
using namespace testing_runtime;

template <typename T>
class DotTypes : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t,
                                  int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(DotTypes, AllTypes);

/// 0, 1 or 2: sums of a few products are exact in every type.
template <typename T, int dim>
TensorContainer<cpu, dim, T> Small(const Shape<dim> &shape, int seed, bool pad) {
  TensorContainer<cpu, dim, T> t(shape, 0, pad);
  int next = seed;
  ForEach(shape, [&](index_t y, index_t x) {
    At(t, y, x) = ScalarCast<T>(next % 3);
    next = next * 5 % 1000 + 1;
  });
  return t;
}

template <typename T>
double Get(const Tensor<cpu, 2, T> &m, bool transposed, index_t y, index_t x) {
  return static_cast<double>(transposed ? At(m, x, y) : At(m, y, x));
}

/// want = beta old + alpha op(a) op(b), as a T: integers wrap.
template <typename T>
T Want(T old, double beta, double alpha, bool ta, bool tb, const Tensor<cpu, 2, T> &a,
       const Tensor<cpu, 2, T> &b, index_t y, index_t x) {
  double sum = 0;
  for (index_t i = 0; i < (ta ? a.size(0) : a.size(1)); ++i) {
    sum += Get(a, ta, y, i) * Get(b, tb, i, x);
  }
  const double value = alpha * sum + beta * static_cast<double>(old);
  return std::is_integral<T>::value ? ScalarCast<T>(static_cast<int64_t>(value))
                                    : ScalarCast<T>(value);
}

TYPED_TEST(DotTypes, MatricesInEveryForm) {
  using T = TypeParam;
  for (const bool pad : {false, true}) {
    for (int form = 0; form < 4; ++form) {
      const bool ta = (form & 1) != 0, tb = (form & 2) != 0;
      for (const Shape<3> &s : {Shape3(3, 5, 4), Shape3(1, 5, 4), Shape3(3, 1, 4), Shape3(3, 5, 1),
                                Shape3(1, 1, 1), Shape3(3, 5, 0)}) {
        const index_t m = s[0], n = s[1], k = s[2];
        const auto a = Small<T>(ta ? Shape2(k, m) : Shape2(m, k), 1, pad);
        const auto b = Small<T>(tb ? Shape2(n, k) : Shape2(k, n), 2, !pad);
        const auto old = Small<T>(Shape2(m, n), 1, pad);
        TensorContainer<cpu, 2, T> set(old), added(old), subtracted(old);
        const auto assign = [&](const auto &product) {
          set = product;
          added += 2 * product;
          subtracted -= product;
        };
        if (ta && tb) assign(dot(a.T(), b.T()));
        if (ta && !tb) assign(dot(a.T(), b));
        if (!ta && tb) assign(dot(a, b.T()));
        if (!ta && !tb) assign(dot(a, b));
        ForEach(old.shape_, [&](index_t y, index_t x) {
          const T o = At(old, y, x);
          EXPECT_EQ(At(set, y, x), Want<T>(o, 0, 1, ta, tb, a, b, y, x));
          EXPECT_EQ(At(added, y, x), Want<T>(o, 1, 2, ta, tb, a, b, y, x));
          EXPECT_EQ(At(subtracted, y, x), Want<T>(o, 1, -1, ta, tb, a, b, y, x));
        });
      }
    }
  }
}

TYPED_TEST(DotTypes, Vectors) {
  using T = TypeParam;
  const auto m = Small<T>(Shape2(3, 4), 1, true);
  const auto v = Small<T>(Shape1(3), 2, false), w = Small<T>(Shape1(4), 4, false);
  TensorContainer<cpu, 1, T> row(Shape1(4), 1), column(Shape1(3), 1), one(Shape1(1), 3);
  TensorContainer<cpu, 2, T> outer(Shape2(3, 4), 100);
  row = dot(v, m);
  column += dot(m, w);
  outer = dot(v.T(), w);
  one -= 2 * dot(v, v.T());
  for (index_t x = 0; x < 4; ++x) {
    EXPECT_EQ(row[x], Want<T>(T(0), 0, 1, false, false, v.FlatTo2D(), m, 0, x));
  }
  for (index_t y = 0; y < 3; ++y) {
    EXPECT_EQ(column[y], Want<T>(T(1), 1, 1, false, true, m, w.FlatTo2D(), y, 0));
    for (index_t x = 0; x < 4; ++x) EXPECT_EQ(outer[y][x], T(v[y] * w[x]));
  }
  EXPECT_EQ(one[0], Want<T>(T(3), 1, -2, false, true, v.FlatTo2D(), v.FlatTo2D(), 0, 0));
  row = dot(column, outer) * 2;
  column = dot(row, outer.T());
  EXPECT_MESSAGE(row = dot(v, v), "expected a destination of shape (1,1), got (1,4)");
}

TYPED_TEST(DotTypes, Batches) {
  using T = TypeParam;
  for (const bool pad : {false, true}) {
    const auto a = Small<T>(Shape3(2, 3, 4), 1, pad), at = Small<T>(Shape3(2, 4, 3), 1, pad);
    const auto b = Small<T>(Shape3(2, 4, 5), 2, !pad), bt = Small<T>(Shape3(2, 5, 4), 2, !pad);
    const auto old = Small<T>(Shape3(2, 3, 5), 1, pad);
    TensorContainer<cpu, 3, T> d0(old), d1(old), d2(old), d3(old);
    d0 = batch_dot(a, b);
    d1 += 2 * batch_dot<true, false>(at, b);
    d2 -= batch_dot<false, true>(a, bt);
    d3 += batch_dot<true, true>(at, bt);
    for (index_t i = 0; i < 2; ++i) {
      for (index_t y = 0; y < 3; ++y) {
        for (index_t x = 0; x < 5; ++x) {
          const T o = old[i][y][x];
          EXPECT_EQ(d0[i][y][x], Want<T>(o, 0, 1, false, false, a[i], b[i], y, x));
          EXPECT_EQ(d1[i][y][x], Want<T>(o, 1, 2, true, false, at[i], b[i], y, x));
          EXPECT_EQ(d2[i][y][x], Want<T>(o, 1, -1, false, true, a[i], bt[i], y, x));
          EXPECT_EQ(d3[i][y][x], Want<T>(o, 1, 1, true, true, at[i], bt[i], y, x));
        }
      }
    }
    TensorContainer<cpu, 3, T> wrong(Shape3(3, 3, 5)), none(Shape3(0, 3, 5));
    EXPECT_MESSAGE(wrong = batch_dot(a, b),
                   "batch_dot: expected the same number of matrices in all three");
    none = batch_dot(a.Slice(0, 0), b.Slice(0, 0));
    EXPECT_MESSAGE(d0 = batch_dot(d1, b), "got shapes (3,5) and (4,5)");
  }
}

/// BLAS's own names count columns first.
TYPED_TEST(DotTypes, EngineInColumnMajorOrder) {
  using T = TypeParam;
  using Blas = BLASEngine<cpu, T>;
  // a: 2 x 3, b: 3 x 2, both by columns; leading dimensions of 4.
  const T a[] = {T(1), T(2), T(9), T(9), T(0), T(1), T(9), T(9), T(2), T(1), T(9), T(9)};
  const T b[] = {T(1), T(1), T(0), T(9), T(2), T(0), T(1), T(9)};
  T c[] = {T(1), T(1), T(1), T(1)};
  Blas::gemm(nullptr, false, false, 2, 2, 3, T(1), a, 4, b, 4, T(1), c, 2);
  EXPECT_EQ(std::vector<T>(c, c + 4), (std::vector<T>{T(2), T(4), T(5), T(6)}));
  Blas::gemm(nullptr, true, true, 3, 3, 2, T(1), a, 4, b, 4, T(0), std::vector<T>(9).data(), 3);
  T y[] = {T(0), T(0), T(0)};
  Blas::gemv(nullptr, false, 2, 3, T(1), a, 4, b, 1, T(0), y, 1);
  EXPECT_EQ(y[0], T(1));
  EXPECT_EQ(y[1], T(3));
  Blas::gemv(nullptr, true, 2, 3, T(2), a, 4, b, 4, T(0), y, 1);
  EXPECT_EQ(y[0], T(10));
  EXPECT_EQ(y[1], T(4));
  EXPECT_EQ(y[2], T(8));
  T r[] = {T(1), T(1), T(1), T(1)};
  Blas::ger(nullptr, 2, 2, T(2), a, 1, b + 4, 2, r, 2);
  EXPECT_EQ(std::vector<T>(r, r + 4), (std::vector<T>{T(5), T(9), T(3), T(5)}));
  T one;
  Blas::dot(nullptr, 3, a, 4, b, 1, &one);
  EXPECT_EQ(one, T(1));
  T batch[] = {T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0)};
  const T pair[] = {T(1), T(0), T(0), T(1), T(2), T(1), T(0), T(1)};
  Blas::batched_gemm(nullptr, false, true, 2, 2, 2, T(1), pair, 2, pair, 2, T(0), batch, 2, 2);
  EXPECT_EQ(std::vector<T>(batch + 4, batch + 8), (std::vector<T>{T(4), T(2), T(2), T(2)}));
  const T *const twice[] = {pair + 4, pair}, *const once[] = {pair, pair + 4};
  T *const to[] = {batch + 4, batch};
  Blas::batched_gemm(nullptr, false, true, 2, 2, 2, T(1), twice, 2, once, 2, T(0), to, 2, 2);
  EXPECT_EQ(std::vector<T>(batch, batch + 8),
            (std::vector<T>{T(2), T(0), T(1), T(1), T(2), T(1), T(0), T(1)}));
  Blas::batched_gemv(nullptr, false, 2, 2, T(1), pair, 2, pair, 1, T(0), batch, 1, 2);
  EXPECT_EQ(batch[2], T(0));
  EXPECT_EQ(batch[3], T(1));
  Blas::batched_ger(nullptr, 2, 2, T(1), pair, 1, pair, 1, batch, 2, 2);
}

TEST(DotNarrow, SixteenBitSumsAreRoundedOnce) {
  TensorContainer<cpu, 1, half::half_t> ones(Shape1(4096), 1.0f), sum(Shape1(1));
  sum = dot(ones, ones);  // added one by one in half_t it would stop at 2048
  EXPECT_EQ(float(sum[0]), 4096.0f);
}

}  // namespace
