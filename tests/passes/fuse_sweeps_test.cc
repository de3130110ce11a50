// SPDX-License-Identifier: Apache-2.0
#include "passes/fuse_sweeps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/printer.h"
#include "ir_text.h"
#include "passes/bind_axes.h"
#include "passes/expand_savers.h"
#include "passes/stages.h"

namespace {

constexpr char kHead[] =
    "rule R<xpu> []\n"
    "  tensor out: f32 2\n"
    "  tensor row_sum: f32 1\n"
    "  tensor col_sum: f32 1\n"
    "  const tensor in: f32 2\n"
    "  const tensor other: f32 2\n"
    "  tensor row: f32 1\n"
    "  tensor weight: f32 1\n"
    "  scalar c: bool\n"
    "  part half: f32 2 of 1 = \"mshadow::expr::slice<1>($0, $1, $2)\" out, index 0i64, index 8i64\n"
    "  view turned: f32 2 = \"mshadow::expr::flip($0, $1)\" out, 0i32\n";

std::vector<mgen::Plan> Fused(const std::string &body) {
  std::vector<mgen::Plan> plans;
  for (const mgen::Rule &kernel : mgen::KernelsOf(mgen_test::ParseGood(kHead + body))) {
    plans.push_back(mgen_test::PlanOf(mgen::ExpandSavers(mgen::BindAxes(kernel))));
  }
  for (size_t i = 1; i < plans.size(); ++i) mgen::FuseSweeps(&plans[i - 1], &plans[i]);
  return plans;
}

/// The line that a plan's text has of leaves; "" if the kernel has none.
std::string LeavesOf(const mgen::Plan &plan) {
  const std::string text = mgen::Print(plan);
  const size_t begin = text.find("leaves of");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

/// In: the stages of a rule. Out: what the kernel of rows has of the other one.
struct Row {
  const char *name;
  const char *in;
  const char *out;
};

const std::vector<Row> kRows = {
    {"columns in an order that has no leaves of 32 rows",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by planes>(in)\n",
     ""},
    {"rows, then columns of what the kernel of rows reads",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(in)\n",
     "leaves of the next kernel"},
    {"columns of what the kernel of rows overwrites if two arguments are the same tensor",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "    2: out = mul(in, row_sum[axis(0)])\n"
     "  stage\n"
     "    3: col_sum = sum<keep last by leaves>(in)\n",
     "leaves of the next kernel where out, in are apart"},
    {"columns of what the kernel of rows writes: elements and values of rows",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "    2: out = mul(in, row_sum[axis(0)])\n"
     "  stage\n"
     "    3: col_sum = max<keep last by leaves>(mul(out, row_sum[axis(0)]))\n",
     "leaves of the next kernel"},
    {"columns before rows: they must not be memory that the kernel of rows uses",
     "  stage\n"
     "    1: col_sum = sum<keep last by leaves>(in)\n"
     "  stage\n"
     "    2: row_sum = sum<keep 0 by lanes>(mul(in, other))\n"
     "    3: out = mul(in, row_sum[axis(0)])\n",
     "leaves of the previous kernel where out, col_sum; row_sum, col_sum; col_sum, other are "
     "apart"},
    {"later phases of the kernel of columns may write elements",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(in)\n"
     "    3: out = sub(in, col_sum[axis(last)])\n",
     "leaves of the next kernel"},
    // What must stay two kernels:
    {"no tensor says that the rows are the same",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(other)\n",
     ""},
    {"a sum reads what only its kernel loads",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(mul(in, other))\n",
     ""},
    {"rows read what all columns become",
     "  stage\n"
     "    1: col_sum = sum<keep last by leaves>(in)\n"
     "  stage\n"
     "    2: row_sum = sum<keep 0 by lanes>(mul(in, col_sum[axis(last)]))\n",
     ""},
    {"columns read what other rows become",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(mul(in, row_sum[axis(last)]))\n",
     ""},
    {"columns read a value that the kernel of rows has only behind its sweeps",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(mul(in, row_sum[axis(0)]))\n",
     ""},
    {"columns read the value that the kernel of rows overwrites",
     "  stage\n"
     "    1: col_sum = sum<keep last by leaves>(mul(in, row_sum[axis(0)]))\n"
     "  stage\n"
     "    2: row_sum = sum<keep 0 by lanes>(in)\n",
     ""},
    {"a view reads other rows of what the kernel of rows writes",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "    2: out = mul(in, row_sum[axis(0)])\n"
     "  stage\n"
     "    3: col_sum = sum<keep last by leaves>(mul(in, turned))\n",
     ""},
    {"the kernel of rows writes a slice of what columns read",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(out)\n"
     "    2: half = add(half, half)\n"
     "  stage\n"
     "    3: col_sum = sum<keep last by leaves>(out)\n",
     ""},
    {"another pass of the kernel of columns reads what the kernel of rows writes",
     "  stage\n"
     "    1: col_sum = sum<keep last by leaves>(in)\n"
     "    2: out = sub(in, col_sum[axis(last)])\n"
     "  stage\n"
     "    3: row_sum = sum<keep 0 by lanes>(mul(in, out))\n",
     ""},
    {"a condition may leave out the kernel of rows",
     "  stage\n"
     "    if c\n"
     "      1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    2: col_sum = sum<keep last by leaves>(in)\n",
     ""},
    {"a condition may leave out a sum of columns",
     "  stage\n"
     "    1: row_sum = sum<keep 0 by lanes>(in)\n"
     "  stage\n"
     "    if c\n"
     "      2: col_sum = sum<keep last by leaves>(in)\n",
     ""},
    {"two kernels of columns",
     "  stage\n"
     "    1: col_sum = sum<keep last by leaves>(in)\n"
     "  stage\n"
     "    2: weight = sum<keep last by leaves>(in)\n",
     ""},
};

TEST(FuseSweeps, Table) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    const std::vector<mgen::Plan> plans = Fused(row.in);
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(LeavesOf(plans[0]) + LeavesOf(plans[1]), row.out);
    EXPECT_EQ(plans[0].takes_leaves || plans[1].takes_leaves, std::string(row.out) != "");
  }
}

