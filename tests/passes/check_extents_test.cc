// SPDX-License-Identifier: Apache-2.0
#include "passes/check_extents.h"

#include <gtest/gtest.h>

#include <string>

#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::PrintAll;

/// What is said of a rule with that temporary and those stages.
std::string Said(const std::string &temporary, const std::string &stages) {
  const mgen::Rule rule = ParseGood(
      "rule R<xpu> []\n"
      "  tensor a: f32 2\n"
      "  tensor b: f32 2\n"
      "  tensor like: f32 2\n"
      "  tensor v: f32 1\n" +
      temporary + stages);
  mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
  const bool passes = mgen::CheckExtents(rule, diagnostics);
  EXPECT_EQ(passes, !diagnostics.has_errors());
  return PrintAll(diagnostics);
}

TEST(CheckExtents, AVectorIsAsLongAsItsKernelReducesTo) {
  const std::string sums =
      "  stage\n"
      "    1: total = sum<keep 0 by lanes>(a)\n"
      "    2: b = sub(a, total[axis(0)])\n";
  EXPECT_EQ(Said("  temporary total: f32 1 shape(dim(a, 0))\n", sums), "");
  EXPECT_NE(Said("  temporary total: f32 1 shape(dim(a, 1))\n", sums).find("[temporary-shape]"),
            std::string::npos);
  EXPECT_NE(Said("  temporary total: f32 1 shape(1i64)\n", sums).find("[temporary-shape]"),
            std::string::npos);
  // What has memory may be as long as it likes.
  EXPECT_EQ(Said("  temporary total: f32 1 shape(dim(b, 1)) workspace\n", sums), "");
}

TEST(CheckExtents, WhatElementsAreCountedByIsCompared) {
  const auto counting = [](const std::string &tensor) {
    return "index<f32>(" + tensor + ", 1)) counting " + tensor + " by \"range\" instead \"b\"\n";
  };
  EXPECT_EQ(Said("", "  stage\n    1: a = add(b, " + counting("b")), "");
  const std::string said = Said("", "  stage\n    1: a = add(b, " + counting("like"));
  EXPECT_NE(said.find("'range'"), std::string::npos) << said;
  // The same extent of what is written is the way to write it.
  EXPECT_NE(said.find("range<float>(0, a.size(1))"), std::string::npos) << said;
  // Each kernel compares what it counts by.
  const std::string first = "  stage\n    1: a = add(a, " + counting("a");
  EXPECT_EQ(Said("", first + "  stage\n    2: b = add(b, " + counting("b")), "");
  EXPECT_NE(Said("", first + "  stage\n    2: b = add(b, " + counting("a")), "");
}

}  // namespace
