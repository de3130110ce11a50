// SPDX-License-Identifier: Apache-2.0
#include "passes/lift_reductions.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"a vector that is reduced is a statement already", R"(
rule Vectors<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  stage
    1: r = mul(sum<keep 0 by lanes>(a), 2.0f32)
    2: r += add(r, max<keep 0 by lanes>(a))
)",
     kSame},
    {"values are computed once, with their scalars, and may need each other", R"(
rule Softmax<xpu, dim> []
  tensor out: f16 dim
  tensor in: f16 dim
  stage
    1: out = div(e@exp(sub(in, cast<f16>(max<keep rows by lanes>(cast<f32>(in))))), mul(cast<f16>(sum<keep rows by lanes>(cast<f32>(@e))), 2.0f16))
)",
     R"(
rule Softmax<xpu, dim> []
  tensor out: f16 dim
  tensor in: f16 dim
  temporary in_max: f16 1 shape(dim(in, rows))
  temporary in_value: f16 1 shape(dim(in, rows))
  stage
    1: in_max = cast<f16>(max<keep rows by lanes>(cast<f32>(in)))
    1: in_value = mul(cast<f16>(sum<keep rows by lanes>(cast<f32>(e@exp(sub(in, in_max[axis(rows)]))))), 2.0f16)
    1: out = div(@e, in_value[axis(rows)])
)"},
    {"vectors stand beside what was reduced", R"(
rule Beside<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  stage
    1: a = sub(a, total@add(sum<keep 0 by lanes>(mul(a, r[axis(0)])), r[axis(0)]))
)",
     R"(
rule Beside<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  temporary total: f32 1 shape(dim(a, 0))
  stage
    1: total = add(sum<keep 0 by lanes>(mul(a, r[axis(0)])), r)
    1: a = sub(a, total[axis(0)])
)"},
    {"below another reduction, also where a vector is written; columns and everything", R"(
rule Nested<xpu> []
  tensor a: f32 2
  tensor c: f32 1
  stage
    1: c = sum<keep last by leaves>(sub(a, max<keep last by leaves>(a)))
    2: a = sub(a, sum<by lanes>(a))
)",
     R"(
rule Nested<xpu> []
  tensor a: f32 2
  tensor c: f32 1
  temporary a_max: f32 1 shape(dim(a, last))
  temporary a_sum: f32 1 shape(1i64)
  stage
    1: a_max = max<keep last by leaves>(a)
    1: c = sum<keep last by leaves>(sub(a, a_max[axis(last)]))
    2: a_sum = sum<by lanes>(a)
    2: a = sub(a, a_sum[0])
)"},
    {"columns of a tensor in another shape, and of a temporary with extents of its own", R"ir(
rule Columns<xpu> []
  const tensor a: f32 3
  temporary t: f32 2 shape(dim(a, 1), dim(a, 0))
  part m: f32 2 reshaped = "$0.FlatTo2D()" a
  stage
    1: t = sub(t, max<keep last by leaves>(t))
    2: t = sub(m, sum<keep last by leaves>(m))
)ir",
     R"ir(
rule Columns<xpu> []
  const tensor a: f32 3
  temporary t: f32 2 shape(dim(a, 1), dim(a, 0))
  temporary t_max: f32 1 shape(dim(a, 0))
  temporary m_sum: f32 1 shape(dim(a, 2))
  part m: f32 2 reshaped = "$0.FlatTo2D()" a
  stage
    1: t_max = max<keep last by leaves>(t)
    1: t = sub(t, t_max[axis(last)])
    2: m_sum = sum<keep last by leaves>(m)
    2: t = sub(m, m_sum[axis(last)])
)ir"},
    {"a scan of what is reduced has elements", R"(
rule Scanned<xpu> []
  tensor a: f32 2
  stage
    1: a = recurrence(0.5f32, mul(max<keep 0 by lanes>(a), 2.0f32))
)",
     R"(
rule Scanned<xpu> []
  tensor a: f32 2
  temporary a_value: f32 1 shape(dim(a, 0))
  stage
    1: a_value = mul(max<keep 0 by lanes>(a), 2.0f32)
    1: a = recurrence(0.5f32, a_value[axis(0)])
)"},
    {"a dimension between others, what must fit its elements, and a comparison", R"(
rule Middle<xpu> []
  tensor a: f32 4
  tensor b: f32 4
  temporary t: f32 1 shape(1i64)
  stage
    1: a = select(lt(max<keep but 1 by leaves>(b), 0.0f32), a, 1.0f32) fitting max<keep but 1 by leaves>(size(a)), size(b)
)",
     R"(
rule Middle<xpu> []
  tensor a: f32 4
  tensor b: f32 4
  temporary t: f32 1 shape(1i64)
  temporary b_max: f32 1 shape(mul(mul(dim(b, 0), dim(b, 2)), dim(b, 3)))
  stage
    1: b_max = max<keep but 1 by leaves>(b) fitting size(a)
    1: a = select(lt(b_max[axis(but 1)], 0.0f32), a, 1.0f32) fitting size(b)
)"},
    {"what the spec computes to no effect, and what must fit one of several reductions", R"(
rule Discarded<xpu> []
  tensor a: f32 2
  const tensor b: f32 2
  const tensor index: i32 1
  tensor r: f32 1
  stage
    1: a = discard(cast<f32>(sum<keep 0 by lanes>(b)), 1.0f32)
    2: r = sum<keep last by leaves>(discard(cast<f32>(b[axis(0), cast<i64>(index[axis(0)])]), mul(a, max<keep 0 by lanes>(b)))) fitting sum<keep last by leaves>(size(a))
)",
     R"(
