// SPDX-License-Identifier: Apache-2.0
#include "passes/group.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"element-wise statements are one stage", R"(
rule One<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  const tensor v: f32 1
  stage
    1: a = add(b, row(v))
    2: b = mul(a, column(v))
)",
     kSame},
    {"stages that fit together are joined", R"(
rule Two<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  stage
    1: a = b
  stage
    2: b = a
)",
     R"(
rule Two<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  stage
    1: a = b
    2: b = a
)"},
    {"a broadcast of what was written starts a stage", R"(
rule Cut<xpu> []
  tensor v: f32 1
  tensor a: f32 2
  stage
    1: v = add(v, v)
    2: a = add(a, row(v))
    3: a = add(a, column(v))
)",
     R"(
rule Cut<xpu> []
  tensor v: f32 1
  tensor a: f32 2
  stage
    1: v = add(v, v)
  stage
    2: a = add(a, row(v))
    3: a = add(a, column(v))
)"},
    {"what was computed for each column is its value, and starts none", R"(
rule Values<xpu> []
  tensor v: f32 1
  tensor a: f32 2
  stage
    1: v = add(v, v)
    2: a = add(a, row(v))
    3: a = add(a, a)
)",
     kSame},
    {"so does a write of what was broadcast, inside a condition too", R"(
rule Cut<xpu> []
  tensor v: f32 1
  tensor a: f32 2
  scalar c: bool
  stage
    1: a = add(a, row(v))
    if c
      2: v = add(v, v)
)",
     R"(
rule Cut<xpu> []
  tensor v: f32 1
  tensor a: f32 2
  scalar c: bool
  stage
    1: a = add(a, row(v))
  stage
    if c
      2: v = add(v, v)
)"},
};

TEST(Group, Table) { mgen_test::ExpectRules(kRows, mgen::Group); }

}  // namespace
