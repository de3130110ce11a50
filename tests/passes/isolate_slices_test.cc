// SPDX-License-Identifier: Apache-2.0
#include "passes/isolate_slices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir_text.h"
#include "passes/fuse_kernels.h"
#include "passes/split_stages.h"

namespace {

using mgen::Rule;
using mgen::Statement;
using mgen_test::ParseGood;

void CollectNumbers(const std::vector<Statement> &body, std::string *text) {
  for (const Statement &statement : body) {
    if (statement.kind == Statement::kAssign) *text += " " + std::to_string(statement.number);
    CollectNumbers(statement.then_body, text);
    CollectNumbers(statement.else_body, text);
  }
}

Rule CutRule(const std::string &ranges, const std::string &body) {
  Rule rule = ParseGood(R"ir(
rule R<xpu> []
  tensor t: f32 2
  tensor a: f32 2
  tensor u: f32 2
  const tensor i: i32 1
  const tensor j: i32 1
  scalar c: bool
  scalar n: i64
)ir" + ranges + "  stage\n" +
                        body);
  mgen::IsolateSlices(&rule);
  mgen::SplitStages(&rule);
  mgen::FuseKernels(&rule);
  mgen::NameParts(&rule);
  return rule;
}

std::string Part(const std::string &name, const std::string &tensor, const std::string &begin,
                 const std::string &end, int dim = 1) {
  const std::string d = std::to_string(dim);
  return "  part " + name + ": f32 2 of " + d + " = \"mshadow::expr::slice<" + d +
         ">($0, $1, $2)\" " + tensor + ", index " + begin + ", index " + end + "\n";
}

/// The statements' numbers, stages apart: " 1 2 | 3".
std::string Stages(const Rule &rule) {
  std::string text;
  for (const mgen::Stage &stage : rule.stages) {
    if (!text.empty()) text += " |";
    CollectNumbers(stage.body, &text);
  }
  return text;
}

constexpr char kWriteBoth[] = "    1: p = a\n    2: q = a\n";

std::string Cut(const std::string &ranges, const std::string &body = kWriteBoth) {
  return Stages(CutRule(ranges, body));
}

constexpr char kHalf[] = "  let half: i64 = div(dim(t, 1), 2i64)\n";

TEST(CutParts, WhatIsApartAndOfOneShapeIsOneKernel) {
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "4i64") + Part("q", "t", "4i64", "8i64")), " 1 2");
  EXPECT_EQ(Cut(Part("p", "t", "6i64", "8i64") + Part("q", "t", "1i64", "3i64")), " 1 2");
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "n") + Part("q", "t", "n", "mul(2i64, n)")), " 1 2");
  EXPECT_EQ(Cut(Part("p", "t", "n", "add(n, 2i64)") + Part("q", "t", "sub(n, 2i64)", "n")), " 1 2");
  EXPECT_EQ(Cut(kHalf + Part("p", "t", "0i64", "half") + Part("q", "t", "half", "add(half, half)")),
            " 1 2");
  // Half of an extent, twice, is not above it.
  EXPECT_EQ(Cut(kHalf + Part("p", "t", "0i64", "half") +
                Part("q", "t", "sub(dim(t, 1), half)", "dim(t, 1)")),
            " 1 2");
  EXPECT_EQ(Cut("  let third: i64 = div(sub(dim(t, 1), div(dim(t, 1), 3i64)), 2i64)\n" +
                Part("p", "t", "0i64", "1i64") + Part("q", "t", "2i64", "3i64")),
            " 1 2");
}

TEST(CutParts, WhatMayOverlapOrDifferInShapeIsNot) {
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "4i64") + Part("q", "t", "3i64", "7i64")), " 1 | 2");
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "4i64") + Part("q", "t", "4i64", "9i64")), " 1 | 2");
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "n") + Part("q", "t", "n", "dim(t, 1)")), " 1 | 2");
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "4i64") + Part("q", "t", "n", "add(n, 4i64)")), " 1 | 2");
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "4i64", 0) + Part("q", "t", "4i64", "8i64", 1)), " 1 | 2");
  // A number may be below 0, and half of it is above a third of it then.
  EXPECT_EQ(Cut("  let half: i64 = div(n, 2i64)\n" + Part("p", "t", "0i64", "half") +
                Part("q", "t", "sub(n, half)", "n")),
            " 1 | 2");
  EXPECT_EQ(Cut(kHalf + Part("p", "t", "0i64", "add(half, 1i64)") +
                Part("q", "t", "sub(dim(t, 1), add(half, 1i64))", "dim(t, 1)")),
            " 1 | 2");
  // Sums of numbers that are not small are not relied upon.
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "1i64") +
                Part("q", "t", "9223372036854775807i64", "add(9223372036854775807i64, 1i64)")),
            " 1 | 2");
}

