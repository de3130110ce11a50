// SPDX-License-Identifier: Apache-2.0
// The text form: print and parse are inverses; mistakes in a text are reported at their place.
#include "ir_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/builder.h"
#include "ir/parser.h"
#include "ir/printer.h"

namespace {

using mgen_test::kSame;
using mgen_test::Row;
using mgen_test::Trim;

const std::vector<Row> kRoundTrips = {
    {"everything of a signature", R"(
rule outer::optim::AdamW<xpu, dim, DType> [f32] [f16] [bf16]
  spec "specs/optim/adamw.h"
  doc "AdamW: Adam with decoupled weight decay."
  doc ""
  doc "A \"quote\" and a \\."
  tensor weight: DType dim parameter  ; "parameters, updated in place"
  tensor mean: f32 dim state(0)
  tensor variance: f32 dim & state(0.1)
  const tensor grad: DType dim const& gradient
  const tensor bias: f32 1
  scalar lr: f32 hyper = 0.001  ; "step size"
  scalar step: i32 step = 1
  scalar nesterov: bool = false
  scalar gamma: f64 const& = 1e-08
  let step_size: f32 = div(lr, sub(1.0f32, pow(lr, cast<f32>(step))))
  stage
    1: mean = add(mul(lr, mean), cast<f32>(grad))  ; "mean = lr * mean + g"
    2: weight += grad
    3: weight -= grad
    4: weight *= grad
    5: weight /= grad
)",
     kSame},
    {"a rule that shares its name in C++", R"(
rule fills::FillRank2<xpu, DType> [f32]
  overloads Fill
  tensor out: f32 2
  stage
    1: out = 1.0f32
)",
     kSame},
    {"template parameters of any name, several types", R"(
rule Cast<Device: device, Rank: rank, A, B> [f32, f16] [f16, i8]
  tensor out: A dim
  const tensor in: B dim
  stage
    1: out = cast<A>(in)
)",
     kSame},
    {"tensors with the names of leaves", R"(
rule Names<xpu> []
  tensor size: f32 2
  tensor row: f32 1
  let count: i64 = size(size)
  stage
    1: size = mul(size, row(row))
)",
     kSame},
    {"temporaries like others, which may be declared behind them", R"ir(
rule Shapes<xpu> []
  tensor a: f32 2
  temporary like: f32 2 shape(half)
  temporary kept: f32 2 shape(dim(a, 1), 4i64) workspace
  temporary top: f32 1 shape(dim(a, 0))
  part half: f32 2 of 1 = "mshadow::expr::slice<1>($0, $1, $2)" a, index 0i64, index 4i64
  stage
    1: like = half
    2: half = add(like, index<f32>(half, 1)) counting half by "range" instead "a range"
)ir",
     kSame},
    {"tensors of which a statement uses the matrices", R"ir(
rule Flattened<xpu> []
  tensor a: f32 3
  tensor b: f32 3
  part a_matrix: f32 2 reshaped = "$0.FlatTo2D()" a
  part b_matrix: f32 2 reshaped = "$0.FlatTo2D()" b
  stage
    1: a_matrix += mul(b_matrix, 2.0f32) fitting b_matrix flattened a, b  ; "a += b * 2"
)ir",
     kSame},
    {"boundaries of kernels", R"(
rule Boundaries<xpu> []
  tensor a: f32 2
  tensor b: f32 2
  scalar c: bool
  stage
    1: a = b
    boundary
    if c
      2: b = a
      boundary
    3: a = b
)",
     kSame},
    {"no namespace, no rank, no type", R"(
rule Scale<xpu> []
  tensor out: f32 3
  scalar factor: f32
  stage
    1: out *= factor
)",
     kSame},
    {"values of a type parameter", R"(
rule Flags<xpu, A, B, C> [bool, f32, i8]
  tensor a: A 1
  tensor b: B 1
  tensor c: C 1
  stage
    1: a = literal<A>(true)
    2: a = literal<A>(false)
    3: b = literal<B>(-inf)
    4: b = literal<B>(nan)
    5: c = literal<C>(-3)
)",
     kSame},
    {"conditions", R"(
rule Nested<xpu, dim, DType> [f32]
  tensor out: DType dim
  scalar a: bool
  scalar b: f32
  stage
    1: out = literal<DType>(0.5)
    if a  ; "a"
      2: out = literal<DType>(1.0)
      if gt(b, 0.0f32)
        3: out = literal<DType>(2.0)
      else
        4: out = literal<DType>(3.0)
      5: out += out
    6: out += out
  stage
    7: out *= out
)",
     kSame},
    {"leaves and literals", R"(
rule Leaves<xpu> []
  tensor out: f32 2
  tensor mask: bool 2
  tensor count: u8 2
  const tensor bias: f32 1
  scalar inf: f32
  let rows: i64 = mul(dim(out, 0), size(out))
  stage
    1: out = add(row(bias), column(bias))
    2: out = add(1e-08f32, add(-0.0f32, add(-inff32, add(nanf32, inf))))
    3: mask = select(true, mask, false)
    4: count = add(count, cast<u8>(-3i32))
    5: out = call<f32>(atan2f, out, inf)
    6: out = cast<f32>(add(18446744073709551615u64, 0u64))
    7: out = powi(out, 3i32)
    8: count = round_stochastic<u8>(out, 0.5f32)
    9: out = bit_cast<f32>(bitnot(bit_cast<i32>(out)))
)",
     kSame},
    {"scans", R"(
rule Scans<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  reducer last: f32 initial 0.0f32 reduce operand(1)
  stage
    1: out = scan<sum>(mul(in, in))
    2: out = mul(sums@scan<exclusive max>(in), @sums)
    3: out = scan<exclusive reduce last>(in)
    4: out = recurrence(0.5f32, in)
)",
     kSame},
    {"reads with index expressions", R"(
rule Indices<xpu, DType> [f32]
  tensor out: DType 2
  tensor first: DType 1
  const tensor in: DType 2
  const tensor at: DType 1
  stage
    1: out = add(at[axis(0)], at[axis(last)]) fitting at[0]
    2: out = in[sub(dim(in, 0), add(axis(0), 1i64)), mul(axis(last), 2i64)]
    3: first = mul(in[axis(0), cast<i64>(at)], in[0, cast<i64>(at[axis(0)])])
)",
     kSame},
    {"views", R"ir(
rule Parts<xpu, DType> [f32] [f16]
  tensor out: DType 2
  const tensor in: DType 2
  scalar from: i32
  let half: i64 = div(dim(in, 1), 2i64)
  part gate: DType 2 of 1 = "mshadow::expr::slice<1>($0, $1, $2)" in, half, dim(in, 1)
  part rows: DType 2 of 0 = "mshadow::expr::slice<0>($0, $1, $2)" out, index 0i64, index half
  part corner: DType 2 of 0, 1 = "mshadow::expr::slice<1>(mshadow::expr::slice<0>($0, $1, $2), $3, $4)" in, index 0i64, index half, index 0i64, index 2i64
  view up: f32 2 = "mine::lift<$0>($1, $2)" type DType, shape out, in from "mine/lift.h" from "a.h"
  stage
    1: rows = mul(gate, cast<DType>(up))
    2: rows += corner
)ir",
     kSame},
    {"views for any rank, and scalars that are called like the kinds of operands", R"ir(
rule Ranked<xpu, dim, DType> [f32] [f16]
  tensor out: DType dim
  const tensor in: DType dim
  scalar index: i32
  scalar shape: i32
  scalar rank: i32
  let cols: i64 = dim(in, last)
  part front: DType dim of 0 = "mshadow::expr::slice<0>($0, $1, $2)" out, index, index dim(out, 0)
  part half: DType dim of last = "mshadow::expr::slice<$3>($0, $1, $2)" out, index, index dim(out, last), rank dim - 1
  view turned: DType dim = "mshadow::expr::flip($0, $1)" in, rank dim - 1
  view swapped: DType dim least 2 = "mine::swap<$0>($1, $2, $3)" rank dim - 2, in, shape, rank from "mine.h"
  stage
    1: front = mul(turned, swapped)
    2: half = half
)ir",
     kSame},
    {"reducers", R"(
rule Reduced<xpu, DType> [f32] [f16]
  tensor out: f32 1
  tensor top: DType 1
  const tensor in: DType 2
  reducer log_add: f32 initial -inff32 reduce add(operand(0), log1p(exp(operand(1))))
  reducer count: promoted<DType> initial literal<promoted<DType>>(0.0) reduce operand(0) merge add(operand(0), operand(1))
  stage
    1: out = reduce<log_add keep 0 by lanes>(cast<f32>(in))
    2: top = cast<DType>(reduce<count keep 0 by lanes>(cast<promoted<DType>>(in)))
    3: top = add(argmax<keep 0 by lanes>(in), argmin<keep 0 by lanes>(in))
    4: out = product<keep 0 by lanes>(cast<f32>(in))
    5: out = min<keep 0 by lanes>(index<f32>(in))
)",
     kSame},
    {"names", R"(
rule Names<xpu> []
  tensor out: f32 2
  const tensor in: f16 2
  stage
    1: out = mul(g@cast<f32>(in), @g)
    2: out = add(@g, g@mul(out, out))
    3: out = add(@g, @g)
)",
     kSame},
};

