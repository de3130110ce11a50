// SPDX-License-Identifier: Apache-2.0
#include "passes/unswitch.h"

#include <gtest/gtest.h>

#include "ir/printer.h"
#include "ir/verifier.h"
#include "ir_text.h"
#include "passes/share.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::Row;
using mgen_test::Trim;

/// In: a rule. Out: the scalars, conditions and steps of its plan.
const std::vector<Row> kRows = {
    {"a choice that is the same for all elements, asked twice", R"(
rule R<xpu> []
  tensor x: f32 1
  const tensor g: f32 1
  scalar clip: f32
  stage
    1: x = select(lt(clip, 0.0f32), g, min(g, clip))
    2: x = mul(x, select(lt(clip, 0.0f32), x, clip))
)",
     R"(
  scalar clip: f32 = clip
  condition clip_is_negative = lt(clip, 0.0f32)
  steps
    1: x = select(clip_is_negative, g, min(g, clip))
    2: x = mul(x, select(clip_is_negative, x, clip))
)"},
    {"what depends on an element, or is computed with, stays", R"(
rule R<xpu> []
  tensor x: f32 1
  const tensor g: f32 1
  scalar flag: bool
  stage
    1: x = select(and(flag, lt(g, 0.0f32)), g, x)
    2: x = add(x, cast<f32>(flag))
)",
     R"(
  scalar flag: bool = flag
  scalar flag_f32: f32 = cast<f32>(flag)
  steps
    1: x = select(and(flag, lt(g, 0.0f32)), g, x)
    2: x = add(x, flag_f32)
)"},
    {"beside the rule's own conditions, and no more than two in all", R"(
rule R<xpu> []
  tensor x: f32 1
  scalar a: bool
  scalar b: bool
  scalar c: bool
  stage
    if a
      1: x = select(b, x, neg(x))
    2: x = select(c, x, mul(x, x))
)",
     R"(
  scalar c: bool = c
  condition a = a
  condition b = b
  steps
    if a
      1: x = select(b, x, neg(x))
    2: x = select(c, x, mul(x, x))
)"},
};

std::string MiddleOf(const mgen::Plan &plan) {
  std::istringstream lines(Print(plan));
  std::string text;
  bool in_steps = false;
  for (std::string line; std::getline(lines, line);) {
    in_steps = in_steps || line == "  steps";
    const bool is_scalar = line.rfind("  scalar ", 0) == 0 && line.find('=') != std::string::npos;
    if (in_steps || is_scalar || line.rfind("  condition ", 0) == 0) text += line + "\n";
  }
  return Trim(text);
}

TEST(Unswitch, ViewsKeepTheirScalars) {
  const mgen::Plan plan = mgen::Unswitch(mgen::Share(mgen_test::PlanOf(ParseGood(R"ir(
rule R<xpu> []
  tensor x: f32 2
  const tensor in: f32 2
  scalar flag: bool
  scalar by: i64
  view turned: f32 2 = "f($0, $1)" in, div(dim(in, 1), by)
  stage
    1: x = select(flag, turned, neg(x))
)ir"))));
  EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
  ASSERT_EQ(plan.conditions.size(), 1u);
  ASSERT_EQ(plan.scalars.size(), 1u);
  EXPECT_EQ(plan.scalars[0].name, "in_extent1_over_by");
  const mgen::Expr &begin = plan.rule.params[4].view->operands[1].value;
  EXPECT_EQ(begin->op, mgen::Op::kHoisted);
  EXPECT_EQ(begin->index, 0);
}

TEST(Unswitch, Table) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    const mgen::Plan plan = mgen::Unswitch(mgen::Share(mgen_test::PlanOf(ParseGood(row.in))));
    EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
    EXPECT_EQ(MiddleOf(plan), Trim(row.out));
  }
}

}  // namespace
