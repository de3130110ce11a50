// SPDX-License-Identifier: Apache-2.0
#include "passes/fuse_kernels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/printer.h"
#include "ir_text.h"
#include "passes/split_stages.h"

namespace {

using mgen::Rule;
using mgen::Statement;
using mgen_test::ParseGood;

constexpr char kHead[] = R"ir(
rule R<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor x: f32 2
  tensor y: f32 2
  tensor v: f32 1
  tensor w: f32 1
  tensor at: i32 1
  scalar c: bool
  scalar n: i32
  temporary kept: f32 2 shape(a)
  temporary length: f32 1 shape(dim(v, 0))
  temporary total: f32 1 shape(dim(a, 0))
  temporary norm: f32 1 shape(1i64)
  part half: f32 2 of 1 = "mshadow::expr::slice<1>($0, $1, $2)" a, index 0i64, index 4i64
  part rest: f32 2 of 1 = "mshadow::expr::slice<1>($0, $1, $2)" a, index 4i64, index 8i64
  view turned: f32 2 = "mshadow::expr::flip($0, $1)" b, 1i32
  stage
)ir";

/// A rule with that body, as few kernels as can be.
Rule Fused(const std::string &body) {
  Rule rule = ParseGood(kHead + body);
  mgen::SplitStages(&rule);
  mgen::FuseKernels(&rule);
  return rule;
}

/// The stages of a body, as text.
std::string Stages(const std::string &body) {
  const std::string printed = mgen::Print(Fused(body));
  return printed.substr(printed.find("  stage\n"));
}

void CollectNumbers(const std::vector<Statement> &body, std::string *text) {
  for (const Statement &statement : body) {
    if (statement.kind != Statement::kIf) *text += " " + std::to_string(statement.number);
    CollectNumbers(statement.then_body, text);
    CollectNumbers(statement.else_body, text);
  }
}

/// The statements' numbers, stages apart: " 1 2 | 3".
std::string Numbers(const std::string &body) {
  std::string text;
  const Rule rule = Fused(body);
  for (const mgen::Stage &stage : rule.stages) {
    if (!text.empty()) text += " |";
    CollectNumbers(stage.body, &text);
  }
  return text;
}

TEST(FuseKernelsTest, OneKernelReducesInOneOrder) {
  const auto stages_of = [](const std::string &second) {
    Rule rule = ParseGood(
        "rule R<xpu> []\n"
        "  tensor a: f32 4\n"
        "  tensor v: f32 1\n"
        "  tensor w: f32 1\n"
        "  stage\n"
        "    1: v = sum<keep 1 by planes>(a)\n"
        "  stage\n"
        "    2: w = " +
        second + "\n");
    mgen::FuseKernels(&rule);
    return rule.stages.size();
  };
  EXPECT_EQ(stages_of("max<keep 1 by planes>(a)"), 1u);
  EXPECT_EQ(stages_of("max<keep 1 by leaves>(a)"), 2u);
}

TEST(FuseKernelsTest, ATensorThatMustFitHasAKernelsShape) {
  const auto stages_of = [](const std::string &fitting) {
    Rule rule = ParseGood(
        "rule R<xpu> []\n"
        "  tensor a: f32 2\n"
        "  tensor b: f32 2\n"
        "  tensor v: f32 1\n"
        "  stage\n"
        "    1: v = sum<keep 0 by lanes>(1.0f32) fitting " +
        fitting +
        "\n"
        "  stage\n"
        "    2: b = mul(b, v[axis(0)])\n");
    mgen::FuseKernels(&rule);
    return rule.stages.size();
  };
  EXPECT_EQ(stages_of("b"), 1u);
  EXPECT_EQ(stages_of("a"), 2u);
  EXPECT_EQ(stages_of("size(a)"), 2u);
}

