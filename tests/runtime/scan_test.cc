// SPDX-License-Identifier: Apache-2.0
// Scans and recurrences, unfused: against loops, in their order, and their checks.
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <cmath>
#include <limits>
#include <vector>

#include "testing.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

Tensor<cpu, 2, float> Matrix(std::vector<float> *elements, index_t rows) {
  return {elements->data(), Shape2(rows, static_cast<index_t>(elements->size()) / rows)};
}

TEST(Scan, RowsOfAnyLength) {
  for (const index_t cols : {1, 2, 15, 16, 17, 31, 32, 33, 100}) {
    std::vector<float> in(2 * cols), sums(in.size()), before(in.size()), least(in.size());
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 7 % 11) - 5;
    Matrix(&sums, 2) = inclusive_scan<red::sum>(Matrix(&in, 2) * 2.0f);
    Matrix(&before, 2) = exclusive_scan<red::sum>(Matrix(&in, 2));
    Matrix(&least, 2) = exclusive_scan<red::minimum>(Matrix(&in, 2));
    for (index_t y = 0; y < 2; ++y) {
      float sum = 0, min = std::numeric_limits<float>::infinity();
      for (index_t i = y * cols; i < (y + 1) * cols; ++i) {
        EXPECT_EQ(before[i], sum) << cols << " " << i;
        EXPECT_EQ(least[i], min) << cols << " " << i;
        sum += in[i];
        min = std::fmin(min, in[i]);
        EXPECT_EQ(sums[i], 2 * sum) << cols << " " << i;
      }
    }
  }
}

TEST(Scan, TheOrderIsTheDocumentedOne) {
  // 2^24 + 1 is no float: sums in sequence lose each 1, while a leaf adds them first.
  std::vector<float> in(32, 1), out(32);
  in[0] = 0x1p24f;
  Matrix(&out, 1) = inclusive_scan<red::sum>(Matrix(&in, 1));
  EXPECT_EQ(out[1], 0x1p24f);
  EXPECT_EQ(out[2], 0x1p24f);          // (in[0] + in[1]) + in[2]
  EXPECT_EQ(out[3], 0x1p24f + 2);      // (in[0] + in[1]) + (in[2] + in[3])
  EXPECT_EQ(out[7], 0x1p24f + 2 + 4);  // that + (4 to 7)
  EXPECT_EQ(out[15], 0x1p24f + 2 + 4 + 8);
  EXPECT_EQ(out[16], out[15] + 2);  // a tie, to the even neighbour
  EXPECT_EQ(out[31], out[15] + 16);
}

TEST(Scan, AnExclusiveScanIsAnInclusiveOneShifted) {
  std::vector<float> in(77), inclusive(77), exclusive(77);
  for (size_t i = 0; i < in.size(); ++i) in[i] = std::sin(static_cast<float>(i)) * 1e3f;
  Matrix(&inclusive, 1) = inclusive_scan<red::sum>(Matrix(&in, 1));
  Matrix(&exclusive, 1) = exclusive_scan<red::sum>(Matrix(&in, 1));
  EXPECT_EQ(exclusive[0], 0);
  for (size_t i = 1; i < in.size(); ++i) EXPECT_EQ(exclusive[i], inclusive[i - 1]) << i;
}

TEST(Scan, NansStay) {
  std::vector<float> in = {1, NAN, 3}, out(3);
  Matrix(&out, 1) = inclusive_scan<red::maximum>(Matrix(&in, 1));
  EXPECT_EQ(out[0], 1);
  EXPECT_TRUE(std::isnan(out[1]) && std::isnan(out[2]));
}

TEST(Scan, TensorsOfOtherRanksAndTypes) {
  std::vector<int8_t> in(2 * 3 * 40, 3);
  Tensor<cpu, 3, int8_t> images(in.data(), Shape3(2, 3, 40));
  images = inclusive_scan<red::sum>(images);  // in place
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(in[i], static_cast<int8_t>(3 * (i % 40 + 1)));
  std::vector<half::half_t> halves(100, half::half_t(0.125f));
  Tensor<cpu, 1, half::half_t> vector(halves.data(), Shape1(100));
  vector += inclusive_scan<red::sum>(vector);
  for (size_t i = 0; i < halves.size(); ++i) {
    EXPECT_EQ(static_cast<float>(halves[i]), 0.125f * static_cast<float>(i + 2));
  }
}

TEST(Scan, Recurrences) {
  std::vector<float> factor(50), term(50), out(50), fixed(50);
  for (size_t i = 0; i < factor.size(); ++i) {
    factor[i] = i % 9 == 8 ? 0 : 0.5f;
    term[i] = static_cast<float>(i % 4);
  }
  Matrix(&out, 1) = linear_recurrence(Matrix(&factor, 1), Matrix(&term, 1));
  Matrix(&fixed, 1) = linear_recurrence(-1, Matrix(&term, 1));
  double h = 0, alternating = 0;
  for (size_t i = 0; i < factor.size(); ++i) {
    h = factor[i] * h + term[i];
    alternating = term[i] - alternating;
    EXPECT_NEAR(out[i], h, 1e-5) << i;
    EXPECT_EQ(fixed[i], alternating) << i;
  }
}

TEST(Scan, Checks) {
  std::vector<float> in(6), out(6);
  EXPECT_THROW(Matrix(&out, 2) = inclusive_scan<red::sum>(Matrix(&in, 3)), Error);
  EXPECT_THROW(Matrix(&out, 2) = linear_recurrence(Matrix(&in, 3), Matrix(&in, 2)), Error);
  Tensor<cpu, 2, float> later(in.data() + 1, Shape2(1, 5)), first(in.data(), Shape2(1, 5));
  EXPECT_THROW(later = inclusive_scan<red::sum>(first), Error);
  EXPECT_THROW(later = linear_recurrence(0.5f, first), Error);
  Matrix(&out, 6) = inclusive_scan<red::sum>(Matrix(&in, 6));  // rows of one element
  std::vector<float> none;
  Tensor<cpu, 2, float> empty(none.data(), Shape2(0, 5));
  empty = inclusive_scan<red::sum>(empty);
}

}  // namespace