TEST(IrText, PrintIsTheInverseOfParse) {
  mgen_test::ExpectRules(kRoundTrips, [](mgen::Rule rule) { return rule; });
}

TEST(IrText, SharedPartsPrintOnce) {
  mgen::Rule rule = mgen_test::ParseGood(R"(
rule Power<xpu> []
  tensor x: f32 1
  stage
    1: x = x
)");
  mgen::Expr value = rule.stages[0].body[0].value;
  for (int i = 0; i < 64; ++i) value = mgen::MakeOp(mgen::Op::kMul, {value, value});
  rule.stages[0].body[0].value = value;
  const std::string text = mgen::Print(rule);  // 2^64 reads as a tree
  EXPECT_LT(text.size(), 2000u);
  EXPECT_EQ(mgen::Print(mgen::ParseRule(text)), text);
}

TEST(IrText, DeepExpressions) {
  mgen::Rule rule = mgen_test::ParseGood(R"(
rule Deep<xpu> []
  tensor x: f32 1
  stage
    1: x = x
)");
  mgen::Expr value = rule.stages[0].body[0].value;
  for (int i = 0; i < 200000; ++i) value = mgen::MakeOp(mgen::Op::kNeg, {value});
  rule.stages[0].body[0].value = value;
  const std::string text = mgen::Print(rule);
  EXPECT_EQ(mgen::Print(mgen::ParseRule(text)), text);
}

