// SPDX-License-Identifier: Apache-2.0
#include "passes/buffer.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "ir/walk.h"
#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::Row;
using mgen_test::Trim;

/// In: a rule. Out: the phases of its plan.
const std::vector<Row> kRows = {
    {"a function that two sweeps use", R"(
rule Softmax<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  temporary top: f32 1
  temporary total: f32 1
  stage
    1: top = max<keep 0 by lanes>(in)
    2: total = sum<keep 0 by lanes>(e@exp(sub(in, column(top))))
    3: out = div(e@exp(sub(in, column(top))), column(total))
)",
     R"(
  sweep in load
    1: reduce top_max, in
  once
    1: top = top_max
  sweep in load e store always
    2: e = exp(sub(in, column(top)))
    2: reduce total_sum, e
  once
    2: total = total_sum
  sweep out store always in load e load
    again 3: e = exp(sub(in, column(top)))
    3: out = div(e, column(total))
)"},
    {"what is cheap, or one value for the row, is computed again", R"(
rule Centre<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor scale: f32 1
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(div(in, exp(column(scale))))
    2: out = sub(div(in, exp(column(scale))), column(total))
)",
     R"(
  sweep in load
    1: reduce total_sum, div(in, exp(column(scale)))
  once
    1: total = total_sum
  sweep out store always in load
    2: out = sub(div(in, exp(column(scale))), column(total))
)"},
    {"a view whose elements are counted; not one that is read forwards", R"ir(
rule Larger<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor small: f32 2
  view larger: f32 2 = "mshadow::expr::upsampling_nearest($0, $1)" small, index 2i64
  view part: f32 2 = "mshadow::expr::slice<0>($0, $1, $2)" small, index 0i64, index 2i64
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(mul(larger, in))
    2: total = sum<keep 0 by lanes>(mul(part, in))
    3: out = sub(add(mul(larger, in), mul(part, in)), column(total))
)ir",
     R"(
  sweep in load larger load part load larger_times_in store always
    1: larger_times_in = mul(larger, in)
    1: reduce total_sum, larger_times_in
    2: reduce total_sum2, mul(part, in)
  once
    1: total = total_sum
    2: total = total_sum2
  sweep out store always in load larger load part load larger_times_in load
    again 3: larger_times_in = mul(larger, in)
    3: out = sub(add(larger_times_in, mul(part, in)), column(total))
)"},
    {"a choice by a condition, as a whole", R"(
rule Chosen<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  scalar c: bool
  temporary e: f32 2
  temporary total: f32 1
  stage
    if c
      1: e = exp(in)
    else
      2: e = in
    3: total = sum<keep 0 by lanes>(e)
    if c
      4: e = add(e, 1.0f32)
    5: out = div(e, column(total))
)",
     R"(
  sweep in load e store always
    3: e = select(c, e@exp(in), in)
    3: reduce total_sum, e
  once
    3: total = total_sum
  sweep out store always in load e load
    again 5: e = select(c, @e, in)
    5: out = div(e@select(c, e@add(e, 1.0f32), e), column(total))
)"},
    {"what the first sweep may not compute is computed again", R"(
rule Chosen<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  scalar c: bool
  temporary e: f32 2
  temporary total: f32 1
  stage
    if c
      1: e = exp(in)
    else
      2: e = in
    3: total = sum<keep 0 by lanes>(e)
    4: out = div(exp(in), column(total))
)",
     R"(
  sweep in load
    3: reduce total_sum, e@select(c, e@exp(in), in)
  once
    3: total = total_sum
  sweep out store always in load
    4: out = div(exp(in), column(total))
)"},
    {"what is written in between is another value", R"(
rule InPlace<xpu> []
  tensor x: f32 2
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(exp(x))
    2: x = column(total)
    3: total = sum<keep 0 by lanes>(mul(exp(x), x))
    4: x = column(total)
)",
     R"(
  sweep x load
    1: reduce total_sum, exp(x)
  once
    1: total = total_sum
  sweep x store always
    2: x = column(total)
    3: reduce total_sum2, mul(exp(x), x)
  once
    3: total = total_sum2
  sweep x store always
    4: x = column(total)
)"},
    {"what the first sweep computes below a condition alone is computed again", R"(
rule Choice<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  scalar c: bool
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(in)
    if c
      2: total = sum<keep 0 by lanes>(exp(in))
    3: out = div(exp(in), column(total))
)",
     R"(
  sweep in load
    1: reduce total_sum, in
    if c
      2: reduce total_sum2, exp(in)
  once
    1: total = total_sum
    if c
      2: total = total_sum2
  sweep out store always in load
    3: out = div(exp(in), column(total))
)"},
    {"a temporary is what it was given, in a buffer if it costs much; reads below a condition", R"(
rule Temporaries<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  scalar c: bool
  temporary x: f32 2
  temporary e: f32 2
  temporary total: f32 1
  stage
    1: x = mul(in, 2.0f32)
    2: e = exp(x)
    3: total = sum<keep 0 by lanes>(e)
    if c
      4: out = div(e, column(total))
    else
      5: out = sub(x, column(total))
)",
     R"(
  sweep in load e store always
    3: e = exp(x@mul(in, 2.0f32))
    3: reduce total_sum, e
  once
    3: total = total_sum
  sweep out store always in load e load
    again 4: e = exp(@x)
    if c
      4: out = div(e, column(total))
    else
      5: out = sub(@x, column(total))
)"},
    {"a value that is made of another; the third has no buffer", R"(
rule Three<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  temporary a: f32 1
  temporary b: f32 1
  stage
    1: a = sum<keep 0 by lanes>(e@exp(in))
    2: b = sum<keep 0 by lanes>(mul(l@log(add(e@exp(in), column(a))), t@tanh(in)))
    3: out = mul(add(l@log(add(e@exp(in), column(a))), e@exp(in)), add(t@tanh(in), column(b)))
)",
     R"(
  sweep in load e store always
    1: e = exp(in)
    1: reduce a_sum, e
  once
    1: a = a_sum
  sweep in load e load l store always
    again 2: e = exp(in)
    2: l = log(add(e, column(a)))
    2: reduce b_sum, mul(l, t@tanh(in))
  once
    2: b = b_sum
  sweep out store always in load e load l load
    again 3: e = exp(in)
    again 3: l = log(add(e, column(a)))
    3: out = mul(add(l, e), add(@t, column(b)))
)"},
};