/// What the text of a plan has of reductions, sweeps and what is between them.
std::string SweepsPart(const mgen::Plan &plan) {
  const std::string text = mgen::Print(plan);
  return text.substr(text.find("  sweep"));
}

TEST(FuseSweeps, BehindRowsTheSweepReadsWhatTheyBecame) {
  const std::vector<mgen::Plan> plans = Fused(
      "  stage\n"
      "    1: row_sum = sum<keep 0 by lanes>(in)\n"
      "    2: out = mul(in, row_sum[axis(0)])\n"
      "  stage\n"
      "    3: col_sum = sum<keep last by leaves>(out)\n");
  EXPECT_EQ(SweepsPart(plans[0]), mgen_test::Trim(R"(
  sweep in load
    1: reduce row_sum_sum, in
  once
    1: row_sum = row_sum_sum
  sweep out store always in load
    2: out = mul(in, column(row_sum))
    3: reduce col_sum_sum, out
)"));
  EXPECT_NE(mgen::Print(plans[0]).find(
                "reduction col_sum_sum: f32 sum over rows by leaves, leaves only\n"),
            std::string::npos);
  EXPECT_EQ(plans[0].leaves->bytes, 4);
  EXPECT_EQ(SweepsPart(plans[1]), mgen_test::Trim(R"(
  sweep out load
    3: reduce col_sum_sum, out
  once
    3: col_sum = col_sum_sum
)"));
}

TEST(FuseSweeps, BeforeRowsTheSweepReadsWhatTheyWere) {
  const std::vector<mgen::Plan> plans = Fused(
      "  stage\n"
      "    1: col_sum = sum<keep last by leaves>(out)\n"
      "  stage\n"
      "    2: out = mul(out, row_sum[axis(0)])\n"
      "    3: row_sum = sum<keep 0 by lanes>(out)\n");
  EXPECT_EQ(SweepsPart(plans[1]), mgen_test::Trim(R"(
  sweep out load store always
    1: reduce col_sum_sum, out
    2: out = mul(out, column(row_sum))
    3: reduce row_sum_sum, out
  once
    3: row_sum = row_sum_sum
)"));
}

TEST(FuseSweeps, AKernelHasTheLeavesOfOneOther) {
  const std::vector<mgen::Plan> plans = Fused(
      "  stage\n"
      "    1: col_sum = sum<keep last by leaves>(in)\n"
      "  stage\n"
      "    2: row_sum = sum<keep 0 by lanes>(in)\n"
      "  stage\n"
      "    3: weight = sum<keep last by leaves>(in)\n");
  EXPECT_TRUE(plans[0].takes_leaves);
  EXPECT_FALSE(plans[1].leaves->of_next);
  EXPECT_FALSE(plans[2].takes_leaves);
}

}  // namespace
