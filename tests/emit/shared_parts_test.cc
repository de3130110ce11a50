// SPDX-License-Identifier: Apache-2.0
#include "emit/shared_parts.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace mgen {
namespace {

/// x + x, of that + that, and so on.
Expr Doubled(int times) {
  Expr value = MakeParam(0, kFloatType);
  for (int i = 0; i < times; ++i) value = MakeOp(Op::kAdd, {value, value});
  return value;
}

TEST(SharedParts, SizesAreThoseOfTrees) {
  EXPECT_EQ(TreeSize(MakeParam(0, kFloatType), 100), 1);
  EXPECT_EQ(TreeSize(Doubled(3), 100), 15);
  EXPECT_EQ(TreeSize(Doubled(1000), 200), 200);
}

TEST(SharedParts, LongIsWhatIsLongAsATree) {
  EXPECT_FALSE(IsLong(Doubled(6)));  // 127 nodes
  EXPECT_TRUE(IsLong(Doubled(7)));
}

TEST(SharedParts, EachPartIsOverThoseBeforeIt) {
  const SharedParts shared = ShareParts(Doubled(3), 2);
  ASSERT_EQ(shared.parts.size(), 2u);
  EXPECT_EQ(shared.parts[0]->args[0]->op, Op::kParam);
  EXPECT_EQ(shared.parts[1]->args[0]->op, Op::kLet);
  EXPECT_EQ(shared.parts[1]->args[1]->index, 1);
  EXPECT_EQ(shared.value->args[0]->index, 2);
}

TEST(SharedParts, SmallPartsAreRepeated) {
  const Expr value = Doubled(3);
  EXPECT_EQ(ShareParts(value, 7).parts.size(), 1u);
  const SharedParts none = ShareParts(value, 8);
  EXPECT_TRUE(none.parts.empty());
  EXPECT_EQ(none.value, value);
}

}  // namespace
}  // namespace mgen