TEST(CutParts, AWrittenPartAndItsTensorAreNoKernel) {
  const std::string part = Part("p", "t", "0i64", "n");
  EXPECT_EQ(Cut(part, "    1: p = add(p, p)\n    2: a = t\n"), " 1 | 2");
  EXPECT_EQ(Cut(part, "    1: a = t\n    2: p = u\n"), " 1 | 2");
  EXPECT_EQ(Cut(part, "    1: a = t\n    2: p = u\n    3: a = add(a, a)\n"), " 1 | 2 | 3");
  EXPECT_EQ(Cut(part, "    if c\n      1: p = u\n    2: a = t\n"), " 1 | 2");
  // A part that is read says nothing of the tensor's shape.
  EXPECT_EQ(Cut(part, "    1: a = p\n    2: u = add(a, a)\n"), " 1 2");
}

/// Ranges of two dimensions, or of one within the other.
std::string PartOfPart(const std::string &name, const std::string &dims,
                       const std::vector<std::string> &bounds) {
  std::string text = "  part " + name + ": f32 2 of " + dims + " = \"s\" t";
  for (const std::string &bound : bounds) text += ", index " + bound;
  return text + "\n";
}

TEST(CutParts, RangesOfRangesAddUp) {
  // Rectangles, beside and below each other, and with a common corner.
  const std::string corner = PartOfPart("p", "0, 1", {"0i64", "4i64", "0i64", "n"});
  EXPECT_EQ(Cut(corner + PartOfPart("q", "0, 1", {"0i64", "4i64", "n", "mul(2i64, n)"})), " 1 2");
  EXPECT_EQ(Cut(corner + PartOfPart("q", "0, 1", {"4i64", "8i64", "0i64", "n"})), " 1 2");
  EXPECT_EQ(Cut(corner + PartOfPart("q", "0, 1", {"3i64", "7i64", "0i64", "n"})), " 1 | 2");
  EXPECT_EQ(Cut(corner + PartOfPart("q", "0, 1", {"4i64", "9i64", "0i64", "n"})), " 1 | 2");
  EXPECT_EQ(Cut(corner + Part("q", "t", "4i64", "8i64", 0)), " 1 | 2");
  // Of one dimension: the second begins where the first does.
  const std::string front = Part("p", "t", "0i64", "4i64");
  EXPECT_EQ(Cut(front + PartOfPart("q", "1, 1", {"n", "dim(t, 1)", "4i64", "8i64"})), " 1 | 2");
  EXPECT_EQ(Cut(front + PartOfPart("q", "1, 1", {"3i64", "9i64", "1i64", "5i64"})), " 1 2");
  EXPECT_EQ(Cut(front + PartOfPart("q", "1, 1", {"3i64", "9i64", "0i64", "4i64"})), " 1 | 2");
}

TEST(CutParts, RowsThatIndicesNameMayBeAnyOthers) {
  const auto rows = [](const std::string &name, const std::string &tensor,
                       const std::string &indices) {
    return "  part " + name + ": f32 2 named = \"mshadow::expr::rows($0, $1)\" " + tensor + ", " +
           indices + "\n";
  };
  const std::string body = "    1: p = a\n    2: q = add(p, p)\n";
  EXPECT_EQ(Cut(rows("p", "t", "i") + rows("q", "u", "i"), body), " 1 2");
  EXPECT_EQ(Cut(rows("p", "t", "i") + rows("q", "u", "j")), " 1 2");
  EXPECT_EQ(Cut(rows("p", "t", "i") + rows("q", "t", "j")), " 1 | 2");
  EXPECT_EQ(Cut(rows("p", "t", "i") + Part("q", "t", "0i64", "4i64")), " 1 | 2");
  EXPECT_EQ(Cut(rows("p", "t", "i"), "    1: p = a\n    2: u = t\n"), " 1 | 2");
}

TEST(CutParts, TheElementsOfATemporaryAreWrittenBeforeItIsRead) {
  const std::string sums =
      "  temporary s: f32 2 shape(dim(a, 0), 1i64)\n"
      "  part e: f32 1 flat = \"$0.FlatTo1D()\" s\n";
  const Rule rule = CutRule(sums, "    1: e = sum<keep 0 by lanes>(a)\n    2: u = s\n");
  EXPECT_EQ(Stages(rule), " 1 | 2");
  EXPECT_FALSE(rule.stages[1].apart);  // the spec has no such slice
}

