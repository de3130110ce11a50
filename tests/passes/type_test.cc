// SPDX-License-Identifier: Apache-2.0
#include "ir/type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using mgen::RoundTo;
using mgen::ScalarKind;

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(RoundTo, RoundsHalfToNearestEven) {
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 1.0 + 0x1p-11), 1.0);
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 1.0 + 0x1.8p-10), 1.0 + 0x1p-9);
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 65519.0), 65504.0);
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 65520.0), kInf);
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, -65520.0), -kInf);
}

TEST(RoundTo, KeepsSubnormals) {
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 0x1p-25), 0.0);  // a tie, to even
  EXPECT_EQ(RoundTo(ScalarKind::kFloat16, 0x1.8p-25), 0x1p-24);
  EXPECT_TRUE(std::signbit(RoundTo(ScalarKind::kFloat16, -0x1p-26)));
  EXPECT_EQ(RoundTo(ScalarKind::kBFloat16, 0x1p-133), 0x1p-133);
  EXPECT_EQ(RoundTo(ScalarKind::kBFloat16, 0x1p-134), 0.0);
}

TEST(RoundTo, RoundsBfloat16) {
  EXPECT_EQ(RoundTo(ScalarKind::kBFloat16, 1.0 + 0x1p-8), 1.0);
  EXPECT_EQ(RoundTo(ScalarKind::kBFloat16, 1.0 + 0x1.8p-7), 1.0 + 0x1p-6);
  EXPECT_EQ(RoundTo(ScalarKind::kBFloat16, 0x1.fep127), 0x1.fep127);
  EXPECT_EQ(RoundTo(ScalarKind::kBFloat16, 0x1.ffp127), kInf);
}

TEST(RoundTo, LeavesOtherKindsAlone) {
  EXPECT_EQ(RoundTo(ScalarKind::kFloat32, 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(RoundTo(ScalarKind::kFloat64, 0.1), 0.1);
  EXPECT_EQ(RoundTo(ScalarKind::kInt32, 0.1), 0.1);
  EXPECT_TRUE(std::isnan(RoundTo(ScalarKind::kFloat16, std::nan(""))));
}

TEST(ScalarKind, NamesAreRead) {
  EXPECT_EQ(mgen::ParseScalarKind("bf16"), ScalarKind::kBFloat16);
  EXPECT_EQ(mgen::ParseScalarKind("float"), std::nullopt);
}

}  // namespace
