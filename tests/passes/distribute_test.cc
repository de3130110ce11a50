// SPDX-License-Identifier: Apache-2.0
#include "passes/distribute.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"the number of a column is no scalar", R"(
rule Numbered<xpu> []
  tensor t: f32 2
  stage
    1: t = mul(index<f32>(t, 1), select(gt(t, 0.0f32), 1.0f32, -1.0f32))
)",
     kSame},
    {"each outcome is multiplied", R"(
rule SignSGD<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  const tensor g: f32 dim
  scalar lr: f32
  stage
    1: w = cast<DType>(mul(lr, select(gt(g, 0.0f32), 1.0f32, select(lt(g, 0.0f32), -1.0f32, 0.0f32))))
)",
     R"(
rule SignSGD<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  const tensor g: f32 dim
  scalar lr: f32
  stage
    1: w = cast<DType>(select(gt(g, 0.0f32), lr, select(lt(g, 0.0f32), neg(lr), mul(lr, 0.0f32))))
)"},
    {"the scalar may stand behind, and be computed; a condition may hold another product", R"(
rule Behind<xpu, DType> [f32] [f16]
  tensor t: DType 1
  scalar a: DType
  stage
    1: t = mul(select(lt(mul(a, select(gt(t, a), literal<DType>(2.0), literal<DType>(1.0))), t), literal<DType>(1.0), literal<DType>(0.5)), add(a, a))
)",
     R"(
rule Behind<xpu, DType> [f32] [f16]
  tensor t: DType 1
  scalar a: DType
  stage
    1: t = select(lt(select(gt(t, a), mul(a, literal<DType>(2.0)), a), t), add(a, a), mul(add(a, a), literal<DType>(0.5)))
)"},
    {"integers", R"(
rule Integers<xpu> []
  tensor t: i32 1
  scalar a: i32
  stage
    1: t = mul(a, select(lt(t, a), -1i32, 3i32))
)",
     R"(
rule Integers<xpu> []
  tensor t: i32 1
  scalar a: i32
  stage
    1: t = select(lt(t, a), neg(a), mul(a, 3i32))
)"},
    {"an outcome that is computed stays a factor", R"(
rule Computed<xpu> []
  tensor t: f32 1
  scalar a: f32
  stage
    1: t = mul(a, select(lt(t, a), 1.0f32, t))
)",
     kSame},
    {"a factor that elements differ in stays one", R"(
rule Factor<xpu> []
  tensor t: f32 1
  scalar a: f32
  stage
    1: t = mul(t, select(lt(t, a), 1.0f32, -1.0f32))
)",
     kSame},
    {"a choice that is the same for every element is hoisted as it is", R"(
rule Uniform<xpu> []
  tensor t: f32 1
  scalar a: f32
  stage
    1: t = mul(t, mul(a, select(lt(a, 0.0f32), 1.0f32, -1.0f32)))
)",
     kSame},
    {"sums stay", R"(
rule Sums<xpu> []
  tensor t: f32 1
  scalar a: f32
  stage
    1: t = add(a, select(lt(t, 0.0f32), 1.0f32, -1.0f32))
)",
     kSame},
};

TEST(Distribute, Table) { mgen_test::ExpectRules(kRows, mgen::Distribute); }

}  // namespace
