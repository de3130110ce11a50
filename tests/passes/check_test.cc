// SPDX-License-Identifier: Apache-2.0
#include "passes/check.h"

#include <gtest/gtest.h>

#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::PrintAll;
using mgen_test::Trim;

/// In: a rule. Out: what is said about it, with places in the text of the rule.
struct CheckRow {
  const char *name;
  const char *in;
  const char *out;
  bool passes = false;
};

const std::vector<CheckRow> kRows = {
    {"nothing is wrong", R"(
rule R<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  const tensor g: DType dim
  const tensor bias: f32 1
  scalar lr: f32
  stage
    1: w -= mul(cast<DType>(lr), g)
    2: w = cast<DType>(mul(sub(1.0f32, lr), cast<f32>(w)))
    3: w = cast<DType>(add(cast<f32>(w), row(bias)))
)",
     "", true},
    {"a const tensor is written", R"(
rule R<xpu> []
  tensor w: f32 1
  const tensor g: f32 1
  stage
    1: w = g
    2: g += w
)",
     R"(
6:8: error: cannot write 'g': it is declared const [const-write]
  3:16: note: declare it 'Tensor<...> g' to write it [const-write-note]
)"},
    {"a view of what is written, before or after", R"ir(
rule R<xpu> []
  tensor w: f32 2
  tensor v: f32 2
  view turned: f32 2 = "flip($0, $1)" w, 1i32
  stage
    1: v = turned
    2: w = v
)ir",
     R"(
6:12: error: this rule writes 'w' and reads it through a view [shifted-read]
  7:8: note: 'w' is written here [written-here]
  6:12: note: write 'MSHADOW_STAGE();' between the two statements, so that each has its own kernel, or write the result to another tensor [shifted-read-stage-note]
)"},
    {"parts of what is read through a view, of what is const, and of what is written whole", R"ir(
rule R<xpu> []
  tensor w: f32 2
  tensor v: f32 2
  const tensor g: f32 2
  view turned: f32 2 = "flip($0, $1)" w, 1i32
  part left: f32 2 of 1 = "slice<1>($0, $1, $2)" w, 0i64, 2i64
  part right: f32 2 of 1 = "slice<1>($0, $1, $2)" w, 2i64, 4i64
  part of_g: f32 2 of 1 = "slice<1>($0, $1, $2)" g, 2i64, 4i64
  part of_v: f32 2 of 0 = "slice<0>($0, $1, $2)" v, 0i64, 1i64
  stage
    1: left = add(right, turned)
    2: of_g = of_v
    3: v = left
)ir",
     R"(
12:8: error: cannot write 'g': it is declared const [const-write]
  4:16: note: declare it 'Tensor<...> g' to write it [const-write-note]
11:26: error: this rule writes 'w' and reads it through a view [shifted-read]
  11:8: note: 'w' is written here [written-here]
  11:26: note: write the result to another tensor, or pass a copy of 'w' [shifted-read-note]
12:15: error: this rule writes 'v' and reads it through a slice [shifted-read]
  13:8: note: 'v' is written here [written-here]
  12:15: note: write 'MSHADOW_STAGE();' between the two statements, so that each has its own kernel, or write the result to another tensor [shifted-read-stage-note]
)"},
    {"an element is picked from what is written before", R"(
rule R<xpu> []
  tensor w: f32 2
  tensor v: f32 1
  const tensor at: i32 1
  stage
    1: w = add(w, w)
    2: v = gather(w, at)
)",
     "", true},
    {"an element is picked from what the statement writes; indices are written", R"(
rule R<xpu> []
  tensor w: f32 2
  tensor at: i32 1
  stage
    1: w = add(w, gather(w, at))
    2: at = add(at, at)
)",
     R"(
5:19: error: this rule writes 'w' and reads it through a gather [shifted-read]
  5:8: note: 'w' is written here [written-here]
  5:19: note: write the result to another tensor, or pass a copy of 'w' [shifted-read-note]
5:19: error: this rule writes 'at' and also uses it as indices [index-written]
  6:8: note: 'at' is written here [written-here]
  5:19: note: mshadow checks indices before it writes anything: pass them as a vector that the rule does not write [index-tensor-note]
)"},
    {"a broadcast of what is written, where it is another row's value that is read", R"(
rule R<xpu> []
  tensor w: f32 2
  tensor v: f32 1
  scalar c: bool
  stage
    1: w = add(w, row(v))
    if c
      2: v = v
    3: w = column(v)
)",
     R"(
