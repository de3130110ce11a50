// SPDX-License-Identifier: Apache-2.0
#include "passes/expand_savers.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"all five", R"(
rule Savers<xpu, dim, DType> [f32] [f16]
  tensor t: DType dim
  const tensor e: DType dim
  stage
    1: t = e
    2: t += e
    3: t -= e
    4: t *= mul(e, t)
    5: t /= e
)",
     R"(
rule Savers<xpu, dim, DType> [f32] [f16]
  tensor t: DType dim
  const tensor e: DType dim
  stage
    1: t = e
    2: t = add(t, e)
    3: t = sub(t, e)
    4: t = mul(t, mul(e, t))
    5: t = div(t, e)
)"},
    {"inside conditions", R"(
rule Guarded<xpu> []
  tensor t: f32 1
  scalar c: bool
  stage
    if c
      1: t += t
    else
      2: t -= t
)",
     R"(
rule Guarded<xpu> []
  tensor t: f32 1
  scalar c: bool
  stage
    if c
      1: t = add(t, t)
    else
      2: t = sub(t, t)
)"},
    {"bool computes in int", R"(
rule Bools<xpu> []
  tensor t: bool 1
  const tensor e: bool 1
  stage
    1: t += e
)",
     R"(
rule Bools<xpu> []
  tensor t: bool 1
  const tensor e: bool 1
  stage
    1: t = cast<bool>(add(cast<i32>(t), cast<i32>(e)))
)"},
    {"a type parameter that may be bool computes in what C++ promotes it to", R"(
rule Bools<xpu, DType> [bool] [f32]
  tensor t: DType 1
  const tensor e: DType 1
  stage
    1: t *= e
)",
     R"(
rule Bools<xpu, DType> [bool] [f32]
  tensor t: DType 1
  const tensor e: DType 1
  stage
    1: t = cast<DType>(mul(cast<promoted<DType>>(t), cast<promoted<DType>>(e)))
)"},
    {"nothing to do", R"(
rule Plain<xpu> []
  tensor t: f32 1
  stage
    1: t = add(t, t)  ; "t = t + t"
)",
     kSame},
};

TEST(ExpandSavers, Table) { mgen_test::ExpectRules(kRows, mgen::ExpandSavers); }

}  // namespace
