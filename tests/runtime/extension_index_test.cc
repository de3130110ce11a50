// SPDX-License-Identifier: Apache-2.0
// Elements chosen by indices, ranges, products and complex numbers as expressions.
#include <mshadow/extension/scatter_columns.h>

#include <complex>
#include <limits>

#include "extension_testing.h"

namespace {
using namespace testing_runtime;

/// A vector of indices below \p size, of any element type.
template <typename IType>
TensorContainer<cpu, 1, IType> Indices(index_t count, index_t size) {
  TensorContainer<cpu, 1, IType> index(Shape1(count));
  for (index_t i = 0; i < count; ++i) index[i] = ScalarCast<IType>(size == 0 ? 0 : i * 7 % size);
  return index;
}

template <typename IType, typename DType>
void CheckIndexing(index_t rows, index_t cols, index_t count) {
  auto t = Make<DType>(Shape2(rows, cols), 1);
  auto rows_of = Indices<IType>(count, rows);
  auto cols_of = Indices<IType>(rows, cols);
  const auto at = [](const auto &index, index_t i) { return ScalarCast<index_t>(index[i]); };
  if (rows > 0) {
    ExpectElements(take(rows_of, t * 1), Shape2(count, cols),
                   [&](const Shape<2> &i) { return Number(t[at(rows_of, i[0])][i[1]]); });
  }
  if (cols > 0) {
    ExpectElements(mat_choose_row_element(t, cols_of), Shape1(rows),
                   [&](const Shape<1> &i) { return Number(t[i[0]][at(cols_of, i[0])]); });
  }
  auto values = Make<DType>(Shape1(rows), 5);
  ExpectElements(mat_fill_row_element(t, values, cols_of), t.shape_, [&](const Shape<2> &i) {
    return Number(i[1] == at(cols_of, i[0]) ? values[i[0]] : At(t, i));
  });
  ExpectElements(one_hot_encode(cols_of, cols), t.shape_,
                 [&](const Shape<2> &i) { return i[1] == at(cols_of, i[0]) ? 1.0 : 0.0; });
  ExpectElements(one_hot_encode<DType>(cols_of, cols), t.shape_,
                 [&](const Shape<2> &i) { return i[1] == at(cols_of, i[0]) ? 1.0 : 0.0; });
  ExpectElements(mask(cols_of, t), t.shape_, [&](const Shape<2> &i) {
    return Number(At(t, i)) * static_cast<double>(at(cols_of, i[0]));
  });
  auto grad = Make<DType>(Shape2(count, cols), 3);
  ExpectElements(take_grad(rows_of, grad, rows), t.shape_, [&](const Shape<2> &i) {
    double sum = 0;
    for (index_t k = 0; k < count; ++k) sum += at(rows_of, k) == i[0] ? Number(grad[k][i[1]]) : 0;
    return sum;
  });
}

/// Some columns twice, some beyond either end.
template <typename IType, typename DType>
void CheckScatterColumns(index_t rows, index_t places, index_t cols) {
  const auto values = Make<DType>(Shape2(rows, places), 2);
  TensorContainer<cpu, 2, IType> columns(values.shape_);
  const auto at = [&](index_t y, index_t i) { return (y + 5 * i) % (cols + 3) - 1; };
  for (index_t y = 0; y < rows; ++y) {
    for (index_t i = 0; i < places; ++i) columns[y][i] = static_cast<IType>(at(y, i));
  }
  const auto want = [&](const Shape<2> &e) {
    double sum = 0;
    for (index_t i = 0; i < places; ++i) sum += at(e[0], i) == e[1] ? Number(values[e[0]][i]) : 0;
    return sum;
  };
  ExpectElements(scatter_columns(values, columns, cols), Shape2(rows, cols), want);
  ExpectElements(scatter_columns(values * 1, columns + 0, cols), Shape2(rows, cols), want);
  ExpectElements(mirror(scatter_columns(values, columns, cols)), Shape2(rows, cols),
                 [&](const Shape<2> &e) { return want(Shape2(e[0], cols - 1 - e[1])); });
}

TEST(ExtensionIndex, ScatterColumns) {
  for (const index_t cols : {1, 7, 16, 150, 300}) {
    for (const index_t places : {0, 1, 3, 40}) {
      CheckScatterColumns<int64_t, float>(3, places, cols);
      CheckScatterColumns<float, double>(1, places, cols);
      CheckScatterColumns<int16_t, half::half_t>(3, places, cols);
      CheckScatterColumns<int32_t, int32_t>(0, places, cols);
    }
  }
  auto values = Make<float>(Shape2(3, 2), 1), columns = Make<float>(Shape2(3, 4), 1);
  EXPECT_MESSAGE(scatter_columns(values, columns, 5),
                 "scatter_columns: expected a column for each value, shapes (3,4) and (3,2)");
  EXPECT_MESSAGE(scatter_columns(values, values, -1), "the number of columns -1 is negative");
  EXPECT_MESSAGE(values = scatter_columns(values, values * 1, 2), "reads other elements");
}

/// Runs of places, and of rows followed side by side.
template <typename IType>
void CheckManyRows() {
  const index_t rows = 150, cols = 9;
  const auto t = Make<float>(Shape2(rows, cols), 3);
  TensorContainer<cpu, 1, IType> index{Shape1(rows)};
  TensorContainer<cpu, 1> chosen{Shape1(rows)}, greatest{Shape1(rows)};
  for (index_t y = 0; y < rows; ++y) index[y] = static_cast<IType>(y * 5 % cols);
  chosen = mat_choose_row_element(t, index);
  greatest = reduce_with_axis<red::maximum, true>(t, 1);
  for (index_t y = 0; y < rows; ++y) {
    EXPECT_EQ(chosen[y], t[y][y * 5 % cols]) << y;
    index_t want = 0;
    for (index_t x = 1; x < cols; ++x) want = t[y][x] > t[y][want] ? x : want;
    EXPECT_EQ(greatest[y], static_cast<float>(want)) << y;
  }
}

TEST(ManyRows, AreChosenFrom) {
  CheckManyRows<float>();
  CheckManyRows<int32_t>();
  CheckManyRows<int64_t>();
}

TEST(ExtensionIndex, IndicesOfAnyTypeChooseFromDataOfAnyType) {
  CheckIndexing<float, float>(5, 4, 9);
  CheckIndexing<int32_t, float>(5, 4, 9);
  CheckIndexing<int64_t, double>(3, 150, 7);
  CheckIndexing<uint8_t, half::half_t>(5, 4, 9);
  CheckIndexing<half::half_t, int32_t>(1, 1, 1);
  CheckIndexing<int32_t, float>(3, 0, 2);
  CheckIndexing<int32_t, float>(0, 3, 0);
}

TEST(ExtensionIndex, IndicesAreChecked) {
  auto t = Make<float>(Shape2(3, 4), 1);
  auto index = Make<int32_t>(Shape1(3), 1);
  TensorContainer<cpu, 2> dst(Shape2(3, 4), 7);
  TensorContainer<cpu, 1> row(Shape1(3), 7);
  index = 0;
  index[2] = 3;
  EXPECT_MESSAGE(dst = take(index, t) * 2, "take: index 3 at position 2 is not within [0,3)");
  TensorContainer<cpu, 1> sum(Shape1(4), 7);
  EXPECT_MESSAGE(sum = sum_rows(take(index, t)), "take: index 3 at position 2");
  index[2] = -1;
  EXPECT_MESSAGE(dst = take(index, t), "take: index -1 at position 2");
  EXPECT_MESSAGE(row = mat_choose_row_element(t, index), "index -1 at position 2");
  EXPECT_EQ(dst[0][0], 7.0f) << "nothing was written";
  TensorContainer<cpu, 1> f(Shape1(3), 0);
  f[1] = std::nanf("");
  EXPECT_MESSAGE(dst = take(f, t), "index nan at position 1");
  // Where an index says what is written, one outside writes nothing.
  dst = mat_fill_row_element(t, row, index);
  EXPECT_EQ(dst[2][3], t[2][3]);
  EXPECT_EQ(dst[1][0], 7.0f);
  dst = one_hot_encode(index, 4);
  EXPECT_EQ(dst[2][0] + dst[2][3], 0.0f);
  dst = take_grad(index, t, 3);
  EXPECT_EQ(dst[0][1], t[0][1] + t[1][1]);
  // A GPU cannot throw: there such an element is 0.
  index[2] = 100;
  EXPECT_EQ(MakePlan(take(index, t)).Eval(2, 0), 0.0f);
  EXPECT_EQ(MakePlan(mat_choose_row_element(t, index)).Eval(0, 2), 0.0f);
}

/// Rows that threads share, whose 1 is in any of the pieces or in none; stored, added, computed
/// with.
TEST(ExtensionIndex, OneHotOfLongRows) {
  const index_t cols = 100003;
  const int64_t places[] = {0,
                            50048,
                            cols - 1,
                            cols,
                            -1,
                            std::numeric_limits<int64_t>::min(),
                            std::numeric_limits<int64_t>::max()};
  TensorContainer<cpu, 1, int64_t> index(Shape1(7));
  for (index_t y = 0; y < 7; ++y) index[y] = places[y];
  TensorContainer<cpu, 2> stored(Shape2(7, cols), 9.0f), added(stored.shape_, 1.0f),
      twice(stored.shape_);
  for (const int threads : {1, 5}) {
    SetNumThreads(threads);
    stored = one_hot_encode(index, cols);
    added = 1.0f;
    added += one_hot_encode(index, cols);
    twice = one_hot_encode(index, cols) * 2.0f;
    SetNumThreads(0);
    for (index_t y = 0; y < 7; ++y) {
      for (index_t x = 0; x < cols; ++x) {
        const float want = x == places[y] ? 1.0f : 0.0f;
        ASSERT_EQ(stored[y][x], want) << y << ' ' << x;
        ASSERT_EQ(added[y][x], 1.0f + want) << y << ' ' << x;
        ASSERT_EQ(twice[y][x], 2.0f * want) << y << ' ' << x;
      }
    }
  }
}

TEST(ExtensionIndex, IndicesAreReadWhenItIsEvaluated) {
  auto t = Make<float>(Shape2(3, 4), 1);
  TensorContainer<cpu, 1, int32_t> index(Shape1(2), 99);
  const auto rows = take(index, t);
  index = 1;
  ExpectElements(rows, Shape2(2, 4), [&](const Shape<2> &i) { return t[1][i[1]]; });
}

TEST(ExtensionIndex, ShapesAreChecked) {
  auto t = Make<float>(Shape2(3, 4), 1);
  auto two = Make<float>(Shape1(2), 1), three = Make<float>(Shape1(3), 1);
  EXPECT_MESSAGE(mat_choose_row_element(t, two),
                 "mat_choose_row_element: expected a vector with one element for each row, shapes "
                 "(2,) and (3,4)");
  EXPECT_MESSAGE(mat_fill_row_element(t, two, three),
                 "mat_fill_row_element: expected a vector with one element");
  EXPECT_MESSAGE(mat_fill_row_element(t, three, two),
                 "mat_fill_row_element: expected a vector with one element");
  EXPECT_MESSAGE(mask(two, t), "mask: expected a vector with one element for each row");
  EXPECT_MESSAGE(take_grad(two, t, 5),
                 "take_grad: expected a vector with one element for each row");
  EXPECT_MESSAGE(take_grad(three, t, -5), "the number of rows -5 is negative");
  EXPECT_MESSAGE(one_hot_encode(two, -1), "the number of choices -1 is negative");
}

TEST(ExtensionIndex, InPlace) {
  auto t = Make<float>(Shape2(3, 4), 1);
  const TensorContainer<cpu, 2> old(t);
  auto index = Indices<int32_t>(3, 3);
  auto values = Make<float>(Shape1(3), 2);
  t = mat_fill_row_element(t, values, index);
  EXPECT_EQ(t[1][1], values[1]);
  EXPECT_EQ(t[1][2], old[1][2]);
  t = mask(values, t);
  EXPECT_EQ(t[1][2], old[1][2] * values[1]);
  EXPECT_MESSAGE(t = take(index, t), "reads other elements");
  EXPECT_MESSAGE(t = mirror(mask(values, t)), "reads other elements");
  EXPECT_MESSAGE(t = mat_fill_row_element(t, t[0].Slice(0, 3), index), "reads other elements");
}

TEST(ExtensionRange, Counts) {
  ExpectElements(range<float>(0, 5), Shape1(5), [](const Shape<1> &i) { return i[0]; });
  ExpectElements(range<int32_t>(2, 11, 3, 2), Shape1(6),
                 [](const Shape<1> &i) { return 2 + i[0] / 2 * 3; });
  ExpectElements(range<double>(3, -200, -2), Shape1(102),
                 [](const Shape<1> &i) { return 3 - 2 * i[0]; });
  ExpectElements(
      range<float>(0, 0.6f, 0.2f), Shape1(3),
      [](const Shape<1> &i) { return 0.2f * static_cast<float>(i[0]); }, 1e-6);
  ExpectElements(range<int64_t>(16777217, 16777220), Shape1(3),
                 [](const Shape<1> &i) { return 16777217 + i[0]; });
  EXPECT_EQ(RangeOutSize(5, 5, 1), 0);
  EXPECT_EQ(RangeOutSize(5, 4, 1), 0);
  EXPECT_EQ(RangeOutSize(0, 10, 4, 3), 9);
  EXPECT_EQ(RangeOutSize(0, 1, 0.1f), 10);
  TensorContainer<cpu, 1> v(Shape1(4), 1);
  EXPECT_MESSAGE(v = range<float>(0, 5), "shapes (4,) and (5,) differ");
  EXPECT_MESSAGE(v = range<float>(0, 5, 0), "range: the step is 0");
  EXPECT_MESSAGE(v = range<float>(0, 5, 1, 0), "the number of repetitions 0 is not positive");
  v = v * 10 + range<float>(0, 4);
  EXPECT_EQ(v[3], 13.0f);
  TensorContainer<cpu, 2> m(Shape2(3, 4));
  m = repmat(range<float>(0, 4), 3);
  EXPECT_EQ(m[2][3], 3.0f);
}

TEST(ExtensionProduct, ImplicitDot) {
  ForElementTypes([](auto zero) {
    using DType = decltype(zero);
    for (const Shape<3> &s :
         {Shape3(1, 1, 1), Shape3(3, 4, 5), Shape3(2, 0, 3), Shape3(3, 2, 150)}) {
      auto a = Make<DType>(Shape2(s[0], s[1]), 1), b = Make<DType>(Shape2(s[1], s[2]), 2);
      const auto product = [&](const Shape<2> &i) {
        double sum = 0;
        for (index_t k = 0; k < s[1]; ++k) sum += Number(a[i[0]][k]) * Number(b[k][i[1]]);
        return sum;
      };
      ExpectElements(implicit_dot(a, b), Shape2(s[0], s[2]), product);
      ExpectElements(implicit_dot(a * 1, b + 0) + 1, Shape2(s[0], s[2]),
                     [&](const Shape<2> &i) { return product(i) + 1; });
      ExpectElements(implicit_dot(b.T(), a.T()), Shape2(s[2], s[0]),
                     [&](const Shape<2> &i) { return product(Shape2(i[1], i[0])); });
    }
  });
  auto a = Make<float>(Shape2(3, 4), 1);
  EXPECT_MESSAGE(implicit_dot(a, a),
                 "implicit_dot: expected as many columns on the left as rows on the right, shapes "
                 "(3,4) and (3,4)");
}

using Complex = std::complex<double>;

/// Number n of row y of a tensor of pairs; of a tensor of real numbers.
Complex Pair(const Tensor<cpu, 2, double> &t, index_t y, index_t n) {
  return {t[y][2 * n], t[y][2 * n + 1]};
}
template <typename E, typename Want>
void ExpectPairs(const E &exp, const Shape<2> &shape, Want want) {
  ExpectElements(
      exp, shape,
      [&](const Shape<2> &i) {
        const Complex z = want(i[0], i[1] / 2);
        return i[1] % 2 == 0 ? z.real() : z.imag();
      },
      1e-14);
}

TEST(ExtensionComplex, ProductsAndQuotients) {
  for (const Shape<2> &shape : {Shape2(3, 8), Shape2(1, 2), Shape2(2, 0), Shape2(2, 300)}) {
    const Shape<2> half = Shape2(shape[0], shape[1] / 2);
    auto a = Make<double>(shape, 1), b = Make<double>(shape, 2);
    auto r = Make<double>(half, 3);
    const auto real = [&](index_t y, index_t n) { return Complex(r[y][n]); };
    ExpectPairs(complex_mul_cc(a * 1, b), shape,
                [&](index_t y, index_t n) { return Pair(a, y, n) * Pair(b, y, n); });
    ExpectPairs(complex_div_cc(a, b), shape,
                [&](index_t y, index_t n) { return Pair(a, y, n) / Pair(b, y, n); });
    ExpectPairs(complex_mul_cr(a, r), shape,
                [&](index_t y, index_t n) { return Pair(a, y, n) * real(y, n); });
    ExpectPairs(complex_div_cr(a, r), shape,
                [&](index_t y, index_t n) { return Pair(a, y, n) / real(y, n); });
    ExpectPairs(complex_mul_rc(r, b), shape,
                [&](index_t y, index_t n) { return real(y, n) * Pair(b, y, n); });
    ExpectPairs(complex_div_rc(r, b), shape,
                [&](index_t y, index_t n) { return real(y, n) / Pair(b, y, n); });
  }
}

TEST(ExtensionComplex, OfOneOperand) {
  const Shape<2> shape = Shape2(3, 10), half = Shape2(3, 5);
  auto a = Make<double>(shape, 1), r = Make<double>(half, 2);
  ExpectPairs(conj(a * 1), shape, [&](index_t y, index_t n) { return std::conj(Pair(a, y, n)); });
  ExpectPairs(complex_exchange(a), shape,
              [&](index_t y, index_t n) { return Complex(a[y][2 * n + 1], a[y][2 * n]); });
  ExpectPairs(complex_pad_imag(r), shape, [&](index_t y, index_t n) { return Complex(r[y][n]); });
  auto odd = Make<double>(Shape2(3, 3), 4);
  ExpectPairs(complex_pad_imag(odd), Shape2(3, 6),
              [&](index_t y, index_t n) { return Complex(odd[y][n]); });
  ExpectElements(complex_toreal(a), half,
                 [&](const Shape<2> &i) { return Pair(a, i[0], i[1]).real(); });
  ExpectElements(complex_abs_square(a), half,
                 [&](const Shape<2> &i) { return std::norm(Pair(a, i[0], i[1])); });
  ExpectElements(complex_sum_real_imag(a), half, [&](const Shape<2> &i) {
    return Pair(a, i[0], i[1]).real() + Pair(a, i[0], i[1]).imag();
  });
}

/// A user's operator, in mshadow's manner.
struct times_i {
  template <typename TA, typename DType>
  static DType RealMap(const expr::Plan<TA, DType> &src, index_t, index_t, index_t i, index_t j) {
    return -src.Eval(i, j);
  }
  template <typename TA, typename DType>
  static DType ImagMap(const expr::Plan<TA, DType> &src, index_t i, index_t j, index_t, index_t) {
    return src.Eval(i, j);
  }
};

TEST(ExtensionComplex, UserOperatorsAndErrors) {
  auto a = Make<double>(Shape2(3, 10), 1);
  ExpectPairs(ComplexF<op::complex::kUnitaryC2C, times_i>(a), a.shape_,
              [&](index_t y, index_t n) { return Complex(0, 1) * Pair(a, y, n); });
  TensorContainer<cpu, 2, double> dst(Shape2(3, 10));
  auto odd = Make<double>(Shape2(3, 5), 1);
  EXPECT_MESSAGE(dst = complex_mul_cc(a, odd), "shapes (3,10) and (3,5) differ");
  EXPECT_MESSAGE(dst = complex_mul_cr(a, a), "shapes (3,10) and (3,20) differ");
  EXPECT_MESSAGE(odd = conj(odd), "the last dimension of shape (3,5) is odd, but holds pairs");
  EXPECT_MESSAGE(a = complex_mul_cc(a, a), "reads other elements");
  EXPECT_MESSAGE(a = complex_exchange(a), "reads other elements");
  const double before = a[1][3];
  a = conj(a);
  EXPECT_EQ(a[1][3], -before);
}

}  // namespace
