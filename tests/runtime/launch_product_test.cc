// SPDX-License-Identifier: Apache-2.0
// Products of launchers are what the same statements are unfused, bit for bit; what does not fit is
// an error that names rule and argument.
#include <gtest/gtest.h>
#include <mshadow/emitted/launch_product.h>
#include <mshadow/emitted/stage_memory.h>
#include <mshadow/tensor.h>

#include "testing.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

template <typename T>
class LaunchProductTest : public testing::Test {
 protected:
  /// A tensor of small numbers, its rows padded.
  template <int dim>
  TensorContainer<cpu, dim, T> Make(const Shape<dim> &shape) {
    TensorContainer<cpu, dim, T> tensor(shape, T(0));
    Tensor<cpu, 2, T> rows = tensor.FlatTo2D();
    for (index_t y = 0; y < rows.size(0); ++y) {
      for (index_t x = 0; x < rows.size(1); ++x) rows[y][x] = static_cast<T>(Next());
    }
    return tensor;
  }

  float Next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<int>(state_ >> 28) - 8) * 0.75f;
  }

  /// `assign` is the statement; the rest what its launcher does.
  template <int dim, int left, int right, typename Assign>
  void Compare(const Shape<dim> &shape, const Shape<left> &a_shape, bool ta,
               const Shape<right> &b_shape, bool tb, ProductSaver saver, T scale,
               const Assign &assign) {
    TensorContainer<cpu, dim, T> want = Make(shape);
    TensorContainer<cpu, dim, T> got(shape);
    Copy(got, want);
    const TensorContainer<cpu, left, T> a = Make(a_shape);
    const TensorContainer<cpu, right, T> b = Make(b_shape);
    assign(want, a, b);
    const TensorArg<T> dst = Arg(got), left_arg = Arg(a), right_arg = Arg(b);
    const LaunchProduct<T> product{
        {"out", dst}, {"a", left_arg, ta}, {"b", right_arg, tb}, saver, scale};
    CheckProduct(cpu(), "Rule", product, nullptr);
    RunProduct(cpu(), product, nullptr);
    const Tensor<cpu, 2, T> rows = got.FlatTo2D(), others = want.FlatTo2D();
    for (index_t y = 0; y < rows.size(0); ++y) {
      for (index_t x = 0; x < rows.size(1); ++x) {
        ASSERT_EQ(std::memcmp(&rows[y][x], &others[y][x], sizeof(T)), 0) << y << "," << x;
      }
    }
  }

 private:
  uint32_t state_ = 1;
};

using Types = testing::Types<float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t, int16_t,
                             int32_t, int64_t>;
TYPED_TEST_SUITE(LaunchProductTest, Types);

TYPED_TEST(LaunchProductTest, Matrices) {
  using T = TypeParam;
  const auto s = Shape2(5, 7), k = Shape2(5, 3), kt = Shape2(3, 5), n = Shape2(3, 7),
             nt = Shape2(7, 3);
  const T one = static_cast<T>(1.0f), two = static_cast<T>(2.0f);
  using S = ProductSaver;
  this->Compare(s, k, false, n, false, S::kSave, one,
                [](auto &c, auto &a, auto &b) { c = dot(a, b); });
  this->Compare(s, kt, true, n, false, S::kPlus, one,
                [](auto &c, auto &a, auto &b) { c += dot(a.T(), b); });
  this->Compare(s, k, false, nt, true, S::kMinus, one,
                [](auto &c, auto &a, auto &b) { c -= dot(a, b.T()); });
  this->Compare(s, kt, true, nt, true, S::kMinus, two,
                [&](auto &c, auto &a, auto &b) { c -= two * dot(a.T(), b.T()); });
  this->Compare(s, k, false, n, false, S::kPlus, two,
                [&](auto &c, auto &a, auto &b) { c += dot(a, b) * two; });
}

