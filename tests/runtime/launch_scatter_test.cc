// SPDX-License-Identifier: Apache-2.0
// Scatter-adds of a rule's stages: what AddTakeGrad does, with a launcher's arguments.
#include <gtest/gtest.h>
#include <mshadow/emitted/launch_scatter.h>
#include <mshadow/tensor.h>

#include <string>

#include "testing.h"

namespace {

using namespace mshadow;

template <bool kClips, typename DType, typename IType>
void Scatter(Tensor<cpu, 2, DType> dst, Tensor<cpu, 1, IType> index, Tensor<cpu, 2, DType> rows) {
  const TensorArg<DType> to = Arg(dst), from = Arg(rows);
  const TensorArg<IType> at = Arg(index);
  const LaunchScatter<kClips, DType, IType> scatter{{"out", to}, {"index", at}, {"rows", from}};
  CheckScatter(cpu(), "Rule", scatter);
  RunScatter(cpu(), "Rule", scatter, nullptr, nullptr);
}

/// Small and large ones, with indices out of range, against the unfused function.
template <bool kClips, typename DType, typename IType>
void Compare(index_t count, index_t cols) {
  constexpr index_t kRows = 7;
  TensorContainer<cpu, 2, DType> dst(Shape2(kRows, cols)), want(dst.shape_),
      rows(Shape2(count, cols));
  TensorContainer<cpu, 1, IType> index((Shape1(count)));
  for (index_t i = 0; i < count; ++i) index[i] = static_cast<IType>((i * i) % 11 - 2);
  for (index_t x = 0; x < cols; ++x) {
    for (index_t y = 0; y < kRows; ++y) dst[y][x] = want[y][x] = DType(1.0f / (1 + x + y));
    for (index_t y = 0; y < count; ++y) rows[y][x] = DType(0.1f * (x % 13) - 0.3f * (y % 5));
  }
  AddTakeGrad<kClips>(want, index, rows);
  Scatter<kClips, DType, IType>(dst, index, rows);
  for (index_t y = 0; y < kRows; ++y) {
    for (index_t x = 0; x < cols; ++x) {
      ASSERT_EQ(static_cast<float>(dst[y][x]), static_cast<float>(want[y][x])) << y << " " << x;
    }
  }
}

TEST(LaunchScatter, AddsAsAddTakeGradDoes) {
  for (const index_t count : {0, 1, 9, 500}) {
    for (const index_t cols : {1, 4, 70, 3000}) {
      Compare<true, float, int64_t>(count, cols);
      Compare<false, float, float>(count, cols);
      Compare<true, double, int32_t>(count, cols);
      Compare<false, half::half_t, int32_t>(count, cols);
      Compare<true, int16_t, int16_t>(count, cols);
    }
  }
}

/// What CheckScatter says of tensors of these shapes.
std::string Message(const Shape<2> &dst_shape, index_t count, const Shape<2> &rows_shape) {
  TensorContainer<cpu, 2, float> dst(dst_shape), rows(rows_shape);
  TensorContainer<cpu, 1, int32_t> index((Shape1(count)), 0);
  try {
    Scatter<true, float, int32_t>(dst, index, rows);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(CheckScatter, SaysWhatDoesNotFit) {
  EXPECT_EQ(Message(Shape2(2, 3), 4, Shape2(4, 3)), "");
  EXPECT_EQ(Message(Shape2(0, 3), 0, Shape2(0, 3)), "");
  EXPECT_EQ(Message(Shape2(2, 3), 5, Shape2(4, 3)),
            "Rule: argument 'rows': expected 5 rows, one for each element of 'index', got 4");
  EXPECT_EQ(Message(Shape2(2, 3), 4, Shape2(4, 2)),
            "Rule: argument 'rows': expected 3 columns, as 'out' has, got 2");
  EXPECT_EQ(Message(Shape2(0, 3), 4, Shape2(4, 3)),
            "Rule: argument 'out': expected rows for the elements of 'index' to name, got 0");
}

TEST(CheckScatter, RefusesOtherRanksAndOverlap) {
  TensorContainer<cpu, 2, float> matrix(Shape2(3, 3));
  TensorContainer<cpu, 3, float> batch(Shape3(1, 3, 3));
  TensorContainer<cpu, 1, float> index(Shape1(3));
  const TensorArg<float> dst = Arg(matrix), at = Arg(index), three = Arg(batch);
  using Of = LaunchScatter<true, float, float>;
  EXPECT_MESSAGE(CheckScatter(cpu(), "Rule", Of{{"out", dst}, {"index", at}, {"rows", three}}),
                 "argument 'rows': expected rank 2, got 3");
  EXPECT_MESSAGE(CheckScatter(cpu(), "Rule", Of{{"out", dst}, {"index", at}, {"rows", dst}}),
                 "argument 'rows': expected a tensor other than 'out', which the rule writes");
}

}  // namespace
