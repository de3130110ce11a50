// SPDX-License-Identifier: Apache-2.0
#include "passes/bind_axes.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"a matrix reads vectors along its rows and columns, and numbers", R"(
rule R<xpu> []
  tensor out: f32 2
  const tensor bias: f32 1
  const tensor scale: f32 1
  const tensor total: f32 1
  stage
    1: out = add(mul(out, scale[axis(0)]), div(bias[axis(last)], total[0]))
)",
     R"(
rule R<xpu> []
  tensor out: f32 2
  const tensor bias: f32 1
  const tensor scale: f32 1
  const tensor total: f32 1
  stage
    1: out = add(mul(out, column(scale)), div(row(bias), one(total)))
)"},
    {"of more dimensions the axis within is a channel, and the last one a row", R"(
rule R<xpu> []
  tensor out: f32 4
  const tensor bias: f32 1
  const tensor gain: f32 1
  stage
    1: out = add(gain[axis(1)], bias[axis(last)]) fitting gain[axis(1)]
)",
     R"(
rule R<xpu> []
  tensor out: f32 4
  const tensor bias: f32 1
  const tensor gain: f32 1
  stage
    1: out = add(channel<1>(gain), row(bias)) fitting channel<1>(gain)
)"},
    {"rows are all dimensions but the last, and any other may be left out", R"(
rule R<xpu> []
  tensor out: f32 4
  tensor row: f32 1
  tensor rest: f32 1
  stage
    1: out = sub(out, row[axis(rows)])
    2: rest = sum<keep but 2 by leaves>(out)
    3: out = add(out, rest[axis(but 2)])
)",
     R"(
rule R<xpu> []
  tensor out: f32 4
  tensor row: f32 1
  tensor rest: f32 1
  stage
    1: out = sub(out, column(row))
    2: rest = sum<keep but 2 by leaves>(out)
    3: out = add(out, rest<2>(rest))
)"},
    {"below a reduction stand the axes of what is reduced", R"(
rule R<xpu> []
  tensor sums: f32 1
  const tensor in: f32 4
  const tensor gain: f32 1
  stage
    1: sums = sum<keep 0 by planes>(mul(in, gain[axis(0)]))
)",
     R"(
rule R<xpu> []
  tensor sums: f32 1
  const tensor in: f32 4
  const tensor gain: f32 1
  stage
    1: sums = sum<keep 0 by planes>(mul(in, channel<0>(gain)))
)"},
    {"for any rank there is the last axis", R"(
rule R<xpu, dim> []
  tensor out: f32 dim
  const tensor bias: f32 1
  stage
    1: out += bias[axis(last)]
)",
     R"(
rule R<xpu, dim> []
  tensor out: f32 dim
  const tensor bias: f32 1
  stage
    1: out += row(bias)
)"},
    {"an index that is read makes a gather, from a matrix or from a row", R"(
rule R<xpu, DType> [f32]
  tensor v: DType 1
  const tensor in: DType 2
  const tensor bias: DType 1
  const tensor at: DType 1
  const tensor whole: i64 1
  stage
    1: v = add(in[axis(0), cast<i64>(at)], bias[cast<i64>(at)])
    2: v += in[axis(0), whole]
)",
     R"(
rule R<xpu, DType> [f32]
  tensor v: DType 1
  const tensor in: DType 2
  const tensor bias: DType 1
  const tensor at: DType 1
  const tensor whole: i64 1
  stage
    1: v = add(gather(in, at), gather(bias, at))
    2: v += gather(in, whole)
)"},
    {"elements in place stay what they are", R"(
rule R<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  stage
    1: out = exp(in)
)",
     kSame},
};

const std::vector<Row> kValues = {
    {"in a rule that reduces everything, what is computed from results is one element", R"(
rule Norm<xpu, dim> []
  tensor out: f32 dim
  tensor loss: f32 1
  tensor count: f32 1
  const tensor in: f32 dim
  const tensor bias: f32 1
  temporary total: f32 1
  stage
    1: total = sum<by lanes>(exp(in))
    2: loss = log(add(total, loss))
    3: count += loss
    4: out = add(div(in, total[0]), bias[axis(last)])
)",
     R"(
rule Norm<xpu, dim> []
  tensor out: f32 dim
  tensor loss: f32 1 single
  tensor count: f32 1 single
  const tensor in: f32 dim
  const tensor bias: f32 1
  temporary total: f32 1 single
  stage
    1: total = sum<by lanes>(exp(in))
    2: loss = log(add(one(total), one(loss)))
    3: count += one(loss)
    4: out = add(div(in, one(total)), row(bias))
)"},
    {"vectors of elements stay what they are", R"(
rule Norm<xpu> []
  tensor out: f32 1
  tensor norm: f32 1
  const tensor in: f32 1
  stage
    1: norm = sum<by lanes>(mul(in, in))
    2: out = div(in, norm[0])
)",
     R"(
rule Norm<xpu> []
  tensor out: f32 1
  tensor norm: f32 1 single
  const tensor in: f32 1
  stage
    1: norm = sum<by lanes>(mul(in, in))
    2: out = div(in, one(norm))
)"},
    {"a value of the caller's is none of a rule that reduces nothing", R"(
rule Scaled<xpu> []
  tensor out: f32 1
  const tensor scale: f32 1
  stage
    1: out = mul(out, scale[0])
)",
     R"(
rule Scaled<xpu> []
  tensor out: f32 1
  const tensor scale: f32 1
  stage
    1: out = mul(out, one(scale))
)"},
    {"a vector of a rule that reduces rows has an element for each of them", R"(
rule Softmax<xpu> []
  tensor out: f32 2
  tensor loss: f32 1
  const tensor in: f32 2
  const tensor bias: f32 1
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(exp(in))
    2: loss = log(add(total, loss))
    3: out = add(div(in, total[axis(0)]), bias[axis(last)])
)",
     R"(
rule Softmax<xpu> []
  tensor out: f32 2
  tensor loss: f32 1
  const tensor in: f32 2
  const tensor bias: f32 1
  temporary total: f32 1
  stage
    1: total = sum<keep 0 by lanes>(exp(in))
    2: loss = log(add(column(total), column(loss)))
    3: out = add(div(in, column(total)), row(bias))
)"},
    {"without reductions a vector is what the rule is about", R"(
rule Add<xpu> []
  tensor a: f32 1
  const tensor b: f32 1
  stage
    1: a = add(a, b)
)",
     kSame},
};

TEST(BindAxes, IndexExpressions) { mgen_test::ExpectRules(kRows, mgen::BindAxes); }

TEST(BindAxes, Values) { mgen_test::ExpectRules(kValues, mgen::BindAxes); }

}  // namespace
