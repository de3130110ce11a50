// SPDX-License-Identifier: Apache-2.0
#include "passes/map_rows.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
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

TEST(MapRows, Table) { mgen_test::ExpectRules(kRows, mgen::MapRows); }

}  // namespace
