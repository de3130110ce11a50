// SPDX-License-Identifier: Apache-2.0
#include "passes/stages.h"

#include <gtest/gtest.h>

#include "ir/printer.h"
#include "ir/stages.h"
#include "ir_text.h"
#include "passes/expand_savers.h"

namespace {

using mgen::Plan;
using mgen::Rule;
using mgen_test::ParseGood;

constexpr char kLayers[] = R"(
rule Layers<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor w: f32 2
  scalar scale: f32
  scalar more: bool
  temporary kept: f32 2 shape(dim(in, 0), dim(w, 0)) workspace
  temporary inside: f32 2
  let twice: f32 = add(scale, scale)
  stage
    1: kept = dot(in, transposed w) scaled 1.0f32
  stage
    2: inside = add(kept, kept)
    3: kept = mul(inside, twice)
  stage
    if more
      4: out -= dot(kept, w) scaled twice
    else
  stage
    if more
    else
      5: out = kept
)";

std::vector<Plan> PlansOf(const Rule &rule) {
  std::vector<Plan> plans;
  for (const Rule &kernel : mgen::KernelsOf(rule)) {
    plans.push_back(mgen_test::PlanOf(mgen::ExpandSavers(kernel)));
  }
  return plans;
}

TEST(StagesTest, ARuleOfOneKernelIsNotSplit) {
  const Rule rule =
      ParseGood("rule One<xpu> []\n  tensor a: f32 2\n  stage\n    1: a = add(a, a)\n");
  EXPECT_FALSE(mgen::IsStaged(rule));
  EXPECT_TRUE(mgen::KernelsOf(rule).empty());
}

TEST(StagesTest, EachKernelIsARuleByItself) {
  const std::vector<Rule> kernels = mgen::KernelsOf(ParseGood(kLayers));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[1].name, "LayersStage4");
  EXPECT_EQ(mgen::Print(kernels[0]), mgen_test::Trim(R"(
rule LayersStage2<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor w: f32 2
  scalar scale: f32
  scalar more: bool
  tensor kept: f32 2 shape(dim(in, 0), dim(w, 0)) workspace
  temporary inside: f32 2
  let twice: f32 = add(scale, scale)
  stage
    2: inside = add(kept, kept)
    3: kept = mul(inside, twice)
)"));
}

TEST(StagesTest, JoinedThePlanKnowsWhatProductsNeed) {
  const Rule rule = ParseGood(kLayers);
  const Plan plan = mgen::JoinStages(rule, PlansOf(rule));
  ASSERT_EQ(plan.stages.size(), 4u);
  ASSERT_TRUE(plan.stages[0].call);
  EXPECT_TRUE(plan.stages[0].call->right.transposed);
  EXPECT_EQ(plan.stages[0].call->scale, -1);
  EXPECT_EQ(plan.stages[0].call->condition, -1);
  ASSERT_TRUE(plan.stages[2].call);
  EXPECT_EQ(plan.scalars.at(0).name, "scale4");
  EXPECT_EQ(plan.conditions.at(0).name, "runs4");
  EXPECT_EQ(mgen::Print(plan.conditions[0].value, plan), "more");
  EXPECT_EQ(plan.stages[1].kernel.at(0).title(), "Layers");
  EXPECT_EQ(plan.passes(), 4);
  EXPECT_EQ(plan.unfused_passes, 5);
  EXPECT_EQ(plan.bytes, 8 + 8);
}

TEST(StagesTest, JoinedOperandsAreThoseOfAllStages) {
  const Rule rule = ParseGood(kLayers);
  std::string text;
  for (const mgen::Operand &operand : mgen::JoinStages(rule, PlansOf(rule)).operands) {
    text += operand.name + (operand.load ? " load" : "") + (operand.store.never() ? "" : " store") +
            (operand.is_temporary ? " own" : "") + "\n";
  }
  EXPECT_EQ(text, "out load store\nin load\nw load\nkept store own\n");
}

/// What kernel 2 of a rule compares, which takes values that kernel 1 has reduced.
std::string Compared(const Rule &rule) {
  std::string text;
  const Plan plan = mgen::JoinStages(rule, PlansOf(rule));
  for (const mgen::SameShape &same : plan.stages.at(1).kernel.at(0).same_shapes) {
    EXPECT_TRUE(same.used.always());
    text += same.axes.text() + ":";
    for (const int tensor : same.tensors) text += " " + rule.params[tensor].name;
    text += "; ";
  }
  return text;
}

