// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "testing.h"

namespace {
using namespace testing_runtime;

template <typename T>
class Dot : public ::testing::Test {};
using FloatTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Dot, FloatTypes);

/// Element (y, x) of a, or of its transpose.
template <typename T>
T Get(const Tensor<cpu, 2, T> &a, bool transposed, index_t y, index_t x) {
  return transposed ? At(a, x, y) : At(a, y, x);
}

/// dst after `dst saver scale * op(a) op(b)`; the numbers are small integers, so sums are exact.
template <typename T, typename Assign, typename Saver>
void CheckGemmOf(const Shape<3> &extents, bool ta, bool tb, bool pad, T scale, Assign assign,
                 Saver save) {
  const index_t m = extents[0], n = extents[1], k = extents[2];
  auto a = Make<T>(ta ? Shape2(k, m) : Shape2(m, k), 1, pad);
  auto b = Make<T>(tb ? Shape2(n, k) : Shape2(k, n), 2, pad);
  auto dst = Make<T>(Shape2(m, n), 3, pad);
  const TensorContainer<cpu, 2, T> old(dst);
  assign(dst, a, b);
  ForEach(dst.shape_, [&](index_t y, index_t x) {
    T sum = 0;
    for (index_t i = 0; i < k; ++i) sum += Get<T>(a, ta, y, i) * Get<T>(b, tb, i, x);
    EXPECT_EQ(At(dst, y, x), save(At(old, y, x), scale * sum)) << ta << tb << y << x;
  });
}

/// The same for products that BLAS computes, and for such as are too small to call it.
template <typename T, typename Assign, typename Saver>
void CheckGemm(bool ta, bool tb, bool pad, T scale, Assign assign, Saver save) {
  for (const Shape<3> &extents :
       {Shape3(4, 5, 3), Shape3(4, 4, 4), Shape3(3, 2, 4), Shape3(1, 4, 2), Shape3(4, 1, 3),
        Shape3(2, 3, 1), Shape3(1, 1, 4), Shape3(9, 7, 1), Shape3(9, 13, 11), Shape3(1, 27, 32),
        Shape3(31, 1, 29), Shape3(1, 33, 32), Shape3(33, 1, 7), Shape3(1, 5, 33), Shape3(32, 31, 1),
        Shape3(33, 32, 1), Shape3(1, 4, 4), Shape3(3, 4, 4)}) {
    CheckGemmOf<T>(extents, ta, tb, pad, scale, assign, save);
  }
}

TYPED_TEST(Dot, MatrixTimesMatrixInAllTranspositions) {
  using T = TypeParam;
  const auto to = [](T, T product) { return product; };
  for (const bool pad : {false, true}) {
    CheckGemm<T>(
        false, false, pad, 1, [](auto &d, auto &a, auto &b) { d = dot(a, b); }, to);
    CheckGemm<T>(
        true, false, pad, 1, [](auto &d, auto &a, auto &b) { d = dot(a.T(), b); }, to);
    CheckGemm<T>(
        false, true, pad, 1, [](auto &d, auto &a, auto &b) { d = dot(a, b.T()); }, to);
    CheckGemm<T>(
        true, true, pad, 1, [](auto &d, auto &a, auto &b) { d = dot(a.T(), b.T()); }, to);
  }
}

TYPED_TEST(Dot, ScaleAndSaverBecomeAlphaAndBeta) {
  using T = TypeParam;
  const auto plus = [](T old, T product) { return old + product; };
  const auto minus = [](T old, T product) { return old - product; };
  CheckGemm<T>(
      false, false, true, 1, [](auto &d, auto &a, auto &b) { d += dot(a, b); }, plus);
  CheckGemm<T>(
      false, true, true, 1, [](auto &d, auto &a, auto &b) { d -= dot(a, b.T()); }, minus);
  CheckGemm<T>(
      true, false, true, 2, [](auto &d, auto &a, auto &b) { d += 2 * dot(a.T(), b); }, plus);
  CheckGemm<T>(
      false, false, true, 6, [](auto &d, auto &a, auto &b) { d -= 2.0f * dot(a, b) * 3.0; }, minus);
}

TYPED_TEST(Dot, VectorTimesMatrix) {
  using T = TypeParam;
  auto v = Make<T>(Shape1(3), 1);
  auto m = Make<T>(Shape2(3, 5), 2);
  auto w = Make<T>(Shape1(5), 3);
  w = dot(v, m);
  for (index_t x = 0; x < 5; ++x) {
    EXPECT_EQ(w[x], v[0] * m[0][x] + v[1] * m[1][x] + v[2] * m[2][x]);
  }
  v += 2 * dot(w, m.T());
  TensorContainer<cpu, 1, T> u(Shape1(3));
  u = dot(m, w);
  const auto start = Make<T>(Shape1(3), 1);
  for (index_t y = 0; y < 3; ++y) {
    T sum = 0;
    for (index_t x = 0; x < 5; ++x) sum += m[y][x] * w[x];
    EXPECT_EQ(v[y], start[y] + 2 * sum);
    EXPECT_EQ(u[y], sum);
  }
  w -= dot(m.T(), u);
}

TYPED_TEST(Dot, OuterProductReplacesUnlessAdded) {
  using T = TypeParam;
  auto v = Make<T>(Shape1(3), 1);
  auto w = Make<T>(Shape1(5), 2);
  TensorContainer<cpu, 2, T> m(Shape2(3, 5), 100);
  m = dot(v.T(), w);
  ForEach(m.shape_, [&](index_t y, index_t x) { EXPECT_EQ(m[y][x], v[y] * w[x]); });
  m += 2 * dot(v.T(), w);
  ForEach(m.shape_, [&](index_t y, index_t x) { EXPECT_EQ(m[y][x], 3 * v[y] * w[x]); });
}

