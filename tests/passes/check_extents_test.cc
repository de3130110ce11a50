// SPDX-License-Identifier: Apache-2.0
#include "passes/check_extents.h"

#include <gtest/gtest.h>

#include <string>

#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::PrintAll;

/// What is said of a rule with that temporary, that line of what it counts, and those stages.
std::string Said(const std::string &temporary, const std::string &counts,
                 const std::string &stages) {
  const mgen::Rule rule = ParseGood(
      "rule R<xpu> []\n"
      "  tensor a: f32 2\n"
      "  tensor b: f32 2\n"
      "  tensor like: f32 2\n"
      "  tensor v: f32 1\n" +
      temporary + counts + stages);
  mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
  const bool passes = mgen::CheckExtents(rule, diagnostics);
  EXPECT_EQ(passes, !diagnostics.has_errors());
  return PrintAll(diagnostics);
}

TEST(CheckExtents, AVectorIsAsLongAsItsKernelReducesTo) {
  const std::string sums =
      "  stage\n"
      "    1: total = row_sum(a)\n"
      "    2: b = sub(a, column(total))\n";
  EXPECT_EQ(Said("  temporary total: f32 1 shape(dim(a, 0))\n", "", sums), "");
  EXPECT_NE(Said("  temporary total: f32 1 shape(dim(a, 1))\n", "", sums).find("[temporary-shape]"),
            std::string::npos);
  EXPECT_NE(Said("  temporary total: f32 1 shape(1i64)\n", "", sums).find("[temporary-shape]"),
            std::string::npos);
  // What has memory may be as long as it likes.
  EXPECT_EQ(Said("  temporary total: f32 1 shape(dim(b, 1)) workspace\n", "", sums), "");
}

TEST(CheckExtents, WhatElementsAreCountedByIsCompared) {
  const std::string numbers =
      "  stage\n"
      "    1: a = add(b, index<f32>(like, 1))\n";
  EXPECT_EQ(Said("", "  counts b by \"range\" instead \"b\"\n",
                 "  stage\n"
                 "    1: a = add(b, index<f32>(b, 1))\n"),
            "");
  const std::string said = Said("", "  counts like by \"range\" instead \"b\"\n", numbers);
  EXPECT_NE(said.find("'range'"), std::string::npos) << said;
  // The same extent of what is written is the way to write it.
  EXPECT_NE(said.find("range<float>(0, a.size(1))"), std::string::npos) << said;
}

}  // namespace