/// A tensor's extent says how often a value is repeated: if it is another tensor's, the two
/// statements go over two shapes.
TEST(FuseKernelsTest, AnExtentIsTheShapeOfRepeatedValues) {
  const auto stages_of = [](const std::string &value, const std::string &fitting) {
    Rule rule = ParseGood(
        "rule R<xpu> []\n"
        "  tensor a: f32 2\n"
        "  tensor b: f32 2\n"
        "  tensor v: f32 1\n"
        "  tensor w: f32 1\n"
        "  stage\n"
        "    1: v = min<keep 0 by lanes>(a)\n"
        "  stage\n"
        "    2: w = max<keep 0 by lanes>(" +
        value + ") fitting " + fitting + "\n");
    mgen::FuseKernels(&rule);
    return rule.stages.size();
  };
  EXPECT_EQ(stages_of("v[axis(0)]", "dim(a, 1)"), 1u);
  EXPECT_EQ(stages_of("v[axis(0)]", "dim(b, 1)"), 2u);
  EXPECT_EQ(stages_of("mul(v[axis(0)], a)", "dim(b, 1)"), 1u);
}

TEST(FuseKernelsTest, ABodyIsCutAroundProductsAndKeepsItsConditions) {
  EXPECT_EQ(Stages("    1: a = add(a, a)\n"
                   "    if c\n"
                   "      2: a = add(a, b)\n"
                   "      3: b = dot(a, a) scaled 1.0f32\n"
                   "    4: b = a\n"),
            "  stage\n"
            "    1: a = add(a, a)\n"
            "    if c\n"
            "      2: a = add(a, b)\n"
            "  stage\n"
            "    if c\n"
            "      3: b = dot(a, a) scaled 1.0f32\n"
            "  stage\n"
            "    4: b = a\n");
}

TEST(FuseKernelsTest, WhatFollowsABranchIsOneKernelWithItsEnd) {
  EXPECT_EQ(Stages("    1: a = add(a, a)\n"
                   "    if c\n"
                   "      2: b = dot(a, a) scaled 1.0f32\n"
                   "      3: a = b\n"
                   "    else\n"
                   "      4: a = add(b, b)\n"
                   "    5: b = a\n"),
            "  stage\n"
            "    1: a = add(a, a)\n"
            "    if c\n"
            "    else\n"
            "      4: a = add(b, b)\n"
            "  stage\n"
            "    if c\n"
            "      2: b = dot(a, a) scaled 1.0f32\n"
            "  stage\n"
            "    if c\n"
            "      3: a = b\n"
            "    5: b = a\n");
  // The other branch has nothing before it.
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: b = dot(a, a) scaled 1.0f32\n"
                    "      2: a = b\n"
                    "    else\n"
                    "      3: a = add(b, b)\n"
                    "    4: b = a\n"),
            " 1 | 2 3 4");
  // A product ends the branch: what follows is one pass with the other branch.
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: a = add(b, b)\n"
                    "      2: b = dot(a, a) scaled 1.0f32\n"
                    "    else\n"
                    "      3: a = b\n"
                    "    4: b = a\n"),
            " 1 | 2 | 3 4");
}

TEST(FuseKernelsTest, KernelsMovePastTheOtherBranchOnly) {
  // 4 goes before the product of the other branch, 6 stays behind that of its own.
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    if c\n"
                    "      2: b = dot(a, a) scaled 1.0f32\n"
                    "      3: a = b\n"
                    "    else\n"
                    "      4: a = b\n"
                    "      5: b = dot(a, a) scaled 1.0f32\n"
                    "    6: b = a\n"),
            " 1 4 | 2 | 5 | 3 6");
  // Arguments may share memory: what uses other tensors is not passed either.
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    if c\n"
                    "      2: x = dot(y, y) scaled 1.0f32\n"
                    "    3: a = add(a, b)\n"),
            " 1 | 2 | 3");
}