TYPED_TEST(Dot, OldValuesAreNotReadByPlainAssignment) {
  using T = TypeParam;
  auto a = Make<T>(Shape2(4, 4), 1);
  auto b = Make<T>(Shape2(4, 4), 2);
  TensorContainer<cpu, 2, T> dst(Shape2(4, 4), std::numeric_limits<T>::quiet_NaN());
  dst = dot(a, b);
  ForEach(dst.shape_, [&](index_t y, index_t x) { EXPECT_EQ(dst[y][x], dst[y][x]); });
}

TYPED_TEST(Dot, AnEmptySumIsZero) {
  using T = TypeParam;
  TensorContainer<cpu, 2, T> a(Shape2(2, 0)), b(Shape2(0, 3)), dst(Shape2(2, 3), 7);
  dst += dot(a, b);
  EXPECT_EQ(dst[1][2], T(7));
  dst = dot(a, b);
  EXPECT_EQ(dst[1][2], T(0));
  TensorContainer<cpu, 2, T> none(Shape2(0, 3)), left(Shape2(0, 5)), right(Shape2(5, 3), 1);
  none = dot(left, right);
}

TYPED_TEST(Dot, ShapesAreChecked) {
  using T = TypeParam;
  auto a = Make<T>(Shape2(2, 3), 1);
  auto b = Make<T>(Shape2(4, 5), 2);
  TensorContainer<cpu, 2, T> dst(Shape2(2, 5));
  EXPECT_MESSAGE(dst = dot(a, b),
                 "as many columns on the left as rows on the right, got shapes "
                 "(2,3) and (4,5)");
  auto c = Make<T>(Shape2(3, 4), 2);
  EXPECT_MESSAGE(dst = dot(a, c), "expected a destination of shape (2,4), got (2,5)");
  auto v = Make<T>(Shape1(3), 2);
  TensorContainer<cpu, 1, T> w(Shape1(5));
  EXPECT_MESSAGE(w = dot(v, b), "got shapes (1,3) and (4,5)");
}

TYPED_TEST(Dot, SlicesAreFactorsAndDestinations) {
  using T = TypeParam;
  for (const bool pad : {false, true}) {
    auto a = Make<T>(Shape2(4, 7), 1, pad), b = Make<T>(Shape2(6, 5), 2, pad);
    auto out = Make<T>(Shape2(4, 9), 3, pad);
    TensorContainer<cpu, 2, T> left(Shape2(4, 3)), right(Shape2(3, 5)), want(out);
    left = slice<1>(a, 2, 5);
    right = slice<0>(b, 1, 4);
    TensorContainer<cpu, 2, T> product(Shape2(4, 5)), square(Shape2(3, 3), T(0));
    product = dot(left, right);
    slice<1>(want, 3, 8) += T(2) * product;
    slice<1>(out, 3, 8) += T(2) * dot(slice<1>(a, 2, 5), slice<0>(b, 1, 4));
    ExpectSame<T>(out, want);
    slice<1>(square, 0, 2) = dot(slice<1>(a, 2, 5).T(), slice<1>(left, 0, 2));
    square.Slice(0, 3) -= dot(left.T(), slice<1>(a, 2, 5));
    ForEach(square.shape_, [&](index_t y, index_t x) {
      if (x < 2) EXPECT_EQ(At(square, y, x), T(0)) << y;
    });
    // Slices of slices.
    TensorContainer<cpu, 2, T> corner(Shape2(2, 2)), corners(Shape2(2, 2));
    corner = slice<1>(slice<0>(a, 1, 3), 2, 4);
    corners = dot(corner, slice<0>(slice<1>(b, 1, 3), 2, 4));
    want = out;
    slice<0>(slice<1>(want, 4, 6), 1, 3) = corners;
    slice<0>(slice<1>(out, 4, 6), 1, 3) =
        dot(slice<1>(slice<0>(a, 1, 3), 2, 4), slice<1>(b.Slice(2, 4), 1, 3));
    ExpectSame<T>(out, want);
    // Columns of a tensor from others of it; not from what they share with these.
    product = dot(slice<1>(out, 0, 4).T(), slice<1>(out, 4, 9));
    slice<1>(out, 4, 9) = dot(slice<1>(out, 0, 4), product);
    want = out;
    EXPECT_MESSAGE(slice<1>(out, 3, 8) = dot(slice<1>(out, 0, 4), product),
                   "reads other elements of this tensor");
    ExpectSame<T>(out, want);
  }
}

TYPED_TEST(Dot, LargeEnoughForThreads) {
  using T = TypeParam;
  const index_t n = 96;
  auto a = Make<T>(Shape2(n, n), 1);
  auto b = Make<T>(Shape2(n, n), 2);
  TensorContainer<cpu, 2, T> dst(Shape2(n, n));
  SetNumThreads(3);
  dst = dot(a, b.T());
  SetNumThreads(0);
  for (index_t y = 0; y < n; y += 7) {
    for (index_t x = 0; x < n; x += 5) {
      T sum = 0;
      for (index_t i = 0; i < n; ++i) sum += a[y][i] * b[x][i];
      EXPECT_EQ(dst[y][x], sum);
    }
  }
}

TEST(DotEngine, IsDotsWithConstants) {
  auto a = Make<float>(Shape2(3, 4), 1), b = Make<float>(Shape2(5, 4), 2);
  TensorContainer<cpu, 2> got(Shape2(3, 5), 1.0f), want(got);
  Tensor<cpu, 2> view = got;
  DotEngine<sv::plusto, cpu, 2, 2, 2, false, true, float>::Eval(&view, a, b, 0.5f);
  want += 0.5f * dot(a, b.T());
  ExpectSame<float>(got, want);
}

}  // namespace
