// SPDX-License-Identifier: Apache-2.0
#include <mshadow/detail/softmax.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "testing.h"

namespace {
using namespace testing_runtime;

/// Against the definition in double.
template <typename T>
void Check(Shape<2> shape, double tolerance) {
  auto x = Make<T>(shape, 1);
  x *= 2;
  TensorContainer<cpu, 2, T> y(shape, 0, false);
  Softmax(y, x);
  for (index_t r = 0; r < shape[0]; ++r) {
    double sum = 0;
    for (index_t c = 0; c < shape[1]; ++c) sum += std::exp(static_cast<double>(At(x, r, c)));
    for (index_t c = 0; c < shape[1]; ++c) {
      const double expected = std::exp(static_cast<double>(At(x, r, c))) / sum;
      EXPECT_NEAR(static_cast<double>(At(y, r, c)), expected, tolerance * expected + 1e-7);
    }
  }
}

TEST(Softmax, IsTheDefinition) {
  Check<float>(Shape2(3, 10), 1e-6);
  Check<float>(Shape2(2, 1000), 1e-6);
  Check<double>(Shape2(3, 37), 1e-15);
  Check<half::half_t>(Shape2(3, 10), 1e-3);
  Check<bfloat::bf16_t>(Shape2(3, 10), 1e-2);
}

/// Classes in the middle: the bits that each position's softmax has as a row, in place, too.
template <typename T>
void CheckColumns(Shape<3> shape) {
  auto x = Make<T>(shape, 1);
  x *= 3;
  x[0][shape[1] / 2][shape[2] - 1] = std::numeric_limits<float>::infinity();
  TensorContainer<cpu, 3, T> y(shape);
  Softmax(y, x);
  TensorContainer<cpu, 2, T> row(Shape2(1, shape[1]));
  for (index_t n = 0; n < shape[0]; ++n) {
    for (index_t i = 0; i < shape[2]; ++i) {
      for (index_t c = 0; c < shape[1]; ++c) row[0][c] = x[n][c][i];
      Softmax(row, row);
      for (index_t c = 0; c < shape[1]; ++c) {
        const T got = y[n][c][i], want = row[0][c];
        const bool both_nan = got != got && want != want;
        EXPECT_TRUE(both_nan || std::memcmp(&got, &want, sizeof(T)) == 0) << n << c << i;
      }
    }
  }
  Softmax(x, x);
  const Tensor<cpu, 2, T> in_place = x[shape[0] - 1], apart = y[shape[0] - 1];
  for (index_t c = 0; c < shape[1]; ++c) {
    const size_t bytes = static_cast<size_t>(shape[2]) * sizeof(T);
    EXPECT_EQ(std::memcmp(in_place[c].dptr_, apart[c].dptr_, bytes), 0);
  }
}

// More positions than are computed side by side, classes that make several leaves of a sum.
TEST(Softmax, OfColumnsHasTheBitsOfRows) {
  CheckColumns<float>(Shape3(2, 50, 70));
  CheckColumns<float>(Shape3(2, 1, 64));
  CheckColumns<double>(Shape3(3, 17, 5));
  CheckColumns<half::half_t>(Shape3(2, 40, 9));
}

TEST(Softmax, DoesNotOverflow) {
  TensorContainer<cpu, 2> x(Shape2(1, 3)), y(Shape2(1, 3));
  x[0][0] = 1e30f;
  x[0][1] = -1e30f;
  x[0][2] = 1e30f;
  Softmax(y, x);
  EXPECT_EQ(y[0][0], 0.5f);
  EXPECT_EQ(y[0][1], 0.0f);
  x[0][1] = std::numeric_limits<float>::quiet_NaN();
  Softmax(y, x);
  EXPECT_TRUE(std::isnan(y[0][0]));
}

TEST(Softmax, WorksInPlaceAndChecksShapes) {
  auto x = Make<float>(Shape2(4, 5), 1);
  TensorContainer<cpu, 2> y(Shape2(4, 5));
  Softmax(y, x);
  Softmax(x, x);
  EXPECT_EQ(x[3][4], y[3][4]);
  auto other = Make<float>(Shape2(5, 4), 1);
  EXPECT_MESSAGE(Softmax(y, other), "Softmax: dst and energy: shapes (4,5) and (5,4) differ");
  auto flat = Make<float>(Shape2(6, 4), 1, false);
  EXPECT_MESSAGE(Softmax(flat.Slice(0, 3), flat.Slice(1, 4)), "overlaps its memory");
  TensorContainer<cpu, 2> none(Shape2(3, 0)), no_rows(Shape2(0, 3));
  Softmax(none, none);
  Softmax(no_rows, no_rows);
}

TEST(Softmax, DoesNotDependOnThreads) {
  auto x = Make<float>(Shape2(4000, 33), 1);
  TensorContainer<cpu, 2> one(x.shape_), many(x.shape_);
  SetNumThreads(1);
  Softmax(one, x);
  SetNumThreads(5);
  Softmax(many, x);
  SetNumThreads(0);
  for (index_t y = 0; y < 4000; ++y) {
    ASSERT_EQ(std::memcmp(one[y].dptr_, many[y].dptr_, 33 * sizeof(float)), 0);
  }
}

}  // namespace