TEST(FuseKernelsTest, ConditionsThatExcludeEachOtherAreBranches) {
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    if c\n"
                    "      2: b = dot(a, a) scaled 1.0f32\n"
                    "      3: a = b\n"
                    "    if not(c)\n"
                    "      4: a = b\n"
                    "      5: b = dot(a, a) scaled 1.0f32\n"
                    "    6: b = a\n"),
            " 1 4 | 2 | 5 | 3 6");
  // Within others, too; another condition is none.
  EXPECT_EQ(Numbers("    if gt(n, 0i32)\n"
                    "      if not(not(c))\n"
                    "        1: b = dot(a, a) scaled 1.0f32\n"
                    "        2: a = b\n"
                    "    if not(c)\n"
                    "      3: a = add(a, b)\n"
                    "      4: b = dot(a, a) scaled 1.0f32\n"
                    "    if c\n"
                    "      5: b = add(a, b)\n"
                    "      6: a = dot(b, b) scaled 1.0f32\n"),
            " 1 | 3 | 4 | 2 5 | 6");
  EXPECT_EQ(Numbers("    if gt(n, 0i32)\n"
                    "      1: b = dot(a, a) scaled 1.0f32\n"
                    "      2: a = b\n"
                    "    if le(n, 0i32)\n"
                    "      3: a = add(a, b)\n"
                    "      4: b = dot(a, a) scaled 1.0f32\n"
                    "    5: b = add(a, b)\n"),
            " 1 | 2 3 | 4 | 5");
}

TEST(FuseKernelsTest, BranchesWithinBranches) {
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: a = add(a, a)\n"
                    "      if gt(n, 0i32)\n"
                    "        2: b = dot(a, a) scaled 1.0f32\n"
                    "        3: a = b\n"
                    "      else\n"
                    "        4: a = add(a, b)\n"
                    "      5: a = mul(a, b)\n"
                    "    else\n"
                    "      6: a = b\n"
                    "    7: b = a\n"),
            " 1 4 | 2 | 3 5 6 7");
  // That 3 has the shape of 1 is shown by 4 only, and no launch runs 3 and 4.
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    if c\n"
                    "      if gt(n, 0i32)\n"
                    "        2: y = dot(b, b) scaled 1.0f32\n"
                    "      else\n"
                    "        3: x = mul(x, x)\n"
                    "    else\n"
                    "      4: x = add(a, a)\n"),
            " 1 4 | 2 | 3");
}

TEST(FuseKernelsTest, ATieCountsInTheLaunchesThatRunIt) {
  EXPECT_EQ(Numbers("    1: a = b\n"
                    "    if c\n"
                    "      2: x = mul(a, y)\n"
                    "    3: y = add(y, y)\n"),
            " 1 2 | 3");
  // With either branch there is a tie.
  EXPECT_EQ(Numbers("    1: a = b\n"
                    "    if c\n"
                    "      2: x = mul(a, y)\n"
                    "    else\n"
                    "      3: x = add(a, y)\n"
                    "    4: y = add(y, x)\n"),
            " 1 2 3 4");
  // If c holds, n is not asked for.
  EXPECT_EQ(Numbers("    1: a = b\n"
                    "    if c\n"
                    "      2: x = mul(a, y)\n"
                    "    else\n"
                    "      if gt(n, 0i32)\n"
                    "        3: x = add(a, y)\n"
                    "    4: y = add(y, y)\n"),
            " 1 2 3 | 4");
}

TEST(FuseKernelsTest, AnEndThatTheSpecAsksForIsOne) {
  EXPECT_EQ(Numbers("    1: a = b\n"
                    "    boundary\n"
                    "    3: b = a\n"),
            " 1 | 3");
  EXPECT_EQ(Numbers("    1: a = b\n"
                    "    if c\n"
                    "      boundary\n"
                    "    3: b = a\n"),
            " 1 | 3");
  // It is one for its branch.
  EXPECT_EQ(Numbers("    1: a = b\n"
                    "    if c\n"
                    "      boundary\n"
                    "      3: b = a\n"
                    "    else\n"
                    "      4: b = add(a, a)\n"
                    "    5: a = b\n"),
            " 1 4 | 3 5");
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: b = a\n"
                    "      boundary\n"
                    "    3: a = b\n"),
            " 1 | 3");
}

/// A kernel behind a product in a branch, and one behind the branch.
std::string Around(const std::string &inside, const std::string &behind) {
  return Numbers("    if c\n      1: x = dot(y, y) scaled 1.0f32\n      2: " + inside +
                 "\n    3: " + behind + "\n");
}

