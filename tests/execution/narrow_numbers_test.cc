// SPDX-License-Identifier: Apache-2.0
// Numbers of elements of types that hold few, fused against unfused; and what a launch refuses
// before it writes.
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <string>

#include "message_of.h"
#include "narrow_numbers_rules.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;
using mshadow_test::MessageOf;

/// Values of which many are equal; rows are padded.
template <typename DType, int dim>
TensorContainer<cpu, dim, DType> Make(const Shape<dim> &shape, uint32_t seed) {
  TensorContainer<cpu, dim, DType> tensor(shape);
  uint32_t state = seed;
  const Tensor<cpu, 2, DType> rows = tensor.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      state = state * 1664525u + 1013904223u;
      rows[y][x] = ScalarCast<DType>(static_cast<int>(state >> 29) - 3);
    }
  }
  return tensor;
}

template <typename DType>
void ExpectSame(const Tensor<cpu, 1, DType> &fused, const Tensor<cpu, 1, DType> &unfused) {
  for (index_t i = 0; i < fused.size(0); ++i) {
    ASSERT_EQ(static_cast<float>(fused[i]), static_cast<float>(unfused[i])) << i;
  }
}

template <typename DType>
class NarrowNumbers : public testing::Test {};
using Types = testing::Types<half::half_t, bfloat::bf16_t, int8_t, uint8_t>;
TYPED_TEST_SUITE(NarrowNumbers, Types);

TYPED_TEST(NarrowNumbers, AreTheUnfusedOnes) {
  for (const index_t cols : {0, 1, 7, 16, 33, 100, 128}) {
    auto in = Make<TypeParam>(Shape2(5, cols), static_cast<uint32_t>(cols));
    TensorContainer<cpu, 1, TypeParam> fused(Shape1(5), TypeParam(3)), unfused(Shape1(5));
    unfused = TypeParam(3);
    narrow_numbers::Rows(fused, in, true);
    unfused += 2 * reduce_except_dim<0, red::argmax>(in);
    ExpectSame<TypeParam>(fused, unfused);
    TensorContainer<cpu, 1, TypeParam> columns(Shape1(cols)), want(Shape1(cols));
    narrow_numbers::Columns(columns, in);
    want = reduce_except_dim<1, red::argmin>(in);
    ExpectSame<TypeParam>(columns, want);
  }
  auto images = Make<TypeParam>(Shape4(3, 4, 5, 7), 1);
  TensorContainer<cpu, 1, TypeParam> channels(Shape1(4)), want(Shape1(4));
  narrow_numbers::Channels(channels, images);
  want = reduce_except_dim<1, red::argmax>(images * images);
  ExpectSame<TypeParam>(channels, want);
  auto matrix = Make<TypeParam>(Shape2(11, 11), 2);
  TensorContainer<cpu, 1, TypeParam> one(Shape1(1)), all(Shape1(1));
  narrow_numbers::All(one, matrix);
  all = reduce_all<red::argmin>(matrix);
  ExpectSame<TypeParam>(one, all);
}

TYPED_TEST(NarrowNumbers, AreRefusedBeforeTheFirstWrite) {
  auto row = Make<TypeParam>(Shape2(1, 5000), 1);
  TensorContainer<cpu, 1, TypeParam> one(Shape1(1), TypeParam(7));
  const std::string rows = MessageOf([&] { narrow_numbers::Rows(one, row, true); });
  EXPECT_NE(rows.find("Rows: argument 'most': expected an element type that holds each index"),
            std::string::npos)
      << rows;
  EXPECT_EQ(MessageOf([&] { narrow_numbers::Rows(one, row, false); }), "nothing");
  EXPECT_NE(MessageOf([&] { narrow_numbers::All(one, row); }).find("does not hold"),
            std::string::npos);
  auto images = Make<TypeParam>(Shape4(50, 1, 10, 10), 1);
  EXPECT_NE(MessageOf([&] { narrow_numbers::Channels(one, images); }).find("does not hold"),
            std::string::npos);
  auto column = Make<TypeParam>(Shape2(5000, 1), 1);
  EXPECT_NE(MessageOf([&] { narrow_numbers::Columns(one, column); }).find("does not hold"),
            std::string::npos);
  EXPECT_EQ(static_cast<float>(one[0]), 7);
}

}  // namespace