TEST(Buffer, Table) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    const mgen::Plan plan = mgen::Buffer(mgen_test::PlanOf(ParseGood(row.in)));
    EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
    const std::string text = mgen::Print(plan);
    EXPECT_EQ(Trim(text.substr(text.find("  sweep"))), Trim(row.out));
  }
}

TEST(Buffer, ADeepDagIsLinear) {
  mgen::Rule rule = ParseGood(R"(
rule R<xpu> []
  tensor x: f32 2
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(exp(x))
    2: x = mul(exp(x), column(total))
)");
  mgen::Expr value = rule.stages[0].body[0].value->args[0];
  for (int i = 0; i < 500; ++i) value = mgen::MakeOp(mgen::Op::kMul, {value, value});
  for (int i : {0, 1}) {
    const mgen::Expr &old = rule.stages[0].body[static_cast<size_t>(i)].value;
    rule.stages[0].body[static_cast<size_t>(i)].value =
        mgen::WithArgs(old, i == 0 ? std::vector<mgen::Expr>{value}
                                   : std::vector<mgen::Expr>{value, old->args[1]});
  }
  const mgen::Plan plan = mgen::Buffer(mgen_test::PlanOf(rule));
  EXPECT_EQ(plan.phases.back().steps.size(), 2u);  // the product again, and the assignment
}

}  // namespace
