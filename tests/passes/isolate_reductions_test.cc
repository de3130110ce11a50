// SPDX-License-Identifier: Apache-2.0
#include "passes/isolate_reductions.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::kSame;
using mgen_test::ParseGood;
using mgen_test::Row;

const std::vector<Row> kRows = {
    {"what reduces rows alone stays together", R"(
rule Rows<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: a = sub(a, r[axis(0)])
    3: r = max<keep 0 by lanes>(a)
)",
     kSame},
    {"a statement that reduces something else is another kernel's", R"(
rule Three<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  tensor c: f32 1
  tensor one: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: c = sum<keep last by leaves>(a)
    3: one = sum<by lanes>(a)
)",
     R"(
rule Three<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  tensor c: f32 1
  tensor one: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    boundary
    2: c = sum<keep last by leaves>(a)
    boundary
    3: one = sum<by lanes>(a)
)"},
    {"another order is another kernel's, whatever is read in between", R"(
rule Orders<xpu> []
  tensor a: f32 4
  tensor r: f32 1
  tensor s: f32 1
  stage
    1: r = sum<keep 1 by planes>(a)
    2: a = sub(a, r[axis(1)])
    3: r = max<keep 1 by planes>(a)
    4: s = sum<keep 1 by leaves>(a)
)",
     R"(
rule Orders<xpu> []
  tensor a: f32 4
  tensor r: f32 1
  tensor s: f32 1
  stage
    1: r = sum<keep 1 by planes>(a)
    2: a = sub(a, r[axis(1)])
    3: r = max<keep 1 by planes>(a)
    boundary
    4: s = sum<keep 1 by leaves>(a)
)"},
    {"a temporary goes with the kernel that needs it, where the other's operands are read anyway",
     R"(
rule Temporaries<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  tensor c: f32 1
  temporary t: f32 2
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: t = mul(a, r[axis(0)])
    3: c = sum<keep last by leaves>(t)
)",
     R"(
rule Temporaries<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  tensor c: f32 1
  temporary t: f32 2
  stage
    1: r = sum<keep 0 by lanes>(a)
    boundary
    2: t = mul(a, r[axis(0)])
    3: c = sum<keep last by leaves>(t)
)"},
    {"what is written stays where its operands are", R"(
rule Written<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor r: f32 1
  tensor c: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: b = mul(a, r[axis(0)])
    3: c = sum<keep last by leaves>(b)
)",
     R"(
rule Written<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor r: f32 1
  tensor c: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: b = mul(a, r[axis(0)])
    boundary
    3: c = sum<keep last by leaves>(b)
)"},
    {"what computes with a row's value is done by rows", R"(
rule Values<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  tensor s: f32 1
  tensor c: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: s = mul(r, r)
    3: c = sum<keep last by leaves>(a)
    4: s = add(s, 1.0f32)
    5: a = mul(a, s[axis(0)])
)",
     R"(
rule Values<xpu> []
  tensor a: f32 2
  tensor r: f32 1
  tensor s: f32 1
  tensor c: f32 1
  stage
    1: r = sum<keep 0 by lanes>(a)
    2: s = mul(r, r)
    boundary
    3: c = sum<keep last by leaves>(a)
    boundary
    4: s = add(s, 1.0f32)
    5: a = mul(a, s[axis(0)])
)"},
    {"channels of another dimension are others, whether they are reduced or broadcast along", R"(
rule Channels<xpu> []
  tensor a: f32 4
  tensor c: f32 1
  tensor d: f32 1
  stage
    1: c = sum<keep 1 by planes>(a)
    2: a = sub(a, c[axis(1)])
    3: a = add(a, d[axis(2)])
)",
     R"(
rule Channels<xpu> []
  tensor a: f32 4
  tensor c: f32 1
  tensor d: f32 1
  stage
    1: c = sum<keep 1 by planes>(a)
    2: a = sub(a, c[axis(1)])
    boundary
    3: a = add(a, d[axis(2)])
)"},
    {"each dimension is reduced in another way", R"(
rule Axes<xpu> []
  tensor a: f32 4
  tensor c: f32 1
  tensor d: f32 1
  stage
    1: c = sum<keep but 1 by leaves>(a)
    2: a = sub(a, c[axis(but 1)])
    3: d = sum<keep but 2 by leaves>(a)
    4: c = sum<keep last by leaves>(a)
)",
     R"(
rule Axes<xpu> []
  tensor a: f32 4
  tensor c: f32 1
  tensor d: f32 1
  stage
    1: c = sum<keep but 1 by leaves>(a)
    2: a = sub(a, c[axis(but 1)])
    boundary
    3: d = sum<keep but 2 by leaves>(a)
    boundary
    4: c = sum<keep last by leaves>(a)
)"},
    {"in branches, where a product ends a kernel, too", R"(
rule Branches<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor r: f32 1
  tensor c: f32 1
  scalar flag: bool
  stage
    if flag
      1: r = sum<keep 0 by lanes>(a)
    else
      2: c = sum<keep last by leaves>(a)
    3: b = dot(a, a) scaled 1.0f32
    4: r = sum<keep 0 by lanes>(b)
)",
     R"(
rule Branches<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  tensor r: f32 1
  tensor c: f32 1
  scalar flag: bool
  stage
    if flag
      1: r = sum<keep 0 by lanes>(a)
    else
      boundary
      2: c = sum<keep last by leaves>(a)
    3: b = dot(a, a) scaled 1.0f32
    4: r = sum<keep 0 by lanes>(b)
)"},
};

TEST(IsolateReductionsTest, CutsBetweenWaysOfGoingOverMemory) {
  mgen_test::ExpectRules(kRows, [](mgen::Rule rule) {
    mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
    EXPECT_TRUE(mgen::IsolateReductions(&rule, diagnostics));
    return rule;
  });
}

TEST(IsolateReductionsTest, OneStatementGoesOneWay) {
  mgen::Rule rule = ParseGood(R"(
rule Both<xpu> []
  tensor a: f32 4
  tensor b: f32 1
  tensor c: f32 1
  stage
    1: a = add(add(a, b[axis(1)]), c[axis(2)])
)");
  mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
  EXPECT_FALSE(mgen::IsolateReductions(&rule, diagnostics));
  EXPECT_NE(mgen_test::PrintAll(diagnostics)
                .find("this broadcasts along dimension 2, but the same statement also "
                      "broadcasts along dimension 1 [mixed-reductions]"),
            std::string::npos)
      << mgen_test::PrintAll(diagnostics);
}

TEST(IsolateReductionsTest, OneStatementReducesInOneOrder) {
  mgen::Rule rule = ParseGood(R"(
rule Both<xpu> []
  tensor a: f32 4
  tensor b: f32 1
  stage
    1: b = add(sum<keep 1 by planes>(a), sum<keep 1 by leaves>(a))
)");
  mgen::Diagnostics diagnostics{mgen::DiagnosticOptions()};
  EXPECT_FALSE(mgen::IsolateReductions(&rule, diagnostics));
  EXPECT_NE(mgen_test::PrintAll(diagnostics)
                .find("this reduces all dimensions but 1 in the order 'leaves', but the same "
                      "statement also reduces all dimensions but 1 in the order 'planes'"),
            std::string::npos)
      << mgen_test::PrintAll(diagnostics);
}

}  // namespace
