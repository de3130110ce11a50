// SPDX-License-Identifier: Apache-2.0
#include "passes/variants.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using namespace mgen;  // NOLINT: the test speaks the IR's language

std::string Text(const Guard &guard) {
  std::string text;
  for (const auto &term : guard.terms) {
    if (!text.empty()) text += " | ";
    if (term.empty()) text += "always";
    for (const Guard::Literal &literal : term) {
      text +=
          (literal.negated ? "!" : "") + std::string(1, static_cast<char>('a' + literal.condition));
    }
  }
  return text;
}

TEST(GuardOf, IsShort) {
  // Bit i of a variant is condition i.
  EXPECT_EQ(Text(GuardOf({true}, 0)), "always");
  EXPECT_EQ(Text(GuardOf({false}, 0)), "");
  EXPECT_EQ(Text(GuardOf({true, true, true, true}, 2)), "always");
  EXPECT_EQ(Text(GuardOf({false, true, false, true}, 2)), "a");
  EXPECT_EQ(Text(GuardOf({true, true, false, false}, 2)), "!b");
  EXPECT_EQ(Text(GuardOf({false, true, true, true}, 2)), "a | b");
  EXPECT_EQ(Text(GuardOf({true, false, false, true}, 2)), "!a!b | ab");
}

TEST(GuardOf, IsTheSameFunction) {
  for (unsigned table = 0; table < 256; ++table) {
    std::vector<bool> variants;
    for (unsigned v = 0; v < 8; ++v) variants.push_back((table >> v & 1) != 0);
    const Guard guard = GuardOf(variants, 3);
    EXPECT_EQ(guard.always(), table == 255);
    EXPECT_EQ(guard.never(), table == 0);
    for (unsigned v = 0; v < 8; ++v) {
      bool any = false;
      for (const auto &term : guard.terms) {
        bool all = true;
        for (const Guard::Literal &literal : term) {
          all = all && ((v >> literal.condition & 1) != 0) != literal.negated;
        }
        any = any || all;
      }
      EXPECT_EQ(any, variants[v]) << table << " " << v;
    }
  }
}

Rule Nested() {
  return mgen_test::ParseGood(R"(
rule Nested<xpu> []
  tensor x: f32 1
  scalar a: bool
  scalar b: f32
  stage
    1: x = x
    if not(a)
      2: x = x
    else
      if gt(b, 0.0f32)
        3: x = x
    if gt(b, 0.0f32)
      4: x = x
    if a
      5: x = x
)");
}

TEST(Variants, ConditionsAreDistinctAndPositive) {
  const Rule rule = Nested();
  const RuleConditions conditions = ConditionsOf(rule);
  ASSERT_EQ(conditions.values.size(), 2u);
  EXPECT_EQ(conditions.values[0]->op, Op::kGt);
  EXPECT_EQ(conditions.values[1]->op, Op::kParam);
}

TEST(Variants, ANegationAloneIsACondition) {
  const Rule rule = mgen_test::ParseGood(R"(
rule Negated<xpu> []
  tensor x: f32 1
  scalar a: bool
  stage
    if not(a)
      1: x = x
    if not(a)
      2: x = x
)");
  const RuleConditions conditions = ConditionsOf(rule);
  ASSERT_EQ(conditions.values.size(), 1u);
  EXPECT_EQ(conditions.values[0]->op, Op::kNot);
}

TEST(Variants, Linearize) {
  const Rule rule = Nested();
  const RuleConditions conditions = ConditionsOf(rule);
  const std::vector<std::vector<int>> expected = {{1, 2}, {1, 2, 4}, {1, 5}, {1, 3, 4, 5}};
  for (unsigned variant = 0; variant < 4; ++variant) {
    std::vector<int> numbers;
    for (const Statement *statement : Linearize(rule, conditions, variant)) {
      numbers.push_back(statement->number);
    }
    EXPECT_EQ(numbers, expected[variant]) << variant;
  }
}

}  // namespace