TEST(CutParts, ATensorIsWrittenInOneShapeAtATime) {
  const auto reshaped = [](const std::string &name, const std::string &text) {
    return "  part " + name + ": f32 2 reshaped = \"" + text + "\" t";
  };
  const std::string p = reshaped("p", "$0.FlatTo2D()") + "\n";
  const std::string q =
      reshaped("q", "mshadow::expr::reshape($0, mshadow::Shape2($1, $2))") + ", index n, index n\n";
  EXPECT_EQ(Cut(p, "    1: p = a\n    2: p += a\n    3: u = p\n"), " 1 2 3");
  EXPECT_EQ(Cut(p, "    1: p = a\n    2: t = u\n    3: p += a\n"), " 1 | 2 | 3");
  EXPECT_EQ(Cut(p, "    1: p = a\n    2: u = t\n"), " 1 | 2");
  EXPECT_EQ(Cut(p, "    1: t = a\n    2: u = p\n"), " 1 | 2");
  EXPECT_EQ(Cut(p + q), " 1 | 2");
  EXPECT_EQ(Cut(p + Part("q", "t", "0i64", "n")), " 1 | 2");
  const std::string diagonal =
      reshaped("p", "mshadow::expr::broadcast_with_axis(mshadow::expr::diag($0), $1, $2)") +
      ", index 0i64, index 1i64\n";
  EXPECT_EQ(Cut(diagonal, "    1: t = a\n    2: p += u\n    3: a = t\n"), " 1 | 2 | 3");
  // Nothing shows that what is only read has one shape in both.
  EXPECT_EQ(Cut(p + q, "    1: u = p\n    2: a = q\n"), " 1 | 2");
  EXPECT_EQ(Cut(p, "    if c\n      1: p = a\n    else\n      2: t = a\n"), " 1 | 2");
  const Rule rule = CutRule(p, "    1: p = a\n    2: t = u\n");
  EXPECT_TRUE(rule.stages[1].apart);
}

TEST(CutParts, ReadsAreLookedAtWhereTheOtherIsWritten) {
  const std::string overlapping = Part("p", "t", "0i64", "4i64") + Part("q", "t", "3i64", "7i64");
  EXPECT_EQ(Cut(overlapping, "    1: p = a\n    2: u = q\n"), " 1 | 2");
  EXPECT_EQ(Cut(overlapping, "    1: u = q\n    2: p = a\n"), " 1 | 2");
  EXPECT_EQ(Cut(overlapping, "    1: u = q\n    2: a = p\n"), " 1 2");
  // One statement is for the launch to look at.
  EXPECT_EQ(Cut(overlapping, "    1: q = p\n    2: a = q\n"), " 1 2");
  // Of other tensors nothing is known before the launch.
  EXPECT_EQ(Cut(Part("p", "t", "0i64", "4i64") + Part("q", "u", "3i64", "7i64")), " 1 2");
}

TEST(CutParts, ConditionsAndStagesAreSeen) {
  const std::string overlapping = Part("p", "t", "0i64", "4i64") + Part("q", "t", "3i64", "7i64");
  EXPECT_EQ(Cut(overlapping, "    if c\n      1: p = a\n    else\n      2: q = a\n    3: u = a\n"),
            " 1 2 3");
  EXPECT_EQ(Cut(overlapping, "    if c\n      1: p = a\n    2: q = a\n"), " 1 | 2");
  EXPECT_EQ(Cut(overlapping, "    1: p = a\n    if c\n      2: q = a\n    3: q = a\n"), " 1 | 2 3");
  EXPECT_EQ(Cut(overlapping, "    1: p = a\n    2: u = dot(a, a) scaled 1.0f32\n    3: q = a\n"),
            " 1 | | 3");
}

TEST(CutParts, AStageSaysForWhichPartsItIsOne) {
  const Rule rule = CutRule(Part("p", "t", "0i64", "4i64") + Part("q", "t", "3i64", "7i64"),
                            "    1: p = a\n    2: q = a\n");
  EXPECT_FALSE(rule.stages[0].apart);
  ASSERT_TRUE(rule.stages[1].apart);
  EXPECT_EQ(rule.params[rule.stages[1].apart->first].name, "p");
  EXPECT_EQ(rule.params[rule.stages[1].apart->second].name, "q");
}

}  // namespace
