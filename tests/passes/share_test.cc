// SPDX-License-Identifier: Apache-2.0
#include "passes/share.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/verifier.h"
#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::Row;
using mgen_test::Trim;

/// In: a rule. Out: the steps of its plan.
const std::vector<Row> kRows = {
    {"a cast that two statements need", R"(
rule R<xpu, dim, DType> [f32] [f16]
  tensor mean: f32 dim
  tensor var: f32 dim
  const tensor grad: DType dim
  stage
    1: mean = add(mean, cast<f32>(grad))
    2: var = add(var, mul(cast<f32>(grad), cast<f32>(grad)))
)",
     R"(
  steps
    let grad_f32 = cast<f32>(grad)
    1: mean = add(mean, grad_f32)
    2: var = add(var, mul(grad_f32, grad_f32))
)"},
    {"the spec's name is kept", R"(
rule R<xpu, dim, DType> [f32] [f16]
  tensor mean: f32 dim
  const tensor grad: DType dim
  stage
    1: mean = add(mean, cast<f32>(grad))
    2: mean = add(mean, g@cast<f32>(grad))
)",
     R"(
  steps
    let g = cast<f32>(grad)
    1: mean = add(mean, g)
    2: mean = add(mean, g)
)"},
    {"what is used once stays, and so do leaves and scalars", R"(
rule R<xpu> []
  tensor x: f32 1
  const tensor y: f32 1
  scalar a: f32
  stage
    1: x = mul(sub(1.0f32, a), y)
    2: x = add(mul(sub(1.0f32, a), add(y, 1.0f32)), x)
)",
     R"(
  steps
    1: x = mul(one_minus_a, y)
    2: x = add(mul(one_minus_a, add(y, 1.0f32)), x)
)"},
    {"a read after a write is another value", R"(
rule R<xpu> []
  tensor x: f32 1
  tensor y: f32 1
  stage
    1: y = mul(x, x)
    2: x = mul(x, x)
    3: y = add(y, mul(x, x))
    4: y = add(y, mul(x, x))
)",
     R"(
  steps
    let square_x = mul(x, x)
    1: y = square_x
    2: x = square_x
    let square_x2 = mul(x, x)
    3: y = add(y, square_x2)
    4: y = add(y, square_x2)
)"},
    {"the sine and the cosine of one value, but not of another one", R"(
rule R<xpu> []
  tensor x: f32 1
  tensor y: f32 1
  const tensor z: f32 1
  stage
    1: y = mul(sin(mul(z, x)), cos(mul(z, x)))
    2: y = add(y, add(sin(x), sin(z)))
    3: x = add(y, cos(z))
    4: y = cos(x)
)",
     R"(
  steps
    let sincos_z_times_x = sincos(mul(z, x))
    1: y = mul(sine_of(sincos_z_times_x), cosine_of(sincos_z_times_x))
    let sincos_z = sincos(z)
    2: y = add(y, add(sin(x), sine_of(sincos_z)))
    3: x = add(y, cosine_of(sincos_z))
    4: y = cos(x)
)"},
    {"a value of one branch stays in it", R"(
rule R<xpu> []
  tensor x: f32 1
  const tensor y: f32 1
  scalar c: bool
  stage
    1: x = y
    if c
      2: x = mul(add(y, x), add(y, x))
    else
      3: x = exp(neg(y))
)",
     R"(
  steps
    1: x = y
    if c
      let y_plus_x = add(y, x)
      2: x = mul(y_plus_x, y_plus_x)
    else
      3: x = exp(neg(y))
)"},
    {"a value of both branches stands before them", R"(
rule R<xpu> []
  tensor x: f32 1
  const tensor y: f32 1
  scalar c: bool
  stage
    if c
      1: x = exp(y)
    else
      2: x = neg(exp(y))
    3: x = add(x, exp(x))
)",
     R"(
  steps
    let exp_y = exp(y)
    if c
      1: x = exp_y
    else
      2: x = neg(exp_y)
    3: x = add(x, exp(x))
)"},
    {"after a write in a branch the value is new", R"(
rule R<xpu> []
  tensor x: f32 1
  tensor y: f32 1
  scalar c: bool
  stage
    1: y = exp(x)
    if c
      2: x = y
      3: y = exp(x)
    else
      4: y = neg(exp(x))
    5: y = add(y, exp(x))
)",
     R"(
  steps
    let exp_x = exp(x)
    1: y = exp_x
    if c
      2: x = y
      3: y = exp(x)
    else
      4: y = neg(exp_x)
    5: y = add(y, exp(x))
)"},
    {"lets build on lets, operands first", R"(
rule R<xpu> []
  tensor x: f32 1
  tensor z: f32 1
  const tensor y: f32 1
  stage
    1: x = add(exp(neg(y)), neg(y))
    2: z = sub(exp(neg(y)), x)
)",
     R"(
  steps
    let minus_y = neg(y)
    let exp_minus_y = exp(minus_y)
    1: x = add(exp_minus_y, minus_y)
    2: z = sub(exp_minus_y, x)
)"},
    {"an operand is placed where its own let is, not at its use", R"(
rule R<xpu> []
  tensor x: f32 1
  const tensor y: f32 1
  scalar c: bool
  stage
    1: x = neg(y)
    if c
      2: x = add(x, exp(neg(y)))
    else
      3: x = sub(x, exp(neg(y)))
)",
     R"(
  steps
    let minus_y = neg(y)
    1: x = minus_y
    let exp_minus_y = exp(minus_y)
    if c
      2: x = add(x, exp_minus_y)
    else
      3: x = sub(x, exp_minus_y)
)"},
    {"names give way to parameters, keywords and the runtime's names", R"(
rule R<xpu> []
  tensor g: f32 1
  const tensor y: f32 1
  stage
    1: g = mul(g@exp(y), @g)
    2: g = mul(Vec@neg(y), @Vec)
    3: g = mul(new@abs(y), @new)
    4: g = mul(select(lt(y, 0.0f32), y, g), select(lt(y, 0.0f32), y, g))
)",
     R"(
  steps
    let g2 = exp(y)
    1: g = mul(g2, g2)
    let Vec2 = neg(y)
    2: g = mul(Vec2, Vec2)
    let new2 = abs(y)
    3: g = mul(new2, new2)
    let g_term = select(lt(y, 0.0f32), y, g)
    4: g = mul(g_term, g_term)
)"},
};

TEST(Share, Table) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    const mgen::Plan plan = mgen::Share(mgen_test::PlanOf(ParseGood(row.in)));
    EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
    EXPECT_EQ(mgen_test::StepsPart(plan), Trim(row.out));
  }
}

TEST(Share, ADeepDagIsLinear) {
  mgen::Rule rule = ParseGood("rule R<xpu> []\n  tensor x: f32 1\n  stage\n    1: x = x\n");
  mgen::Expr value = rule.stages[0].body[0].value;
  constexpr int kDepth = 2000;
  for (int i = 0; i < kDepth; ++i) value = mgen::MakeOp(mgen::Op::kMul, {value, value});
  rule.stages[0].body[0].value = value;
  const mgen::Plan plan = mgen::Share(mgen_test::PlanOf(rule));
  EXPECT_EQ(plan.steps.size(), static_cast<size_t>(kDepth));  // kDepth - 1 lets, one assignment
}

}  // namespace