TEST(IrText, NumbersAreShortestRoundTrip) {
  using mgen::PrintNumber;
  using mgen::ScalarKind;
  EXPECT_EQ(PrintNumber(0.001f, ScalarKind::kFloat32), "0.001");
  EXPECT_EQ(PrintNumber(0.001f, ScalarKind::kFloat64), "0.0010000000474974513");
  EXPECT_EQ(PrintNumber(1, ScalarKind::kFloat32), "1.0");
  EXPECT_EQ(PrintNumber(1e20, ScalarKind::kFloat64), "1e+20");
  EXPECT_EQ(PrintNumber(-0.0, ScalarKind::kFloat32), "-0.0");
  EXPECT_EQ(PrintNumber(-std::numeric_limits<double>::infinity(), ScalarKind::kFloat32), "-inf");
  EXPECT_EQ(PrintNumber(std::nan(""), ScalarKind::kFloat32), "nan");
}

constexpr const char *kHeader = R"(rule Bad<xpu, dim, DType> [f32] [f16]
  tensor x: f32 dim
  const tensor h: DType dim
  scalar a: f32
  stage
)";

TEST(IrText, MistakesAreReportedAtTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"    1: y = x\n", "rule:6:8: no tensor is named 'y'"},
      {"    1: x = y\n", "rule:6:12: nothing is named 'y'"},
      {"    1: x = add(x)\n", "rule:6:12: add takes 2 operands, not 1"},
      {"    1: x = bit_cast<f64>(x)\n", "rule:6:12: bit_cast keeps the number of bits"},
      {"    1: x = add(x, h)\n",
       "rule:6:12: operands of add have types f32 and the type parameter 0"},
      {"    1: x = add(x, 1.0)\n", "rule:6:22: '1.0' needs a type, as in 1.0f32"},
      {"    1: x = add(x, a\n", "rule:6:20: expected ')'"},
      {"    1: x = x x\n", "rule:6:14: expected the end of the line"},
      {"    1: x + x\n", "rule:6:10: expected =, +=, -=, *= or /="},
      {"    x = x\n", "rule:6:5: expected an integer"},
      {"    1: x = @g\n", "rule:6:13: nothing is labelled 'g'"},
      {"    1: x = 300i8\n", "rule:6:12: literal is out of range of i8"},
      {"    1: x = dim(x, -3)\n", "rule:6:21: expected a dimension"},
      {"    1: x = row(a)\n", "rule:6:16: no tensor is named 'a'"},
      {"    1: x = x[]\n", "rule:6:14: expected an expression"},
      {"    1: x = x[axis(-1)]\n", "rule:6:21: expected a dimension"},
      {"    1: x = x[axis(but -1)]\n", "rule:6:25: expected a dimension"},
      {"    1: x = x[0.5f32]\n", "rule:6:12: an index is an i64"},
      {"    1: x = x[0, 0\n", "rule:6:18: '0' needs a type, as in 1.0f32"},
      {"    1: x = x[axis(0)\n", "rule:6:21: expected ']'"},
      {"    1: x = add(x, 0)\n", "rule:6:20: '0' needs a type, as in 1.0f32"},
      {"    1: x = cast<float>(x)\n", "rule:6:17: no type is named 'float'"},
      {"    1: x = x\n     2: x = x\n", "rule:7:6: this line is indented otherwise"},
      {"    1: x = x ; \"open\n", "rule:6:21: expected '\"' at the end of the string"},
      {"  tensor z: f32\n", "rule:6:16: expected an integer"},
      {"  let z: f32 = 1i32\n", "rule:6:16: the value has another type"},
      {"  part p: f32 1 of 0 = \"s($0)\" x\n",
       "rule:6:8: a part is of one tensor, each range from an index to another"},
      {"  part p: f32 1 of 0, 0 = \"s($0)\" x, 0i64, 1i64\n",
       "rule:6:8: a part is of one tensor, each range from an index to another"},
      {"  part p: f32 dim of last = \"s($0)\" x, 0i64, 1i64\n",
       "rule:6:8: a part is of one tensor, each range from an index to another"},
      {"  expression 3\n", "rule:6:14: expected the end of the line"},
      {"  something\n",
       "rule:6:3: expected overloads, spec, doc, tensor, scalar, temporary, view, part, let, "
       "expression, reducer or stage"},
      {"  reducer r: f32 initial 0.0f32 reduce reduce<q keep 0 by lanes>(x)\n",
       "rule:6:47: no reducer is named 'q'"},
  };
  for (const auto &[line, message] : rows) {
    SCOPED_TRACE(line);
    try {
      mgen::ParseRule(kHeader + line);
      ADD_FAILURE() << "no error";
    } catch (const mgen::ParseError &error) {
      EXPECT_EQ(error.what(), message);
    }
  }
  EXPECT_THROW(mgen::ParseRule(""), mgen::ParseError);
  EXPECT_THROW(mgen::ParseRule("rule R<DType> [f32, f32]"), mgen::ParseError);
}

TEST(IrText, LocationsAreThoseOfTheText) {
  const mgen::Rule rule =
      mgen::ParseRule(std::string(kHeader) + "    1: x = add(x, a)\n", "some.ir");
  const mgen::Expr &value = rule.stages[0].body[0].value;
  EXPECT_EQ(value->location.file, "some.ir");
  EXPECT_EQ(value->location.line, 6);
  EXPECT_EQ(value->location.column, 12);
}

}  // namespace
