// SPDX-License-Identifier: Apache-2.0
#include "passes/simplify_casts.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"identities go, literals are converted", R"(
rule Casts<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  scalar lr: f32
  let twice: f32 = mul(cast<f32>(lr), cast<f32>(2i32))
  stage
    1: w = cast<DType>(mul(cast<DType>(w), cast<DType>(0.044715f32)))
    2: w = cast<DType>(add(cast<f32>(w), cast<f32>(0.5f16)))
)",
     R"(
rule Casts<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  scalar lr: f32
  let twice: f32 = mul(lr, 2.0f32)
  stage
    1: w = mul(w, literal<DType>(0.044714998453855515))
    2: w = cast<DType>(add(cast<f32>(w), 0.5f32))
)"},
    {"conversions that are not the same everywhere stay", R"(
rule Stay<xpu, dim, A, B> [f32, i8] [i32, f16]
  tensor a: A dim
  tensor b: B dim
  tensor c: i8 dim
  tensor m: bool dim
  stage
    1: a = cast<A>(0.5f32)
    2: b = cast<B>(a)
    3: c = cast<i8>(300i32)
    4: c = cast<i8>(0.5f32)
    5: c = cast<i8>(nanf32)
    6: m = cast<bool>(2.0f32)
    7: c = cast<i8>(cast<f16>(c))
    8: c = cast<i8>(literal<A>(1.0))
)",
     kSame},
    {"integers beyond 2^53 would be rounded twice", R"(
rule Large<xpu> []
  tensor w: f32 1
  stage
    1: w = cast<f32>(9007199254740993i64)
    2: w = cast<f32>(9007199254740992i64)
)",
     R"(
rule Large<xpu> []
  tensor w: f32 1
  stage
    1: w = cast<f32>(9007199254740993i64)
    2: w = 9.007199e+15f32
)"},
};

TEST(SimplifyCasts, Table) { mgen_test::ExpectRules(kRows, mgen::SimplifyCasts); }

}  // namespace
