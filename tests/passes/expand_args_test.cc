// SPDX-License-Identifier: Apache-2.0
#include "passes/expand_args.h"

#include <gtest/gtest.h>

#include "ir/verifier.h"
#include "ir_text.h"
#include "passes/share.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"the first element that is the maximum, or no number", R"(
rule Top<xpu> []
  tensor top: f32 1
  const tensor in: f32 2
  stage
    1: top = add(column(top), argmax<keep 0 by lanes>(in))
)",
     R"(
rule Top<xpu> []
  tensor top: f32 1
  const tensor in: f32 2
  temporary top_chosen: f32 1
  stage
    1: top_chosen = max<keep 0 by lanes>(in)
    1: top = add(column(top), select(eq(min<keep 0 by lanes>(select(or(eq(in, column(top_chosen)), ne(in, in)), index<f32>(in), inff32)), inff32), 0.0f32, min<keep 0 by lanes>(select(or(eq(in, column(top_chosen)), ne(in, in)), index<f32>(in), inff32))))
)"},
    {"16-bit floats are compared, and counted, as floats", R"(
rule Top<xpu, DType> [f32] [f16]
  tensor out: DType 3
  tensor top: DType 1
  const tensor in: DType 3
  stage
    1: top = argmin<keep 1 by planes>(in)
)",
     R"(
rule Top<xpu, DType> [f32] [f16]
  tensor out: DType 3
  tensor top: DType 1
  const tensor in: DType 3
  temporary top_chosen: promoted<DType> 1
  stage
    1: top_chosen = min<keep 1 by planes>(cast<promoted<DType>>(in))
    1: top = cast<DType>(select(eq(1@min<keep 1 by planes>(select(or(eq(cast<promoted<DType>>(in), channel<1>(top_chosen)), ne(cast<promoted<DType>>(in), cast<promoted<DType>>(in))), index<promoted<DType>>(in), literal<promoted<DType>>(inf))), literal<promoted<DType>>(inf)), literal<promoted<DType>>(0.0), @1))
)"},
    {"integers are counted in 64 bits", R"(
rule Top<xpu> []
  tensor top: i32 1 single
  const tensor in: i32 2
  scalar least: bool
  stage
    if least
      1: top = argmin<by lanes>(in)
)",
     R"(
rule Top<xpu> []
  tensor top: i32 1 single
  const tensor in: i32 2
  scalar least: bool
  temporary top_chosen: i32 1 single
  stage
    if least
      1: top_chosen = min<by lanes>(in)
      1: top = cast<i32>(select(eq(min<by lanes>(select(eq(in, one(top_chosen)), index<i64>(in), 9223372036854775807i64)), 9223372036854775807i64), 0i64, min<by lanes>(select(eq(in, one(top_chosen)), index<i64>(in), 9223372036854775807i64))))
)"},
    {"other reductions stay as they are", R"(
rule Top<xpu> []
  tensor top: f32 1
  const tensor in: f32 2
  stage
    1: top = max<keep 0 by lanes>(in)
)",
     kSame},
};

TEST(ExpandArgs, Table) { mgen_test::ExpectRules(kRows, mgen::ExpandArgs); }

TEST(ExpandArgs, TheTypeOfElementsMustHoldTheirNumbers) {
  const mgen::Rule rule = mgen::ExpandArgs(mgen_test::ParseGood(kRows[2].in));
  ASSERT_EQ(rule.counted.size(), 1u);
  EXPECT_EQ(rule.counted[0].statement, 1);
  EXPECT_EQ(rule.counted[0].type, mgen::Type{mgen::ScalarKind::kInt32});
  const mgen::Plan plan = mgen::Share(mgen_test::PlanOf(rule));
  mgen::Verify(plan);
  ASSERT_EQ(plan.counts.size(), 1u);
  EXPECT_EQ(plan.counts[0].name, "top");
  EXPECT_FALSE(plan.counts[0].used.always());  // only where `least` holds
  EXPECT_TRUE(plan.uses_numbers);
  EXPECT_EQ(plan.reductions.size(), 2u);  // the number that stands twice is reduced once
}

}  // namespace