/// A kernel finds values of rows by the rows' numbers.
TEST(StagesTest, RowsThatTakeValuesOfOthersAreCompared) {
  const auto compared = [](const std::string &other, const std::string &values) {
    return Compared(
        ParseGood("rule R<xpu> []\n"
                  "  tensor out: f32 4\n"
                  "  const tensor in: f32 4\n"
                  "  const tensor other: f32 " +
                  other + "  temporary sums: f32 1 shape(dim(" + values +
                  ", rows)) workspace\n"
                  "  stage\n"
                  "    1: sums = sum<keep rows by lanes>(" +
                  values +
                  ")\n"
                  "  stage\n"
                  "    2: out = div(in, sums[axis(rows)])\n"));
  };
  EXPECT_EQ(compared("4\n", "other"), "rows: out other; ");
  EXPECT_EQ(compared("4\n", "in"), "") << "they have one shape anyway";
  EXPECT_EQ(compared("2\n", "other"), "") << "they cannot have the same extents";
}

/// The same of values of all dimensions but one: their number alone does not show their extents.
TEST(StagesTest, DimensionsThatTakeValuesOfOthersAreCompared) {
  const auto compared = [](const std::string &rank, const std::string &count) {
    return Compared(ParseGood(
        "rule R<xpu> []\n"
        "  tensor out: f32 " +
        rank + "\n  const tensor other: f32 " + rank + "\n  temporary sums: f32 1 shape(" + count +
        ") workspace\n"
        "  stage\n"
        "    1: sums = sum<keep but 1 by leaves>(other)\n"
        "  stage\n"
        "    2: out = mul(out, sums[axis(but 1)])\n"));
  };
  EXPECT_EQ(compared("3", "mul(dim(other, 0), dim(other, 2))"), "0: out other; last: out other; ");
  EXPECT_EQ(compared("3", "mul(dim(out, 0), dim(out, 2))"), "");
}

constexpr char kSums[] = R"(
rule Sums<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor at: i32 1
  scalar more: bool
  temporary rows: f32 2 shape(in) workspace
  stage
    1: rows = add(in, in)
  stage
    if more
      2: out += scatter(at, rows)
  stage
    3: out += scatter(at, in) modulo rows
)";

TEST(StagesTest, AScatterAddIsAStageThatMovesElements) {
  const Rule rule = ParseGood(kSums);
  EXPECT_EQ(mgen::Print(rule), mgen_test::Trim(kSums));
  const Plan plan = mgen::JoinStages(rule, PlansOf(rule));
  ASSERT_EQ(plan.stages.size(), 3u);
  ASSERT_TRUE(plan.stages[1].call);
  EXPECT_EQ(plan.stages[1].call->kind, mgen::Statement::kScatter);
  EXPECT_TRUE(plan.stages[1].call->clips);
  EXPECT_FALSE(plan.stages[2].call->clips);
  EXPECT_EQ(plan.conditions.at(plan.stages[1].call->condition).name, "runs2");
  EXPECT_EQ(plan.CountCalls(mgen::Statement::kScatter), 2);
  EXPECT_EQ(plan.CountCalls(mgen::Statement::kProduct), 0);
  EXPECT_EQ(plan.bytes, 8 + 12 + 12);
  std::string text;
  for (const mgen::Operand &operand : plan.operands) {
    text += operand.name + (operand.load ? " load" : "") + (operand.store.never() ? "" : " store") +
            "\n";
  }
  EXPECT_EQ(text, "out load store\nin load\nat load\nrows store\n");
}

constexpr char kSorts[] = R"(
rule Sorts<xpu> []
  tensor out: f32 2
  tensor at: i32 2
  const tensor in: f32 2
  scalar more: bool
  temporary rows: f32 2 shape(in) workspace
  temporary best: f32 2 shape(out) workspace
  stage
    1: rows = add(in, in)
  stage
    2: best = top(rows) columns to at
  stage
    if more
      3: best = sort(in) ascending
  stage
    4: at = columns of sort(in)
  stage
    5: out = best
)";

