// SPDX-License-Identifier: Apache-2.0
#include "passes/assign_workspaces.h"

#include <gtest/gtest.h>

#include <string>

#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::PrintAll;

/// A rule with temporaries, whose body has the stages `stages`.
mgen::Rule RuleOf(const std::string &stages) {
  return ParseGood(
      "rule R<xpu> []\n"
      "  tensor a: f32 2\n"
      "  tensor b: f32 2\n"
      "  tensor v: f32 1\n"
      "  tensor images: f32 3\n"
      "  temporary x: f32 2 shape(a)\n"
      "  temporary y: f32 2 shape(b)\n"
      "  temporary total: f32 1 shape(dim(a, 0))\n"
      "  temporary sums: f32 1 shape(dim(images, rows))\n"
      "  part half: f32 2 of 1 = \"mshadow::expr::slice<1>($0, $1, $2)\" a, index 0i64, index "
      "4i64\n" +
      stages);
}

constexpr char kPart[] =
    "  part own: f32 2 of 1 = \"mshadow::expr::slice<1>($0, $1, $2)\" x, index 0i64, index 4i64\n";

/// The temporaries that get memory: "x y".
std::string WorkspacesOf(mgen::Rule rule) {
  mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
  EXPECT_TRUE(mgen::AssignWorkspaces(&rule, diagnostics)) << PrintAll(diagnostics);
  std::string names;
  for (const mgen::Param &param : rule.params) {
    if (param.is_workspace) names += (names.empty() ? "" : " ") + param.name;
  }
  return names;
}

std::string Workspaces(const std::string &stages) { return WorkspacesOf(RuleOf(stages)); }

TEST(AssignWorkspaces, WhatOneKernelUsesIsARegisterOrIsComputedAgain) {
  EXPECT_EQ(Workspaces("  stage\n"
                       "    1: x = b\n"
                       "    2: a = add(x, x)\n"),
            "");
  EXPECT_EQ(Workspaces("  stage\n"
                       "    1: x = mul(a, b)\n"
                       "    2: total = sum<keep 0 by lanes>(x)\n"
                       "    3: b = div(x, total[axis(0)])\n"),
            "");
}

TEST(AssignWorkspaces, WhatTwoStagesUseHasMemory) {
  EXPECT_EQ(Workspaces("  stage\n"
                       "    1: x = b\n"
                       "  stage\n"
                       "    2: b = x\n"),
            "x");
  EXPECT_EQ(Workspaces("  stage\n"
                       "    1: x = dot(a, b) scaled 1.0f32\n"),
            "x");
  // Through a part.
  EXPECT_EQ(Workspaces(std::string(kPart) + "  stage\n"
                                            "    1: x = a\n"
                                            "  stage\n"
                                            "    2: b = own\n"),
            "x");
}

TEST(AssignWorkspaces, WhatAKernelCannotComputeAgainHasMemory) {
  EXPECT_EQ(Workspaces("  stage\n"
                       "    1: x = a\n"
                       "    2: a = b\n"
                       "    3: total = sum<keep 0 by lanes>(x)\n"
                       "    4: b = sub(x, total[axis(0)])\n"),
            "x");
}

/// The temporaries with memory of a rule whose stage 2 reduces the product of stage 1, a.T() * b or
/// the like, to `total`.
std::string OfProduct(const std::string &length, const std::string &reduction) {
  return WorkspacesOf(
      ParseGood("rule R<xpu> []\n"
                "  const tensor a: f32 2\n"
                "  const tensor b: f32 2\n"
                "  tensor out: f32 2\n"
                "  temporary x: f32 2 shape(dim(a, 0), dim(b, 0))\n"
                "  temporary total: f32 1 shape(" +
                length +
                ")\n"
                "  stage\n"
                "    1: x = dot(a, transposed b) scaled 1.0f32\n"
                "  stage\n" +
                reduction +
                "  stage\n"
                "    4: out = dot(x, b) scaled 1.0f32\n"));
}

TEST(AssignWorkspaces, AVectorAlongATemporaryWithMemoryIsARegister) {
  const std::string rows =
      "    2: total = sum<keep 0 by lanes>(x)\n"
      "    3: x = div(x, total[axis(0)])\n";
  EXPECT_EQ(OfProduct("dim(a, 0)", rows), "x");
  // As long as x has columns, or as long as neither: a launch compares it.
  EXPECT_EQ(OfProduct("dim(b, 0)", rows), "x total");
  EXPECT_EQ(OfProduct("dim(a, 1)", rows), "x total");
  // A value for each column, as long as x has rows: right where x is square.
  EXPECT_EQ(OfProduct("dim(a, 0)",
                      "    2: total = sum<keep last by leaves>(x)\n"
                      "    3: x = div(x, total[axis(last)])\n"),
            "x total");
}

/// A temporary in another shape has memory, also if the shape alone matters; a part that nothing
/// uses says nothing.
TEST(AssignWorkspaces, AReshapedTemporaryHasMemory) {
  const std::string matrix = "  part matrix: f32 2 reshaped = \"$0.FlatTo2D()\" x\n";
  EXPECT_EQ(Workspaces(matrix + "  stage\n"
                                "    1: x = b\n"
                                "  stage\n"
                                "    2: a = 1.0f32 fitting matrix\n"),
            "x");
  EXPECT_EQ(Workspaces(matrix + "  stage\n"
                                "    1: x = b\n"
                                "    2: a = x\n"),
            "");
}

/// The rows of a matrix of all rows of a tensor are the tensor's.
TEST(AssignWorkspaces, AVectorAlongTheRowsOfAMatrixIsARegister) {
  EXPECT_EQ(Workspaces("  part matrix: f32 2 reshaped = \"$0.FlatTo2D()\" images\n"
                       "  stage\n"
                       "    1: sums = sum<keep 0 by lanes>(matrix)\n"
                       "    2: matrix = sums[axis(0)]\n"),
            "");
}

TEST(AssignWorkspaces, APartOfATemporaryWithoutMemoryIsReported) {
  mgen::Rule rule = RuleOf(std::string(kPart) +
                           "  stage\n"
                           "    1: own = half\n"
                           "    2: half = own\n");
  mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
  EXPECT_FALSE(mgen::AssignWorkspaces(&rule, diagnostics));
  EXPECT_NE(PrintAll(diagnostics).find("a slice of temporary 'x', which has no memory,"),
            std::string::npos);
}

TEST(AssignWorkspaces, AVectorAlongATensorOfWhichOnlyAPartIsUsedIsChecked) {
  const std::string stage =
      "  stage\n"
      "    1: total = sum<keep 0 by lanes>(b)\n"
      "    2: half = mul(b, total[axis(0)])";
  EXPECT_EQ(Workspaces(stage + "\n"), "total");
  EXPECT_EQ(Workspaces(stage + " fitting size(a)\n"), "");
}

}  // namespace
