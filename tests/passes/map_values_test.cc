// SPDX-License-Identifier: Apache-2.0
#include "passes/map_values.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"in a rule that reduces everything, what is computed from results is one element", R"(
rule Norm<xpu, dim> []
  tensor out: f32 dim
  tensor loss: f32 1
  tensor count: f32 1
  const tensor in: f32 dim
  const tensor bias: f32 1
  temporary total: f32 1
  stage
    1: total = all_sum(exp(in))
    2: loss = log(add(total, loss))
    3: count += loss
    4: out = add(div(in, one(total)), row(bias))
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
    1: total = all_sum(exp(in))
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
    1: norm = all_sum(mul(in, in))
    2: out = div(in, one(norm))
)",
     R"(
rule Norm<xpu> []
  tensor out: f32 1
  tensor norm: f32 1 single
  const tensor in: f32 1
  stage
    1: norm = all_sum(mul(in, in))
    2: out = div(in, one(norm))
)"},
    {"a value of the caller's is none of a rule that reduces nothing", R"(
rule Scaled<xpu> []
  tensor out: f32 1
  const tensor scale: f32 1
  stage
    1: out = mul(out, one(scale))
)",
     kSame},
    {"a vector of a rule that reduces rows has an element for each of them", R"(
rule Softmax<xpu> []
  tensor out: f32 2
  tensor loss: f32 1
  const tensor in: f32 2
  const tensor bias: f32 1
  temporary total: f32 1
  stage
    1: total = row_sum(exp(in))
    2: loss = log(add(total, loss))
    3: out = add(div(in, column(total)), row(bias))
)",
     R"(
rule Softmax<xpu> []
  tensor out: f32 2
  tensor loss: f32 1
  const tensor in: f32 2
  const tensor bias: f32 1
  temporary total: f32 1
  stage
    1: total = row_sum(exp(in))
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

TEST(MapValues, Table) { mgen_test::ExpectRules(kRows, mgen::MapValues); }

}  // namespace