TEST(FuseKernelsTest, StatementsWithoutATensorInCommonAreKernelsOfTheirOwn) {
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    2: b = add(b, b)\n"),
            " 1 | 2");
  // A third statement has one in common with each.
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    2: b = add(b, b)\n"
                    "    3: x = add(a, b)\n"),
            " 1 2 3");
  // What stands between two related ones stays there, and keeps them apart: their memory may be
  // one.
  EXPECT_EQ(Numbers("    1: a = add(a, a)\n"
                    "    2: b = add(b, b)\n"
                    "    3: a = add(a, a)\n"
                    "    4: x = y\n"),
            " 1 | 2 | 3 | 4");
  // Parts and views are of their tensors.
  EXPECT_EQ(Numbers("    1: half = half\n"
                    "    2: rest = turned\n"
                    "    3: b = b\n"
                    "    4: x = x\n"),
            " 1 2 3 | 4");
  // A view of a tensor that is only read has a shape of its own, and so has a part.
  EXPECT_EQ(Numbers("    1: x = turned\n"
                    "    2: y = b\n"),
            " 1 | 2");
  EXPECT_EQ(Numbers("    1: b = half\n"
                    "    2: y = a\n"),
            " 1 | 2");
  // Where the tensor is written the order matters.
  EXPECT_EQ(Numbers("    1: x = turned\n"
                    "    2: b = b\n"),
            " 1 2");
  EXPECT_EQ(Numbers("    1: half = y\n"
                    "    2: b = rest\n"),
            " 1 2");
  // A temporary that nobody reads.
  EXPECT_EQ(Numbers("    1: kept = b\n"
                    "    2: half = rest\n"),
            " 1 | 2");
}

TEST(FuseKernelsTest, KernelsThatCannotBeOneStayTwo) {
  constexpr char kOne[] = " 1 | 2 3", kTwo[] = " 1 | 2 | 3";
  EXPECT_EQ(Around("a = b", "b = add(a, a)"), kOne);
  EXPECT_EQ(Around("kept = b", "b = add(kept, kept)"), kOne);
  EXPECT_EQ(Around("half = add(half, half)", "half = mul(half, half)"), kOne);
  EXPECT_EQ(Around("a = turned", "a = add(a, turned)"), kOne);
  EXPECT_EQ(Around("a = add(b, v[axis(last)])", "b = add(a, v[axis(last)])"), kOne);
  // Nothing says that they have one shape; nor do ranks.
  EXPECT_EQ(Around("a = b", "x = y"), kTwo);
  EXPECT_EQ(Around("a = add(b, v[axis(last)])", "v = w"), kTwo);
  // One reads elsewhere what the other writes.
  EXPECT_EQ(Around("b = a", "a = add(b, turned)"), kTwo);
  EXPECT_EQ(Around("a = add(b, turned)", "b = a"), kTwo);
  EXPECT_EQ(Around("half = b", "b = a"), kTwo);
  EXPECT_EQ(Around("half = add(x, x)", "rest = add(x, x)"), kTwo);
  EXPECT_EQ(Around("v = w", "w = add(v, index<f32>(v, 0))"), kOne);
  // Vectors that only the rule knows.
  EXPECT_EQ(Around("length = v", "v = add(length, length)"), kTwo);
}

