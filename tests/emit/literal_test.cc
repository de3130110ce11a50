// SPDX-License-Identifier: Apache-2.0
#include "emit/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace mgen {
namespace {

TEST(Literal, FloatsAreShortAndReadBack) {
  EXPECT_EQ(FloatLiteral(1.0f), "1.0f");
  EXPECT_EQ(FloatLiteral(0.1f), "0.1f");
  EXPECT_EQ(FloatLiteral(1e-8f), "1e-8f");
  EXPECT_EQ(FloatLiteral(-0.0f), "-0.0f");
  EXPECT_EQ(FloatLiteral(1e20f), "1e20f");
  EXPECT_EQ(DoubleLiteral(1.0 / 3), "0.3333333333333333");
  for (float value : {1.1754944e-38f, 1e-45f, 3.4028235e38f, 16777217.0f, 0.70710677f}) {
    EXPECT_EQ(std::strtof(FloatLiteral(value).c_str(), nullptr), value);
  }
}

TEST(Literal, ValuesBeyondNumbers) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(FloatLiteral(inf), "INFINITY");
  EXPECT_EQ(FloatLiteral(-inf), "-INFINITY");
  EXPECT_EQ(FloatLiteral(std::nanf("")), "NAN");
  EXPECT_EQ(DoubleLiteral(-static_cast<double>(inf)), "double(-INFINITY)");
}

TEST(Literal, HasExactlyItsType) {
  const auto text = [](LiteralValue value, ScalarKind kind) {
    return LiteralText(value, Type{kind}, std::string(CppName(kind)));
  };
  EXPECT_EQ(text(int64_t{3}, ScalarKind::kInt32), "3");
  EXPECT_EQ(text(uint64_t{3}, ScalarKind::kUint32), "3u");
  EXPECT_EQ(text(int64_t{3}, ScalarKind::kInt64), "int64_t(3)");
  EXPECT_EQ(text(int64_t{-3}, ScalarKind::kInt8), "int8_t(-3)");
  EXPECT_EQ(text(uint64_t{18446744073709551615u}, ScalarKind::kUint64),
            "uint64_t(18446744073709551615u)");
  EXPECT_EQ(text(int64_t{INT64_MIN}, ScalarKind::kInt64), "(int64_t(-9223372036854775807) - 1)");
  EXPECT_EQ(text(int64_t{INT32_MIN}, ScalarKind::kInt32), "(-2147483647 - 1)");
  EXPECT_EQ(text(true, ScalarKind::kBool), "true");
  EXPECT_EQ(text(0.5, ScalarKind::kFloat16), "mshadow::half::half_t(0.5f)");
}

TEST(Literal, OfATypeParameter) {
  EXPECT_EQ(LiteralText(0.5, Type{ScalarKind::kFloat32, 0}, "DType"), "DType(0.5f)");
  EXPECT_EQ(LiteralText(0.1, Type{ScalarKind::kFloat32, 0}, "DType"), "DType(0.1)");
  EXPECT_EQ(LiteralText(int64_t{2}, Type{ScalarKind::kInt32, 0}, "DType"), "DType(2)");
}

}  // namespace
}  // namespace mgen