TYPED_TEST(LaunchProductTest, VectorsAndBatches) {
  using T = TypeParam;
  const T one = static_cast<T>(1.0f);
  using S = ProductSaver;
  this->Compare(Shape1(7), Shape1(5), false, Shape2(5, 7), false, S::kSave, one,
                [](auto &c, auto &a, auto &b) { c = dot(a, b); });
  this->Compare(Shape1(7), Shape1(5), false, Shape2(7, 5), true, S::kPlus, one,
                [](auto &c, auto &a, auto &b) { c += dot(a, b.T()); });
  this->Compare(Shape1(7), Shape2(7, 5), false, Shape1(5), false, S::kMinus, one,
                [](auto &c, auto &a, auto &b) { c -= dot(a, b); });
  this->Compare(Shape1(7), Shape2(5, 7), true, Shape1(5), false, S::kSave, one,
                [](auto &c, auto &a, auto &b) { c = dot(a.T(), b); });
  this->Compare(Shape2(4, 6), Shape1(4), true, Shape1(6), false, S::kMinus, one,
                [](auto &c, auto &a, auto &b) { c -= dot(a.T(), b); });
  this->Compare(Shape1(1), Shape1(9), false, Shape1(9), false, S::kSave, one,
                [](auto &c, auto &a, auto &b) { c = dot(a, b); });
  this->Compare(Shape3(3, 4, 5), Shape3(3, 4, 2), false, Shape3(3, 5, 2), true, S::kPlus, one,
                [](auto &c, auto &a, auto &b) { c += batch_dot<false, true>(a, b); });
  this->Compare(Shape3(2, 4, 5), Shape3(2, 3, 4), true, Shape3(2, 3, 5), false, S::kSave, one,
                [](auto &c, auto &a, auto &b) { c = batch_dot<true, false>(a, b); });
}

/// What CheckProduct says of tensors of these shapes.
template <int dim, int left, int right>
std::string Message(const Shape<dim> &shape, const Shape<left> &a, bool ta, const Shape<right> &b,
                    bool tb) {
  TensorContainer<cpu, dim, float> c(shape);
  TensorContainer<cpu, left, float> x(a);
  TensorContainer<cpu, right, float> y(b);
  const TensorArg<float> dst = Arg(c), left_arg = Arg(x), right_arg = Arg(y);
  try {
    CheckProduct<float>(cpu(), "Rule", {{"out", dst}, {"x", left_arg, ta}, {"y", right_arg, tb}},
                        nullptr);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(CheckProduct, SaysWhatDoesNotFit) {
  const std::string of = ", for the product of 'x' and 'y', got ";
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 4), false, Shape2(4, 3), false), "");
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 4), false, Shape2(5, 3), false),
            "Rule: argument 'y': expected 4 rows" + of + "5");
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 4), false, Shape2(3, 5), true),
            "Rule: argument 'y': expected 4 columns" + of + "5");
  EXPECT_EQ(Message(Shape2(3, 3), Shape2(2, 4), false, Shape2(4, 3), false),
            "Rule: argument 'out': expected 2 rows" + of + "3");
  EXPECT_EQ(Message(Shape2(2, 4), Shape2(2, 4), false, Shape2(4, 3), false),
            "Rule: argument 'out': expected 3 columns" + of + "4");
  EXPECT_EQ(Message(Shape3(2, 3, 3), Shape3(2, 3, 3), false, Shape3(1, 3, 3), false),
            "Rule: argument 'y': expected 2 matrices" + of + "1");
  EXPECT_EQ(Message(Shape2(1, 3), Shape1(4), false, Shape2(4, 3), false),
            "Rule: argument 'out': expected a rank that the product of 'x' and 'y', of ranks 1 and "
            "2, can have, got rank 2");
}

TEST(CheckProduct, RefusesOverlap) {
  TensorContainer<cpu, 2, float> c(Shape2(3, 3)), other(Shape2(3, 3));
  const TensorArg<float> dst = Arg(c), b = Arg(other);
  EXPECT_THROW((CheckProduct<float>(cpu(), "Rule", {{"out", dst}, {"x", dst}, {"y", b}}, nullptr)),
               Error);
  EXPECT_THROW((CheckProduct<float>(cpu(), "Rule", {{"out", dst}, {"x", b}, {"y", dst}}, nullptr)),
               Error);
  EXPECT_NO_THROW(
      (CheckProduct<float>(cpu(), "Rule", {{"out", dst}, {"x", b}, {"y", b}}, nullptr)));
}

TEST(StageMemory, IsNotTakenByKernelsInside) {
  TensorArg<float> a = Shaped<float>("Rule", "a", {3, 5});
  TensorArg<double> b = ShapedAs<double>(a);
  const StageMemory memory(cpu(), nullptr, a, b);
  for (int i = 0; i < 15; ++i) b.dptr[i] = i;
  for (int i = 0; i < 15; ++i) a.dptr[i] = static_cast<float>(i);
  for (int round = 0; round < 3; ++round) {
    LaunchMemory inner;
    float *const more = inner.Take<float>(100000);
    more[0] = more[99999] = -1;
  }
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(a.dptr[i], static_cast<float>(i));
    EXPECT_EQ(b.dptr[i], i);
  }
  EXPECT_EQ(b.shape[0], 3);
  EXPECT_EQ(b.stride, 5);
}

TEST(StageMemory, RefusesExtentsBelowZero) {
  try {
    Shaped<float>("Rule", "kept", {3, -1});
    FAIL();
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(),
                 "Rule: temporary 'kept': expected extents of at least 0, got shape (3,-1)");
  }
}

}  // namespace