TEST(FuseKernelsTest, KernelsThatReduceAreOneWithOthers) {
  constexpr char kOne[] = " 1 | 2 3", kTwo[] = " 1 | 2 | 3";
  // With element-wise ones, in either order, and with their like.
  EXPECT_EQ(Around("a = b", "v = sum<keep 0 by lanes>(a)"), kOne);
  EXPECT_EQ(Around("v = sum<keep 0 by lanes>(a)", "a = mul(a, v[axis(0)])"), kOne);
  EXPECT_EQ(Around("v = max<keep last by leaves>(a)", "w = sum<keep last by leaves>(mul(a, b))"),
            kOne);
  EXPECT_EQ(Around("v = sum<by lanes>(a)", "a = mul(a, v[0])"), kOne);
  // Vectors have a value for each column: reading one before it is written is reading the own one.
  EXPECT_EQ(Around("a = add(b, v[axis(last)])", "v = sum<keep last by leaves>(a)"), kOne);
  EXPECT_EQ(Around("v = mul(v, v)", "a = add(a, v[axis(0)])"), kOne);
  EXPECT_EQ(Around("norm = sum<by lanes>(a)", "norm = sqrt(norm)"), kOne);
  EXPECT_EQ(Around("total = sum<keep 0 by lanes>(a)", "b = sub(a, total[axis(0)])"), kOne);
  // Elements are picked out of a row that the other one wrote.
  EXPECT_EQ(Around("a = b", "v = a[axis(0), cast<i64>(at)]"), kOne);
  // They go over memory in different ways, or over shapes that nothing says to be one.
  EXPECT_EQ(Around("v = sum<keep 0 by lanes>(a)", "w = sum<keep last by leaves>(a)"), kTwo);
  EXPECT_EQ(Around("v = sum<keep 0 by lanes>(a)", "norm = sum<by lanes>(a)"), kTwo);
  EXPECT_EQ(Around("x = y", "v = sum<keep 0 by lanes>(a)"), kTwo);
  EXPECT_EQ(Around("v = sum<keep 0 by lanes>(a)", "x = sub(y, v[axis(0)])"), kTwo);
  EXPECT_EQ(Around("v = mul(w, w)", "length = sum<keep 0 by lanes>(a)"), kTwo);
  // One reads elsewhere what the other writes.
  EXPECT_EQ(Around("a = add(b, v[axis(last)])", "v = sum<keep 0 by lanes>(a)"), kTwo);
  EXPECT_EQ(Around("b = a", "v = sum<keep 0 by lanes>(add(b, turned))"), kTwo);
  EXPECT_EQ(Around("half = add(half, half)", "v = sum<keep 0 by lanes>(rest)"), kTwo);
}

TEST(FuseKernelsTest, ATemporaryThatWouldNeedMemoryKeepsKernelsApart) {
  // It is a register of the first kernel; what it was given is overwritten before it is read.
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: x = dot(y, y) scaled 1.0f32\n"
                    "      2: kept = a\n"
                    "      3: a = mul(b, kept)\n"
                    "      4: b = kept\n"
                    "    5: v = sum<keep 0 by lanes>(a)\n"),
            " 1 | 2 3 4 | 5");
  // It is what it was given.
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: x = dot(y, y) scaled 1.0f32\n"
                    "    2: kept = add(a, a)\n"
                    "    if not(c)\n"
                    "      3: y = dot(x, x) scaled 1.0f32\n"
                    "    4: v = sum<keep 0 by lanes>(kept)\n"),
            " 1 | 2 | 3 | 4");
  EXPECT_EQ(Around("b = a", "v = sum<keep 0 by lanes>(mul(a, b))"), " 1 | 2 3");
  EXPECT_EQ(Around("kept = a", "v = sum<keep 0 by lanes>(kept)"), " 1 | 2 3");
  // It has memory in any case.
  EXPECT_EQ(Numbers("    if c\n"
                    "      1: x = dot(kept, y) scaled 1.0f32\n"
                    "      2: kept = a\n"
                    "    3: v = sum<keep 0 by lanes>(kept)\n"),
            " 1 | 2 3");
}

TEST(FuseKernelsTest, AKernelHasNoMoreConditionsThanOneMayHave) {
  const auto rule = [](int last) {
    std::string text =
        "    if c\n"
        "      1: x = dot(y, y) scaled 1.0f32\n"
        "      2: a = b\n";
    for (int i = 1; i <= last; ++i) {
      const std::string number = std::to_string(i);
      text += "    if gt(n, " + number + "i32)\n      1" + number + ": a = add(a, b)\n";
    }
    return Numbers(text);
  };
  EXPECT_EQ(rule(3), " 1 | 2 11 12 13");
  EXPECT_EQ(rule(4), " 1 | 2 | 11 12 13 14");
}

}  // namespace