TEST(StagesTest, ASortIsAStageThatWritesElementsAndColumns) {
  const Rule rule = ParseGood(kSorts);
  EXPECT_EQ(mgen::Print(rule), mgen_test::Trim(kSorts));
  const Plan plan = mgen::JoinStages(rule, PlansOf(rule));
  ASSERT_EQ(plan.stages.size(), 5u);
  const mgen::StageCall &both = *plan.stages[1].call, &all = *plan.stages[2].call,
                        &columns = *plan.stages[3].call;
  EXPECT_EQ(both.kind, mgen::Statement::kSort);
  EXPECT_EQ(both.sources(), std::vector<int>{4});
  EXPECT_EQ(both.targets(), (std::vector<int>{5, 1}));
  EXPECT_FALSE(both.sort.takes_all || both.sort.ascends);
  EXPECT_EQ(all.targets(), std::vector<int>{5});
  EXPECT_TRUE(all.sort.takes_all && all.sort.ascends);
  EXPECT_EQ(plan.conditions.at(all.condition).name, "runs3");
  EXPECT_EQ(columns.targets(), std::vector<int>{1});
  EXPECT_EQ(plan.CountCalls(mgen::Statement::kSort), 3);
  EXPECT_EQ(plan.bytes, 8 + 3 * 4 + 8);
  std::string text;
  for (const mgen::Operand &operand : plan.operands) {
    text += operand.name + (operand.load ? " load" : "") + (operand.store.never() ? "" : " store") +
            "\n";
  }
  EXPECT_EQ(text, "out store\nat store\nin load\nrows store\nbest store\n");
}

TEST(StagesTest, TheWordsOfSortsAreNamesOfTensorsToo) {
  const char *const text = R"(
rule Names<xpu> []
  tensor columns: f32 2
  tensor top: f32 2
  tensor sort: f32 2
  stage
    1: top = columns
    2: columns = top
    3: top = sort
)";
  EXPECT_EQ(mgen::Print(ParseGood(text)), mgen_test::Trim(text));
}

constexpr char kParts[] = R"ir(
rule Parts<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  let n: i64 = div(dim(in, 0), 2i64)
  part left: f32 2 of 1 = "mshadow::expr::slice<1>($0, $1, $2)" out, index 0i64, index n
  part rows: f32 2 of 0 = "mshadow::expr::slice<0>($0, $1, $2)" in, index n, index mul(2i64, n)
  stage
    1: left = dot(in, transposed rows) scaled 1.0f32
)ir";

TEST(StagesTest, PartsOfProductsHaveScalarsForTheirRanges) {
  const Rule rule = ParseGood(kParts);
  const Plan plan = mgen::JoinStages(rule, PlansOf(rule));
  std::string scalars;
  for (const mgen::HostScalar &scalar : plan.scalars) {
    scalars += scalar.name + " = " + mgen::Print(scalar.value, plan) + "\n";
  }
  EXPECT_EQ(scalars, "n = n\ntwo_times_n = mul(2i64, n)\n");
  const mgen::View &part = *plan.rule.params[2].view;
  EXPECT_EQ(part.operands[1].value->op, mgen::Op::kLiteral);
  EXPECT_EQ(part.operands[2].value->index, 0);
  // What is beside the part keeps its value.
  EXPECT_EQ(plan.operands.at(0).name, "out");
  EXPECT_TRUE(plan.operands[0].load && !plan.operands[0].store.never());
}

std::string Messages(const std::string &text) {
  mgen::Diagnostics diagnostics;
  const bool is_right = mgen::CheckStages(ParseGood(text), diagnostics);
  EXPECT_EQ(is_right, diagnostics.error_count() == 0);
  return mgen_test::PrintAll(diagnostics);
}

TEST(StagesTest, SaysWhatIsWrongOverSeveralStages) {
  EXPECT_EQ(Messages(kLayers), "");
  EXPECT_NE(Messages(R"(
rule Const<xpu> []
  const tensor out: f32 2
  const tensor in: f32 2
  stage
    1: out = dot(in, in) scaled 1.0f32
)")
                .find("cannot write 'out': it is declared const"),
            std::string::npos);
  EXPECT_NE(Messages(R"(
rule Unset<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  temporary kept: f32 2 shape(in) workspace
  stage
    1: out = dot(in, kept) scaled 1.0f32
)")
                .find("'kept' is read before it has a value"),
            std::string::npos);
  EXPECT_NE(Messages(R"(
rule Indices<xpu> []
  tensor out: f32 1
  tensor at: i32 1
  const tensor in: f32 2
  stage
    1: at = add(at, at)
  stage
    2: out = in[axis(0), cast<i64>(at)]
)")
                .find("this rule writes 'at' and also uses it as indices"),
            std::string::npos);
  EXPECT_NE(Messages(R"(
rule Sums<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor at: i32 1
  temporary sums: f32 2 shape(out) workspace
  stage
    1: sums += scatter(at, in)
  stage
    2: out = sums
)")
                .find("'sums' is read before it has a value"),
            std::string::npos);
}

}  // namespace
