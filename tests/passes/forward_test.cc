// SPDX-License-Identifier: Apache-2.0
#include "passes/forward.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/printer.h"
#include "ir_text.h"

namespace {

using mgen::Rule;
using mgen_test::ParseGood;

Rule RuleOf(const std::string &body) {
  return ParseGood(
      "rule R<xpu> []\n"
      "  tensor a: f32 2\n"
      "  tensor b: f32 2\n"
      "  tensor v: f32 1\n"
      "  const tensor at: i32 1\n"
      "  const tensor count: i32 2\n"
      "  tensor total: i32 1\n"
      "  scalar c: bool\n"
      "  scalar d: bool\n"
      "  scalar n: i32\n"
      "  temporary x: f32 2\n"
      "  temporary y: f32 2\n"
      "  temporary k: i32 2\n"
      "  stage\n" +
      body);
}

/// The temporaries that a kernel keeps: "x y".
std::string Kept(const std::string &body) {
  const Rule rule = RuleOf(body);
  std::string names;
  for (int param : mgen::KeptOf(rule)) {
    names += (names.empty() ? "" : " ") + rule.params[param].name;
  }
  return names;
}

TEST(ForwardTest, WhatIsStillThereNeedsNoMemory) {
  EXPECT_EQ(Kept("    1: x = add(a, b)\n"
                 "    2: v = sum<keep 0 by lanes>(x)\n"
                 "    3: a = add(x, column(v))\n"),
            "");
  // What a temporary was computed from may itself be a temporary that gets other elements.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: y = add(x, x)\n"
                 "    3: x = b\n"
                 "    4: x += y\n"
                 "    5: v = sum<keep 0 by lanes>(sub(x, y))\n"),
            "");
  EXPECT_EQ(Kept("    if c\n"
                 "      1: x = a\n"
                 "    else\n"
                 "      2: x = b\n"
                 "      if d\n"
                 "        3: x *= a\n"
                 "    4: v = sum<keep 0 by lanes>(x)\n"),
            "");
  // Written, and given anew.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: a = b\n"
                 "    3: x = a\n"
                 "    4: v = sum<keep 0 by lanes>(x)\n"),
            "");
  // The branch that overwrites it is not the one that reads it.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    if c\n"
                 "      2: a = b\n"
                 "    else\n"
                 "      3: v = sum<keep 0 by lanes>(x)\n"),
            "");
  // Nothing is reduced: it is a register.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: a = b\n"
                 "    3: b = x\n"),
            "");
}

TEST(ForwardTest, WhatIsGoneIsKept) {
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: a = b\n"
                 "    3: v = sum<keep 0 by lanes>(x)\n"),
            "x");
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    if c\n"
                 "      2: a = b\n"
                 "    3: v = sum<keep 0 by lanes>(x)\n"),
            "x");
  EXPECT_EQ(Kept("    if c\n"
                 "      1: x = a\n"
                 "    else\n"
                 "      2: x = b\n"
                 "    3: a = add(b, b)\n"
                 "    4: v = sum<keep 0 by lanes>(x)\n"),
            "x");
  // Through another temporary, and by `+=`.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: y = add(x, x)\n"
                 "    3: a = b\n"
                 "    4: v = sum<keep 0 by lanes>(y)\n"),
            "y");
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: a = b\n"
                 "    3: x += b\n"
                 "    4: v = sum<keep 0 by lanes>(x)\n"),
            "x");
  // One that is kept is overwritten like any tensor.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: y = add(x, x)\n"
                 "    3: a = b\n"
                 "    4: x = add(x, b)\n"
                 "    5: v = sum<keep 0 by lanes>(add(x, y))\n"),
            "x y");
  // Another element than the statement's own.
  EXPECT_EQ(Kept("    1: x = a\n"
                 "    2: v = gather(x, at)\n"),
            "x");
  // A choice computes both of what it chooses between.
  EXPECT_EQ(Kept("    1: k = count\n"
                 "    if gt(n, 0i32)\n"
                 "      2: k = div(count, n)\n"
                 "    3: total = sum<keep 0 by lanes>(k)\n"),
            "k");
}

TEST(ForwardTest, ChoicesHaveTheConditionsOfTheKernel) {
  const mgen::Plan plan =
      mgen_test::PlanOf(RuleOf("    if not(c)\n"
                               "      1: x = a\n"
                               "    else\n"
                               "      if d\n"
                               "        2: x = b\n"
                               "    if c\n"
                               "      if not(d)\n"
                               "        3: x = add(a, b)\n"
                               "    4: v = sum<keep 0 by lanes>(x)\n"));
  ASSERT_EQ(plan.conditions.size(), 2u);
  const std::string text = mgen::Print(plan);
  EXPECT_NE(text.find("reduce v_sum, x@select(c, x@select(d, x@select(c, b, a), x@add(a, b)), "
                      "x@select(c, b, a))"),
            std::string::npos)
      << text;
}

}  // namespace