rule Discarded<xpu> []
  tensor a: f32 2
  const tensor b: f32 2
  const tensor index: i32 1
  tensor r: f32 1
  temporary b_sum: f32 1 shape(dim(b, 0))
  temporary b_max: f32 1 shape(dim(b, 0))
  temporary b_picked: f32 1 shape(dim(a, 0))
  stage
    1: b_sum = sum<keep 0 by lanes>(b)
    1: a = 1.0f32 fitting b_sum[axis(0)]
    2: b_max = max<keep 0 by lanes>(b)
    2: b_picked = b[axis(0), cast<i64>(index)]
    2: r = sum<keep last by leaves>(mul(a, b_max[axis(0)])) fitting size(a), b_picked[axis(0)]
)"},
    {"a value is reduced again after a write, and where a branch may not have reduced it", R"(
rule Again<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  temporary t: f32 2
  scalar flag: bool
  stage
    if flag
      1: t = sub(a, sum<keep 0 by lanes>(a))
    2: t = mul(a, sum<keep 0 by lanes>(a))
    3: b = add(a, sum<keep 0 by lanes>(a))
    4: b = sub(a, sum<keep 0 by lanes>(a))
)",
     R"(
rule Again<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  temporary t: f32 2
  scalar flag: bool
  temporary a_sum: f32 1 shape(dim(a, 0))
  temporary a_sum2: f32 1 shape(dim(a, 0))
  temporary a_sum3: f32 1 shape(dim(a, 0))
  stage
    if flag
      1: a_sum = sum<keep 0 by lanes>(a)
      1: t = sub(a, a_sum[axis(0)])
    2: a_sum2 = sum<keep 0 by lanes>(a)
    2: t = mul(a, a_sum2[axis(0)])
    3: b = add(a, a_sum2[axis(0)])
    4: a_sum3 = sum<keep 0 by lanes>(a)
    4: b = sub(a, a_sum3[axis(0)])
)"},
    {"an extent says how often values are reduced that are repeated, not elements", R"(
rule Repeated<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor r: f32 1
  stage
    1: r = max<keep 0 by lanes>(mul(b, min<keep 0 by lanes>(a))) fitting max<keep 0 by lanes>(dim(b, 1)), max<keep 0 by lanes>(size(b))
)",
     R"(
rule Repeated<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor r: f32 1
  temporary a_min: f32 1 shape(dim(a, 0))
  stage
    1: a_min = min<keep 0 by lanes>(a)
    1: r = max<keep 0 by lanes>(mul(b, a_min[axis(0)])) fitting dim(b, 1), size(b)
)"},
    {"an element picked from a matrix that may have other columns is a vector's", R"(
rule Picks<xpu> []
  tensor out: f32 2
  tensor in: f32 2
  tensor at: i32 1
  temporary twice: f32 2 shape(in)
  stage
    1: out = mul(in[axis(0), cast<i64>(at)], in[axis(0), cast<i64>(at)])
    2: out += mul(in[axis(0), cast<i64>(at)], twice)
    3: out -= out[axis(0), cast<i64>(at)]
)",
     R"(
rule Picks<xpu> []
  tensor out: f32 2
  tensor in: f32 2
  tensor at: i32 1
  temporary twice: f32 2 shape(in)
  temporary in_picked: f32 1 shape(dim(out, 0))
  stage
    1: in_picked = in[axis(0), cast<i64>(at)]
    1: out = mul(in_picked[axis(0)], in_picked[axis(0)])
    2: out += mul(in[axis(0), cast<i64>(at)], twice)
    3: out -= out[axis(0), cast<i64>(at)]
)"},
    {"reductions of tensors that nothing ties get statements of their own", R"(
rule Apart<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor c: f32 2
  tensor r: f32 1
  temporary t: f32 2 shape(a)
  stage
    1: r += mul(sum<keep 0 by lanes>(a), add(sum<keep 0 by lanes>(b), r))
    2: c -= mul(sum<keep 0 by lanes>(a), max<keep 0 by lanes>(b))
    3: r = mul(sum<keep 0 by lanes>(mul(b, c)), add(sum<keep 0 by lanes>(b), sum<keep 0 by lanes>(c)))
    4: t = mul(a, 2.0f32)
    4: r = mul(sum<keep 0 by lanes>(a), max<keep 0 by lanes>(t))
)",
     R"(
rule Apart<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor c: f32 2
  tensor r: f32 1
  temporary t: f32 2 shape(a)
  temporary a_sum: f32 1 shape(dim(a, 0))
  temporary b_sum: f32 1 shape(dim(b, 0))
  temporary a_sum2: f32 1 shape(dim(a, 0))
  temporary b_max: f32 1 shape(dim(b, 0))
  temporary a_value: f32 1 shape(dim(a, 0))
  stage
    1: a_sum = sum<keep 0 by lanes>(a)
    1: b_sum = sum<keep 0 by lanes>(b)
    1: r += mul(a_sum, add(b_sum, r))
    2: a_sum2 = sum<keep 0 by lanes>(a)
    2: b_max = max<keep 0 by lanes>(b)
    2: a_value = mul(a_sum2, b_max)
    2: c -= a_value[axis(0)]
    3: r = mul(sum<keep 0 by lanes>(mul(b, c)), add(sum<keep 0 by lanes>(b), sum<keep 0 by lanes>(c)))
    4: t = mul(a, 2.0f32)
    4: r = mul(sum<keep 0 by lanes>(a), max<keep 0 by lanes>(t))
)"},
};

TEST(LiftReductionsTest, GivesThemStatements) {
  mgen_test::ExpectRules(kRows, mgen::LiftReductions);
}

}  // namespace