6:19: error: this rule writes 'v' and reads it through a broadcast [shifted-read]
  8:10: note: 'v' is written here [written-here]
  6:19: note: write 'MSHADOW_STAGE();' between the two statements, so that each has its own kernel, or write the result to another tensor [shifted-read-stage-note]
)"},
    {"five conditions; negations do not count twice", R"(
rule R<xpu> []
  tensor w: f32 1
  scalar a: bool
  scalar b: bool
  scalar c: bool
  scalar d: f32
  scalar e: f32
  stage
    if a
      1: w = w
    if not(a)
      2: w = w
    if b
      if c
        3: w = w
    if gt(d, 0.0f32)
      4: w = w
    if gt(e, 0.0f32)
      5: w = w
)",
     R"(
18:8: error: rule 'R' has 5 scalar conditions around statements; at most 4 are supported [too-many-conditions]
  18:8: note: choose a coefficient instead, as in 'const float c = nesterov ? momentum : 0.0f;' [too-many-conditions-note]
)"},
    {"no write", R"(
rule R<xpu> []
  const tensor g: f32 1
  stage
)",
     R"(
1:6: error: rule 'R' writes no tensor [no-write]
  1:6: note: assign the result to a tensor parameter that is not const [no-write-note]
)"},
    {"a keyword of another C++", R"(
rule R<xpu> []
  tensor requires: f32 1
  stage
    1: requires = 1.0f32
)",
     R"(
2:10: error: 'requires' cannot be a name: it is a keyword of C++ [keyword-name]
  2:10: note: choose another name, such as 'requires_' [rename-note]
)"},
    {"computed scalars that 16 bits do not hold", R"(
rule R<xpu, dim, DType> [f32] [bf16]
  tensor w: DType dim
  tensor f: f32 dim
  tensor h: f16 dim
  scalar lr: f32
  scalar decay: f32
  let keep: f32 = sub(1.0f32, mul(lr, decay))
  let same: f32 = lr
  stage
    1: w *= cast<DType>(sub(1.0f32, mul(lr, decay)))
    2: w = add(w, mul(cast<DType>(keep), w))
    3: f *= sub(1.0f32, mul(lr, decay))
    4: w *= cast<DType>(same)
    5: w = cast<DType>(keep)
    6: h = div(h, cast<f16>(keep))
)",
     R"(
10:13: warning: scalar expression is rounded to bf16_t before it is combined with 'w' [narrow-scalar]
  10:13: note: compute in float: 'tcast<DType>(... tcast<float>(w) ...)' [narrow-scalar-note]
11:23: warning: scalar 'keep' is rounded to bf16_t before it is combined with 'w' [narrow-scalar]
  11:23: note: compute in float: 'tcast<DType>(... tcast<float>(w) ...)' [narrow-scalar-note]
15:19: warning: scalar 'keep' is rounded to half_t before it is combined with 'h' [narrow-scalar]
  15:19: note: compute in float: 'tcast<half_t>(... tcast<float>(h) ...)' [narrow-scalar-note]
)",
     true},
};

TEST(Check, Table) {
  for (const CheckRow &row : kRows) {
    SCOPED_TRACE(row.name);
    mgen::Diagnostics diagnostics;
    EXPECT_EQ(mgen::Check(ParseGood(row.in), diagnostics), row.passes);
    EXPECT_EQ(PrintAll(diagnostics), Trim(row.out));
  }
}

TEST(Check, MixedTypesAndNamesUsedTwice) {
  mgen::Rule rule = ParseGood(R"(
rule R<xpu> []
  tensor w: f32 1
  tensor v: f64 1
  stage
    1: w = w
)");
  rule.stages[0].body[0].target = 1;
  rule.params[1].name = "w";
  mgen::Diagnostics diagnostics;
  EXPECT_FALSE(mgen::Check(rule, diagnostics));
  EXPECT_EQ(PrintAll(diagnostics), Trim(R"(
3:10: error: 'w' cannot be a name: another parameter already has it [reserved-name]
  3:10: note: choose another name, such as 'w2' [rename-note]
5:8: error: element types f64 and f32 are mixed [mixed-types]
  5:8: note: convert one side with tcast<f64>(...) [mixed-types-note]
)"));
}

}  // namespace
