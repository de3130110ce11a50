// SPDX-License-Identifier: Apache-2.0
#include "passes/plan.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ir/verifier.h"
#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::Row;
using mgen_test::Trim;

/// In: a rule. Out: its plan, from the operands on.
const std::vector<Row> kRows = {
    {"AdamW", R"(
rule optim::AdamW<xpu, dim, DType> [f16] [f32]
  tensor weight: DType dim parameter
  tensor mean: f32 dim state(0)
  tensor variance: f32 dim state(0)
  const tensor grad: DType dim gradient
  scalar lr: f32 hyper = 0.001
  scalar beta1: f32 hyper = 0.9
  scalar beta2: f32 hyper = 0.999
  scalar eps: f32 hyper = 1e-08
  scalar decay: f32 hyper = 0.01
  scalar step: i32 step = 1
  let step_size: f32 = div(lr, sub(1.0f32, powi(beta1, step)))
  let inv_bias2: f32 = div(1.0f32, sqrt(sub(1.0f32, powi(beta2, step))))
  stage
    1: mean = add(mul(beta1, mean), mul(sub(1.0f32, beta1), cast<f32>(grad)))
    2: variance = add(mul(beta2, variance), mul(sub(1.0f32, beta2), mul(cast<f32>(grad), cast<f32>(grad))))
    3: weight = cast<DType>(sub(mul(sub(1.0f32, mul(lr, decay)), cast<f32>(weight)), div(mul(step_size, mean), add(mul(sqrt(variance), inv_bias2), eps))))
)",
     R"(
  operand weight: DType load store always
  operand mean: f32 load store always
  operand variance: f32 load store always
  operand grad: DType load
  scalar beta1: f32 = beta1
  scalar one_minus_beta1: f32 = sub(1.0f32, beta1)
  scalar beta2: f32 = beta2
  scalar one_minus_beta2: f32 = sub(1.0f32, beta2)
  scalar one_minus_lr_times_decay: f32 = sub(1.0f32, mul(lr, decay))
  scalar step_size: f32 = step_size
  scalar inv_bias2: f32 = inv_bias2
  scalar eps: f32 = eps
  alias weight mean never
  alias weight variance never
  alias weight grad same
  alias mean variance never
  alias mean grad never
  alias variance grad never
  lanes DType f32
  bytes 22, unfused 32 in 3 passes
  steps
    1: mean = add(mul(beta1, mean), mul(one_minus_beta1, cast<f32>(grad)))
    2: variance = add(mul(beta2, variance), mul(one_minus_beta2, mul(cast<f32>(grad), cast<f32>(grad))))
    3: weight = cast<DType>(sub(mul(one_minus_lr_times_decay, cast<f32>(weight)), div(mul(step_size, mean), add(mul(sqrt(variance), inv_bias2), eps))))
)"},
    {"what must fit without being an operand", R"(
rule Fit<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor e: f32 2
  const tensor like: f32 2
  stage
    1: out = in fitting e, size(like), size(in)
)",
     R"(
  operand out: f32 store always
  operand in: f32 load
  alias out in same
  alias out e same
  fitting e, size(like)
  lanes f32
  bytes 8, unfused 8 in 1 pass
  steps
    1: out = in
)"},
    {"extents of tensors whose other extents may be any", R"(
rule Extents<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor wide: f32 2
  const tensor tall: f32 2
  stage
    1: out = in fitting dim(wide, 1), dim(tall, 0), dim(in, 0)
)",
     R"(
  operand out: f32 store always
  operand in: f32 load
  alias out in same
  same last out, wide
  same 0 out, tall
  lanes f32
  bytes 8, unfused 8 in 1 pass
  steps
    1: out = in
)"},
    {"what is read for a temporary that nobody reads", R"(
rule Unread<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor row: f32 1
  temporary t: f32 2 shape(out) workspace
  stage
    1: t = mul(in, row(row))
    2: out = add(out, 1.0f32)
)",
     R"(
  operand out: f32 load store always
  fitting in, row(row)
  lanes f32
  bytes 8, unfused 16 in 2 passes
  steps
    2: out = add(out, 1.0f32)
)"},
    {"a reduction that nobody reads, beside one that somebody does", R"(
rule Sums<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor other: f32 2
  temporary unread: f32 1
  temporary sum: f32 1
  stage
    1: unread = sum<keep 0 by lanes>(mul(in, other))
    2: unread = add(unread, 1.0f32)
    3: sum = sum<keep 0 by lanes>(in)
    4: out = mul(in, column(sum))
)",
     R"(
  operand out: f32 store always
  operand in: f32 load
  operand sum: f32 column store always temporary
  reduction sum_sum: f32 sum over last by lanes
  alias out in same
  fitting other
  lanes f32
  bytes 8, unfused 24 in 4 passes
  sweep in load
    3: reduce sum_sum, in
  once
    3: sum = sum_sum
  sweep out store always in load
    4: out = mul(in, column(sum))
)"},
    {"conditions, guards and loads of variants", R"(
rule Variants<xpu> []
  tensor w: f32 1
  tensor m: f32 1
  tensor tmp: f32 1
  const tensor g: f32 1
  const tensor unused: f32 1
  scalar nesterov: bool
  scalar clip_gradient: f32
  stage
    if gt(clip_gradient, 0.0f32)
      1: tmp = max(neg(clip_gradient), min(g, clip_gradient))
    else
      2: tmp = g
    if not(nesterov)
      3: w = sub(w, tmp)
    else
      4: m = add(m, tmp)
    if nesterov
      5: w = sub(w, m)
)",
     R"(
  operand w: f32 load store always
  operand m: f32 load store nesterov used nesterov
  operand tmp: f32 store always
  operand g: f32 load
  scalar minus_clip_gradient: f32 = neg(clip_gradient)
  scalar clip_gradient: f32 = clip_gradient
  condition clip_gradient_is_positive = gt(clip_gradient, 0.0f32)
  condition nesterov = nesterov
  alias w m never
  alias w tmp never
  alias w g same
  alias m tmp never
  alias m g same
  alias tmp g same
  lanes f32
  bytes 24, unfused 32 in 3 passes
  steps
    if clip_gradient_is_positive
      1: tmp = max(minus_clip_gradient, min(g, clip_gradient))
    else
      2: tmp = g
    if nesterov
      4: m = add(m, tmp)
    else
      3: w = sub(w, tmp)
    if nesterov
      5: w = sub(w, m)
)"},
    {"what is written first needs no load, whichever branch wrote it", R"(
rule Loads<xpu> []
  tensor a: f32 1
  tensor b: f32 1
  tensor out: f32 1
  scalar c: bool
  stage
    if c
      1: a = out
    else
      2: a = add(out, out)
      3: b = out
    4: out = a
    if c
      5: out = add(out, b)
)",
     R"(
  operand a: f32 store always
  operand b: f32 load store not c
  operand out: f32 load store always
  condition c = c
  alias a b never
  alias a out never
  alias b out never
  lanes f32
  bytes 16, unfused 28 in 3 passes
  steps
    if c
      1: a = out
    else
      2: a = add(out, out)
      3: b = out
    4: out = a
    if c
      5: out = add(out, b)
)"},
    {"aliases: a read after the write, another type, a broadcast", R"(
rule Aliases<xpu, dim, DType> [f32]
  tensor out: f32 2
  tensor half: f16 2
  const tensor early: f32 2
  const tensor late: f32 2
  const tensor bias: f32 1
  const tensor mine: DType 2
  stage
    1: out = add(early, row(bias))
    2: half = cast<f16>(late)
    3: out = add(out, cast<f32>(mine))
)",
     R"(
  operand out: f32 store always
  operand half: f16 store always
  operand early: f32 load
  operand late: f32 load
  operand bias: f32 row load
  operand mine: DType load
  alias out half never
  alias out early same
  alias out late never
  alias out bias never
  alias out mine never
  alias half early never
  alias half late never
  alias half bias never
  alias half mine never
  lanes f32 f16 DType
  bytes 18, unfused 26 in 3 passes
  steps
    1: out = add(early, row(bias))
    2: half = cast<f16>(late)
    3: out = add(out, cast<f32>(mine))
)"},
    {"one type in every instance may alias", R"(
rule Same<xpu, dim, A, B> [f32, f32] [f16, f16]
  tensor out: A dim
  const tensor in: B dim
  stage
    1: out = cast<A>(in)
)",
     R"(
  operand out: A store always
  operand in: B load
  alias out in same
  lanes A B
  bytes 8, unfused 8 in 1 pass
  steps
    1: out = cast<A>(in)
)"},
    {"a tensor through two maps is two operands", R"(
rule Outer<xpu> []
  tensor out: f32 2
  const tensor v: f32 1
  stage
    1: out = mul(row(v), column(v))
)",
     R"(
  operand out: f32 store always
  operand v: f32 row load
  operand v_column: f32 column load
  alias out v never
  lanes f32
  bytes 4, unfused 4 in 1 pass
  steps
    1: out = mul(row(v), column(v))
)"},
    {"names of scalars", R"(
rule Names<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  tensor f: f32 dim
  scalar lr: f32
  scalar decay: f32
  scalar n: i32
  let one_minus_lr: f32 = sub(1.0f32, decay)
  stage
    1: w = mul(w, cast<DType>(lr))
    2: f = mul(f, lr)
    3: f = mul(f, mul(lr, decay))
    4: f = mul(f, decay_rate@mul(lr, lr))
    5: f = mul(f, sub(1.0f32, lr))
    6: f = mul(f, one_minus_lr)
    7: f = mul(f, class@mul(decay, decay))
    8: f = mul(f, select(gt(lr, 0.0f32), 0.25f32, 0.75f32))
    9: f = mul(f, select(gt(lr, 0.0f32), 0.25f32, 0.125f32))
    10: f = mul(f, add(mul(lr, add(decay, lr)), add(mul(decay, add(decay, lr)), mul(lr, lr))))
    11: f = mul(f, cast<f32>(n))
    12: f = mul(f, sqrt(cast<f32>(size(f))))
)",
     R"(
  operand w: DType load store always
  operand f: f32 load store always
  scalar lr_dtype: DType = cast<DType>(lr)
  scalar lr: f32 = lr
  scalar lr_times_decay: f32 = mul(lr, decay)
  scalar decay_rate: f32 = decay_rate@mul(lr, lr)
  scalar one_minus_lr2: f32 = sub(1.0f32, lr)
  scalar one_minus_lr: f32 = one_minus_lr
  scalar class2: f32 = class@mul(decay, decay)
  scalar f_scalar: f32 = select(gt(lr, 0.0f32), 0.25f32, 0.75f32)
  scalar f_scalar2: f32 = select(gt(lr, 0.0f32), 0.25f32, 0.125f32)
  scalar f_scalar3: f32 = add(mul(lr, add(decay, lr)), add(mul(decay, add(decay, lr)), mul(lr, lr)))
  scalar n: f32 = cast<f32>(n)
  scalar sqrt_f_size: f32 = sqrt(cast<f32>(size(f)))
  alias w f never
  lanes DType f32
  bytes 16, unfused 96 in 12 passes
  steps
    1: w = mul(w, lr_dtype)
    2: f = mul(f, lr)
    3: f = mul(f, lr_times_decay)
    4: f = mul(f, decay_rate)
    5: f = mul(f, one_minus_lr2)
    6: f = mul(f, one_minus_lr)
    7: f = mul(f, class2)
    8: f = mul(f, f_scalar)
    9: f = mul(f, f_scalar2)
    10: f = mul(f, f_scalar3)
    11: f = mul(f, n)
    12: f = mul(f, sqrt_f_size)
)"},
    {"an integer division is not computed ahead of its guard", R"(
rule Guarded<xpu> []
  tensor x: i32 1
  scalar m: i32
  scalar n: i32
  stage
    if ne(n, 0i32)
      1: x = mul(x, div(m, n))
    2: x = mul(x, div(m, 3i32))
    3: x = mul(x, div(m, -1i32))
    4: x = div(m, n)
)",
     R"(
  operand x: i32 load store always
  scalar m: i32 = m
  scalar n: i32 = n
  scalar m_over_three: i32 = div(m, 3i32)
  condition n_is_not_zero = ne(n, 0i32)
  lanes i32
  bytes 8, unfused 28 in 4 passes
  steps
    if n_is_not_zero
      1: x = mul(x, div(m, n))
    2: x = mul(x, m_over_three)
    3: x = mul(x, div(m, -1i32))
    4: x = div(m, n)
)"},
    {"neither is one in a condition", R"(
rule Nested<xpu> []
  tensor x: i32 1
  scalar m: i32
  scalar n: i32
  stage
    if ne(n, 0i32)
      if gt(div(m, n), 2i32)
        1: x = 1i32
      if gt(m, 2i32)
        2: x = 2i32
)",
     R"(
  operand x: i32 store n_is_not_zero and n_is_not_zero_and_m_over_n_above_two or n_is_not_zero and m_above_two used n_is_not_zero and n_is_not_zero_and_m_over_n_above_two or n_is_not_zero and m_above_two
  condition n_is_not_zero = ne(n, 0i32)
  condition n_is_not_zero_and_m_over_n_above_two = and(ne(n, 0i32), gt(div(m, n), 2i32))
  condition m_above_two = gt(m, 2i32)
  runs n_is_not_zero and n_is_not_zero_and_m_over_n_above_two or n_is_not_zero and m_above_two
  lanes i32
  bytes 4, unfused 8 in 2 passes
  steps
    if n_is_not_zero
      if n_is_not_zero_and_m_over_n_above_two
        1: x = 1i32
      if m_above_two
        2: x = 2i32
)"},
    {"a condition and a scalar of one name", R"(
rule Both<xpu> []
  tensor x: f32 1
  scalar flag: bool
  stage
    if flag
      1: x = select(flag, x, neg(x))
)",
     R"(
  operand x: f32 load store flag used flag
  scalar flag_bool: bool = flag
  condition flag = flag
  runs flag
  lanes f32
  bytes 8, unfused 8 in 1 pass
  steps
    if flag
      1: x = select(flag_bool, x, neg(x))
)"},
    {"views: what they are made of is computed once per launch, and no memory of theirs is shared",
     R"ir(
rule Parts<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor other: f32 2
  scalar by: i32
  scalar more: bool
  view turned: f32 2 = "f($0, $1, $2)" in, 1i64, div(dim(in, 1), cast<i64>(by))
  view unread: f32 2 = "g($0)" in
  view back: f32 2 = "h($0)" other
  stage
    1: out = add(turned, other)
    if more
      2: out = add(out, back)
)ir",
     R"(
  operand out: f32 store always
  operand other: f32 load
  operand turned: f32 load
  operand back: f32 load used more
  scalar in_extent1_over_by: i64 = div(dim(in, 1), cast<i64>(by))
  condition more = more
  alias out other never
  lanes f32
  bytes 16, unfused 24 in 2 passes
  steps
    1: out = add(turned, other)
    if more
      2: out = add(out, back)
)"},
    {"parts: memory that they may share with each other, in the order of the statements", R"ir(
rule Halves<xpu> []
  tensor t: f32 2
  const tensor in: f32 2
  part left: f32 2 of 1 = "slice<1>($0, $1, $2)" t, 0i64, div(dim(t, 1), 2i64)
  part right: f32 2 of 1 = "slice<1>($0, $1, $2)" t, div(dim(t, 1), 2i64), dim(t, 1)
  part other: f32 2 of 1 = "slice<1>($0, $1, $2)" in, 0i64, 8i64
  part later: f32 2 of 1 = "slice<1>($0, $1, $2)" in, 8i64, 16i64
  stage
    1: left = add(right, other)
    2: right = add(right, later)
)ir",
     R"(
  operand left: f32 store always
  operand right: f32 load store always
  operand other: f32 load
  operand later: f32 load
  scalar t_extent1_over_two: i64 = div(dim(t, 1), 2i64)
  scalar t_extent1: i64 = dim(t, 1)
  alias left right never
  alias left other same
  alias left later never
  alias right other same
  alias right later same
  lanes f32
  bytes 20, unfused 24 in 2 passes
  steps
    1: left = add(right, other)
    2: right = add(right, later)
)"},
    {"a branch that never runs", R"(
rule Never<xpu> []
  tensor x: f32 1
  const tensor a: f32 1
  const tensor b: f32 1
  scalar c: bool
  stage
    if c
      if c
        1: x = a
      else
        2: x = b
    else
      if not(c)
        3: x = a
      else
        4: x = b
)",
     R"(
  operand x: f32 store always
  operand a: f32 load
  condition c = c
  alias x a same
  lanes f32
  bytes 8, unfused 8 in 1 pass
  steps
    if c
      1: x = a
    else
      3: x = a
)"},
    {"elementary functions, libm, and empty branches", R"(
rule Calls<xpu> []
  tensor x: f32 1
  tensor flag: bool 1
  scalar c: bool
  stage
    1: x = call<f32>(expf, call<f32>(atan2f, x, call<f32>(expf, x)))
    2: flag = gt(exp(x), 1.0f32)
    if c
    3: x = 2.0f32
)",
     R"(
  operand x: f32 load store always
  operand flag: bool store always
  condition c = c
  alias x flag never
  lanes f32 bool, math, expf, atan2f
  bytes 9, unfused 17 in 3 passes
  steps
    1: x = call<f32>(expf, call<f32>(atan2f, x, call<f32>(expf, x)))
    2: flag = gt(exp(x), 1.0f32)
    3: x = 2.0f32
)"},
};

TEST(MakePlan, Table) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    const mgen::Plan plan = mgen_test::PlanOf(ParseGood(row.in));
    EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
    EXPECT_EQ(mgen_test::PlanPart(plan), Trim(row.out));
  }
}

TEST(MakePlan, AskForWhatItNeeds) {
  EXPECT_THROW(mgen_test::PlanOf(ParseGood("rule R<xpu> []\n"
                                           "  tensor x: f32 1\n"
                                           "  stage\n"
                                           "    1: x += x\n")),
               std::invalid_argument);
  EXPECT_THROW(mgen_test::PlanOf(ParseGood("rule R<xpu> []\n"
                                           "  tensor x: f32 1\n"
                                           "  stage\n"
                                           "    1: x = x\n"
                                           "  stage\n"
                                           "    2: x = x\n")),
               std::invalid_argument);
}

}  // namespace
