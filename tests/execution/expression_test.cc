// SPDX-License-Identifier: Apache-2.0
// Emitted expressions in ordinary ones: the bits of the spec's own functions, whatever their
// operands are.
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <string>

#include "expression_cases.h"
#include "more_rules.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

void ExpectSameBits(int rows, int cols, bool pad) {
  const auto fused = FusedExpressions(rows, cols, pad);
  const auto unfused = UnfusedExpressions(rows, cols, pad);
  ASSERT_EQ(fused.size(), unfused.size());
  for (size_t i = 0; i < fused.size(); ++i) {
    EXPECT_EQ(fused[i].name, unfused[i].name);
    EXPECT_TRUE(fused[i].bytes == unfused[i].bytes)
        << fused[i].name << ", " << rows << " x " << cols << (pad ? ", padded" : "");
  }
}

/// The control: what is compared are two functions.
TEST(Expressions, AreOthersThanTheSpecs) {
  EXPECT_NE(FusedNode().find("FormulaExp"), std::string::npos) << FusedNode();
  EXPECT_EQ(UnfusedNode().find("FormulaExp"), std::string::npos) << UnfusedNode();
}

TEST(Expressions, SameBitsForAllShapes) {
  for (int cols : {1, 2, 7, 15, 16, 17, 127, 128, 129, 300}) ExpectSameBits(3, cols, false);
  for (int rows : {1, 2, 33}) ExpectSameBits(rows, 19, true);
}

TEST(Expressions, SameBitsOfManyThreads) {
  SetNumThreads(3);
  ExpectSameBits(300, 400, false);
  ExpectSameBits(257, 301, true);
  SetNumThreads(0);
}

TEST(Expressions, OfNothing) {
  Tensor<cpu, 2, float> none(nullptr, Shape2(0, 5));
  none = expressions::Swish(none);
  none = expressions::Huber(none, none * 2.0f, 1.0f, false);
}

TEST(Expressions, AreOfEveryRank) {
  TensorContainer<cpu, 4, float> a(Shape4(2, 3, 4, 5), 1.5f), out(a.shape_, 0.0f);
  out = expressions::Huber(a, a * 2.0f, 1.0f, false);
  EXPECT_EQ(out[1][2][3][4], 1.0f);  // delta (abs(d) - delta / 2), d = 1.5
}

/// The message of what `f` throws.
template <typename Function>
std::string MessageOf(Function f) {
  try {
    f();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(Expressions, CheckTheShapesOfTheirOperands) {
  TensorContainer<cpu, 2, float> a(Shape2(2, 3), 1.0f), b(Shape2(3, 2), 1.0f), out(a.shape_, 7.0f);
  const std::string message =
      MessageOf([&] { out = 2.0f * expressions::Huber(a, b, 1.0f, false); });
  EXPECT_NE(message.find("(2,3)"), std::string::npos) << message;
  EXPECT_NE(message.find("(3,2)"), std::string::npos) << message;
  EXPECT_EQ(out[0][0], 7.0f);
  out = expressions::Huber(a, a, 1.0f, false);
  EXPECT_EQ(out[0][0], 0.0f);
}

TEST(Expressions, MayNotReadWhatWasWritten) {
  TensorContainer<cpu, 2, float> a(Shape2(3, 3), 1.0f);
  EXPECT_NE(MessageOf([&] { a = expressions::Swish(a.T()); }), "");
  EXPECT_EQ(MessageOf([&] { a = expressions::Swish(a); }), "");
}

TEST(Expressions, AreNamesThatDoNotDangle) {
  TensorContainer<cpu, 2, float> a(Shape2(2, 2), 2.0f), out(a.shape_, 0.0f);
  auto loss = expressions::Huber(a * 2.0f, a + 1.0f, 8.0f, false);
  auto twice = loss + loss;
  out = twice;
  EXPECT_EQ(out[1][1], 1.0f);  // 2 (4 - 3)^2 / 2
}

}  // namespace
