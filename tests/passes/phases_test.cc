// SPDX-License-Identifier: Apache-2.0
#include "passes/phases.h"

#include <gtest/gtest.h>

#include "ir/verifier.h"
#include "ir_text.h"
#include "passes/share.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::Row;
using mgen_test::Trim;

/// In: a rule that reduces rows. Out: its plan, from the operands on, with shared values.
const std::vector<Row> kRows = {
    {"a reduction's result is there one sweep later", R"(
rule Softmax<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  temporary top: f32 1
  temporary total: f32 1
  stage
    1: top = max<keep 0 by lanes>(in)
    2: total = sum<keep 0 by lanes>(e@exp(sub(in, column(top))))
    3: out = div(@e, column(total))
)",
     R"(
  operand out: f32 store always
  operand in: f32 load
  operand top: f32 column store always temporary
  operand total: f32 column store always temporary
  reduction top_max: f32 max over last by lanes
  reduction total_sum: f32 sum over last by lanes
  alias out in same
  lanes f32, math
  bytes 8, unfused 16 in 3 passes
  sweep in load
    1: reduce top_max, in
  once
    1: top = top_max
  sweep in load
    2: reduce total_sum, e@exp(sub(in, column(top)))
  once
    2: total = total_sum
  sweep out store always in load
    3: out = div(@e, column(total))
)"},
    {"a scan is a let in each sweep that uses it", R"(
rule Cumulative<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  scalar decay: f32
  temporary sums: f32 2
  temporary total: f32 1
  stage
    1: sums = scan<sum>(recurrence(sub(1.0f32, decay), mul(in, in)))
    2: total = max<keep 0 by lanes>(sums)
    3: out = div(sums, column(total))
)",
     R"(
  operand out: f32 store always
  operand in: f32 load
  operand total: f32 column store always temporary
  scalar one_minus_decay: f32 = sub(1.0f32, decay)
  reduction total_max: f32 max over last by lanes
  alias out in same
  lanes f32
  bytes 8, unfused 20 in 3 passes
  sweep in load
    let total_max_scan = recurrence(one_minus_decay, mul(in, in))
    let sums = scan<sum>(total_max_scan)
    2: reduce total_max, sums
  once
    2: total = total_max
  sweep out store always in load
    let out_scan = recurrence(one_minus_decay, mul(in, in))
    let sums2 = scan<sum>(out_scan)
    3: out = div(sums2, column(total))
)"},
    {"of a rule that reduces everything each sweep is a pass", R"(
rule Unit<xpu, dim> []
  tensor w: f32 dim
  tensor m: f32 dim
  tensor norm: f32 1 single
  const tensor g: f32 dim
  temporary rate: f32 1 single
  stage
    1: m = add(m, g)
    2: norm = sum<by lanes>(mul(m, m))
    3: rate = rsqrt(one(norm))
    4: w = sub(w, mul(one(rate), m))
)",
     R"(
  operand w: f32 load store always
  operand m: f32 load store always
  operand norm: f32 one store always
  operand g: f32 load
  operand rate: f32 one store always temporary
  reduction norm_sum: f32 sum over all by lanes
  alias w m never
  alias w norm never
  alias w g same
  alias m norm never
  alias m g same
  alias norm g never
  lanes f32
  bytes 24, unfused 28 in 4 passes
  sweep m load store always g load
    1: m = add(m, g)
    2: reduce norm_sum, mul(m, m)
  once
    2: norm = norm_sum
    3: rate = rsqrt(one(norm))
  sweep w load store always m load
    4: w = sub(w, mul(one(rate), m))
)"},
    {"values of columns, and of rows beside them", R"(
rule Centre<xpu> []
  tensor out: f32 2
  tensor mean: f32 1
  const tensor in: f32 2
  const tensor weight: f32 1
  stage
    1: mean = mul(row(mean), sum<keep last by leaves>(mul(in, column(weight))))
    2: out = sub(in, row(mean))
)",
     R"(
  operand out: f32 store always
  operand mean: f32 row load store always
  operand in: f32 load
  operand weight: f32 column load
  reduction mean_sum: f32 sum over rows by leaves
  alias out mean never
  alias out in same
  alias out weight never
  alias mean in never
  alias mean weight never
  lanes f32
  bytes 12, unfused 12 in 2 passes
  sweep in load
    1: reduce mean_sum, mul(in, column(weight))
  once
    1: mean = mul(row(mean), mean_sum)
  sweep out store always in load
    2: out = sub(in, row(mean))
)"},
    {"reductions that do not need each other are one sweep, whatever stands between", R"(
rule Grad<xpu> []
  tensor out: f32 2
  const tensor g: f32 2
  const tensor z: f32 2
  temporary a: f32 1
  temporary b: f32 1
  temporary c: f32 1
  stage
    1: a = sum<keep 0 by lanes>(g)
    2: b = div(column(a), 2.0f32)
    3: c = sum<keep 0 by lanes>(mul(g, z))
    4: out = sub(sub(g, column(b)), mul(z, column(c)))
)",
     R"(
  operand out: f32 store always
  operand g: f32 load
  operand z: f32 load
  operand a: f32 column store always temporary
  operand b: f32 column store always temporary
  operand c: f32 column store always temporary
  reduction a_sum: f32 sum over last by lanes
  reduction c_sum: f32 sum over last by lanes
  alias out g same
  alias out z same
  lanes f32
  bytes 12, unfused 24 in 4 passes
  sweep g load z load
    1: reduce a_sum, g
    3: reduce c_sum, mul(g, z)
  once
    1: a = a_sum
    2: b = div(column(a), 2.0f32)
    3: c = c_sum
  sweep out store always g load z load
    4: out = sub(sub(g, column(b)), mul(z, column(c)))
)"},
    {"an element that was written is loaded by the next sweep", R"(
rule InPlace<xpu> []
  tensor x: f32 2
  temporary total: f32 1
  stage
    1: x = exp(x)
    2: total = sum<keep 0 by lanes>(x)
    3: x = div(x, column(total))
)",
     R"(
  operand x: f32 load store always
  operand total: f32 column store always temporary
  reduction total_sum: f32 sum over last by lanes
  lanes f32, math
  bytes 8, unfused 20 in 3 passes
  sweep x load store always
    1: x = exp(x)
    2: reduce total_sum, x
  once
    2: total = total_sum
  sweep x load store always
    3: x = div(x, column(total))
)"},
    {"elements are written in order: a later tensor may be an earlier operand's memory", R"(
rule Order<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  const tensor in: f32 2
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(in)
    2: a = div(in, column(total))
    3: b = add(in, in)
)",
     R"(
  operand a: f32 store always
  operand b: f32 store always
  operand in: f32 load
  operand total: f32 column store always temporary
  reduction total_sum: f32 sum over last by lanes
  alias a b never
  alias a in never
  alias b in same
  lanes f32
  bytes 12, unfused 20 in 3 passes
  sweep in load
    1: reduce total_sum, in
  once
    1: total = total_sum
  sweep a store always b store always in load
    2: a = div(in, column(total))
    3: b = add(in, in)
)"},
    {"a value that is given anew waits for those that read the old one", R"(
rule Anew<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor loss: f32 1
  stage
    1: a = mul(a, column(loss))
    2: loss = sum<keep 0 by lanes>(a)
    3: b = mul(b, column(loss))
    4: loss = mul(column(loss), 2.0f32)
)",
     R"(
  operand a: f32 load store always
  operand b: f32 load store always
  operand loss: f32 column load store always
  reduction loss_sum: f32 sum over last by lanes
  alias a b never
  alias a loss never
  alias b loss never
  lanes f32
  bytes 16, unfused 20 in 4 passes
  sweep a load store always
    1: a = mul(a, column(loss))
    2: reduce loss_sum, a
  once
    2: loss = loss_sum
  sweep b load store always
    3: b = mul(b, column(loss))
  once
    4: loss = mul(column(loss), 2.0f32)
)"},
    {"variants", R"(
rule Variants<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  tensor loss: f32 1
  scalar mean: bool
  stage
    if mean
      1: loss = sum<keep 0 by lanes>(in)
      2: out = sub(in, column(loss))
    else
      3: loss = max<keep 0 by lanes>(in)
    4: out = add(out, column(loss))
)",
     R"(
  operand out: f32 load store always
  operand in: f32 load
  operand loss: f32 column store always
  condition mean = mean
  reduction loss_sum: f32 sum over last by lanes
  reduction loss_max: f32 max over last by lanes
  alias out in same
  alias out loss never
  alias loss in never
  lanes f32
  bytes 8, unfused 20 in 3 passes
  sweep in load
    if mean
      1: reduce loss_sum, in
    else
      3: reduce loss_max, in
  once
    if mean
      1: loss = loss_sum
  sweep out store mean in load
    if mean
      2: out = sub(in, column(loss))
  once
    if mean
    else
      3: loss = loss_max
  sweep out load store always
    4: out = add(out, column(loss))
)"},
    {"integers, and a scale for the launch", R"(
rule Integers<xpu> []
  tensor out: i32 1
  const tensor in: i32 2
  scalar scale: i32
  stage
    1: out = mul(min<keep 0 by lanes>(in), add(scale, 1i32))
)",
     R"(
  operand out: i32 column store always
  operand in: i32 load
  scalar scale_plus_one: i32 = add(scale, 1i32)
  reduction out_min: i32 min over last by lanes
  alias out in never
  lanes i32 f32
  bytes 4, unfused 4 in 1 pass
  sweep in load
    1: reduce out_min, in
  once
    1: out = mul(out_min, scale_plus_one)
)"},
    {"an element of each row is picked: only vectors are moved, in a pass", R"(
rule Pick<xpu> []
  tensor out: f32 1
  const tensor in: f32 2
  const tensor at: i64 1
  stage
    1: out = gather(in, at)
)",
     R"(
  operand out: f32 column store always
  operand in: f32
  operand at: i64 column load
  operand in_at_at: f32 gather load temporary
  alias out in never
  alias out at never
  lanes f32
  bytes 0, unfused 0 in 1 pass
  once
    1: out = gather(in, at)
)"},
    {"an element is picked before its row is written, and after", R"(
rule Pick<xpu> []
  tensor out: f32 2
  tensor old: f32 1
  tensor now: f32 1
  const tensor in: f32 2
  const tensor at: i64 1
  stage
    1: old = gather(out, at)
    2: out = mul(in, in)
    3: now = gather(out, at)
)",
     R"(
  operand out: f32 store always
  operand old: f32 column store always
  operand now: f32 column store always
  operand in: f32 load
  operand at: i64 column load
  operand out_at_at: f32 gather load temporary
  alias out old never
  alias out now never
  alias out in same
  alias out at never
  alias old now never
  alias old in never
  alias old at never
  alias now in never
  alias now at never
  lanes f32
  bytes 8, unfused 8 in 3 passes
  once
    1: old = gather(out, at)
  sweep out store always in load
    2: out = mul(in, in)
  once
    3: now = gather(out, at)
)"},
    {"what is picked from may be what a later sweep writes, and that is later than the pick", R"(
rule Gradient<xpu> []
  tensor loss: f32 1
  tensor grad: f32 2
  const tensor in: f32 2
  const tensor label: i32 1
  stage
    1: loss = sub(sum<keep 0 by lanes>(in), gather(in, label))
    2: grad = sub(in, cast<f32>(at_column(column(label))))
)",
     R"(
  operand loss: f32 column store always
  operand grad: f32 store always
  operand in: f32 load
  operand label: i32 column load
  operand in_at_label: f32 gather load temporary
  reduction loss_sum: f32 sum over last by lanes
  alias loss grad never
  alias loss in never
  alias loss label never
  alias grad in same
  alias grad label never
  lanes f32
  bytes 8, unfused 12 in 2 passes
  sweep in load
    1: reduce loss_sum, in
  once
    1: loss = sub(loss_sum, gather(in, label))
  sweep grad store always in load
    2: grad = sub(in, cast<f32>(at_column(column(label))))
)"},
};

TEST(PlanPhases, Table) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    const mgen::Plan plan = mgen::Share(mgen_test::PlanOf(ParseGood(row.in)));
    EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
    EXPECT_EQ(mgen_test::PlanPart(plan), Trim(row.out));
  }
}

}  // namespace
