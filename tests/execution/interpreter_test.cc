// SPDX-License-Identifier: Apache-2.0
// The interpreter's own tests: it must accept what correct arithmetic gives, by a margin, and
// refuse what a wrong kernel gives.
#include "interpreter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "ir/parser.h"
#include "passes/expand_savers.h"
#include "passes/simplify_casts.h"

namespace {

using namespace mshadow_test;  // NOLINT
using mgen::Op;
using mgen::ScalarKind;

constexpr auto kF16 = ScalarKind::kFloat16;
constexpr auto kF32 = ScalarKind::kFloat32;
constexpr auto kF64 = ScalarKind::kFloat64;
constexpr auto kI8 = ScalarKind::kInt8;
constexpr auto kI32 = ScalarKind::kInt32;
constexpr double kInf = std::numeric_limits<double>::infinity();

Estimate F(double value) { return ExactFloat(kF32, value); }
Estimate Near(double value, double bound) {
  Estimate result = F(value);
  result.bound = bound;
  return result;
}

TEST(Estimate, AcceptsCorrectRoundingAndLittleMore) {
  const float a = 0.1f;
  const float b = 0.7f;
  for (Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv}) {
    const float right = op == Op::kAdd   ? a + b
                        : op == Op::kSub ? a - b
                        : op == Op::kMul ? a * b
                                         : a / b;
    const Estimate estimate = Apply(op, kF32, {F(a), F(b)});
    EXPECT_FALSE(estimate.undecided);
    EXPECT_TRUE(estimate.Accepts(right));
    EXPECT_FALSE(estimate.Accepts(right * (1 + 0x1p-22)));
    EXPECT_FALSE(estimate.Accepts(kInf));
  }
}

TEST(Estimate, ExactResultsAreExact) {
  const Estimate sum = Apply(Op::kAdd, kF32, {F(1.5), F(0.25)});
  EXPECT_EQ(sum.bound, 0);
  EXPECT_TRUE(sum.Accepts(1.75));
  EXPECT_FALSE(sum.Accepts(std::nextafter(1.75, 2.0)));
  EXPECT_EQ(Apply(Op::kMul, kF32, {F(0), Near(3, 1)}).bound, 0);
}

TEST(Estimate, CancellationKeepsTheAbsoluteError) {
  // (0.1 + 0.2) - 0.3 in float is 1.19e-08 off: far more than a rounding of the result.
  const Estimate sum = Apply(Op::kAdd, kF32, {F(0.1f), F(0.2f)});
  const Estimate difference = Apply(Op::kSub, kF32, {sum, F(0.3f)});
  EXPECT_TRUE(difference.Accepts((0.1f + 0.2f) - 0.3f));
  EXPECT_GT(difference.bound, std::fabs(static_cast<double>(difference.value)));
  EXPECT_LT(difference.bound, 0x1p-24);
}

TEST(Estimate, AnIntermediateMayOverflowInFloatOnly) {
  const Estimate large = Apply(Op::kMul, kF32, {F(1e30f), F(1e30f)});
  EXPECT_TRUE(large.Accepts(kInf));
  EXPECT_FALSE(large.Accepts(1e60));
  const Estimate back = Apply(Op::kMul, kF32, {large, F(1e-30f)});
  EXPECT_TRUE(back.Accepts(kInf));
  EXPECT_TRUE(Apply(Op::kSub, kF32, {large, large}).Accepts(std::nan("")));
  // At the very edge the rounding decides.
  EXPECT_TRUE(Apply(Op::kMul, kF32, {Near(0x1.fffffep127, 0x1p103), F(1.0)}).undecided);
  EXPECT_TRUE(Apply(Op::kMul, kF16, {ExactFloat(kF16, 60000), ExactFloat(kF16, 2)}).Accepts(kInf));
  EXPECT_TRUE(
      Apply(Op::kMul, kF64, {ExactFloat(kF64, 1e300), ExactFloat(kF64, 1e300)}).Accepts(kInf));
}

TEST(Estimate, UnderflowIsBounded) {
  const Estimate tiny = Apply(Op::kMul, kF32, {F(1e-30f), F(1e-15f)});
  EXPECT_TRUE(tiny.Accepts(1e-30f * 1e-15f));
  EXPECT_TRUE(tiny.Accepts(static_cast<double>(0x1p-149f)));
  EXPECT_FALSE(tiny.Accepts(1e-44));
  EXPECT_TRUE(Apply(Op::kDiv, kF32, {F(1), Near(0x1p-149, 0x1p-149)}).undecided);
}

TEST(Estimate, TheSignOfAZeroMayBeOpen) {
  const Estimate open = Apply(Op::kMul, kF32, {F(0.0), Near(1e-6, 1e-5)});
  EXPECT_TRUE(open.Accepts(0.0) && open.Accepts(-0.0));
  EXPECT_FALSE(open.Accepts(1e-6));
  EXPECT_TRUE(Apply(Op::kAtan2, kF32, {open, open}).undecided);
  EXPECT_TRUE(Apply(Op::kDiv, kF32, {F(1.0), open}).undecided);
  const Estimate known = Apply(Op::kMul, kF32, {F(-0.0), Near(1.0, 1e-5)});
  EXPECT_EQ(Apply(Op::kDiv, kF32, {F(1.0), known}).value, -kInf);
}

TEST(Estimate, DivisionByZero) {
  EXPECT_TRUE(Apply(Op::kDiv, kF32, {F(1), F(-0.0)}).Accepts(-kInf));
  EXPECT_TRUE(Apply(Op::kDiv, kF32, {F(0), F(0)}).Accepts(std::nan("")));
  EXPECT_TRUE(Apply(Op::kDiv, kF32, {Near(0, 1e-9), F(0)}).undecided);
  EXPECT_TRUE(Apply(Op::kDiv, kF32, {F(1), Near(0, 1e-9)}).undecided);
  EXPECT_TRUE(Apply(Op::kMul, kF32, {F(kInf), Near(0, 1e-9)}).undecided);
}

TEST(Estimate, ComparisonsAtTheBoundAreUndecided) {
  EXPECT_EQ(Apply(Op::kLt, ScalarKind::kBool, {F(1), F(2)}).integer, 1);
  EXPECT_TRUE(Apply(Op::kLt, ScalarKind::kBool, {Near(1, 0.6), Near(2, 0.6)}).undecided);
  EXPECT_FALSE(Apply(Op::kLt, ScalarKind::kBool, {Near(1, 0.4), Near(2, 0.4)}).undecided);
  EXPECT_EQ(Apply(Op::kNe, ScalarKind::kBool, {F(std::nan("")), F(1)}).integer, 1);
  const Estimate unknown = Undecided(ScalarKind::kBool);
  const Estimate no = ExactInteger(ScalarKind::kBool, 0);
  EXPECT_EQ(Apply(Op::kAnd, ScalarKind::kBool, {unknown, no}).undecided, false);
  EXPECT_EQ(Apply(Op::kOr, ScalarKind::kBool, {unknown, no}).undecided, true);
  EXPECT_TRUE(Apply(Op::kSelect, kF32, {unknown, F(1), F(2)}).undecided);
  EXPECT_EQ(Apply(Op::kSelect, kF32, {no, Undecided(kF32), F(2)}).value, 2);
}

TEST(Estimate, MinAndMaxOfNanAreSelects) {
  const Estimate nan = F(std::nan(""));
  EXPECT_TRUE(Apply(Op::kMin, kF32, {nan, F(1)}).Accepts(std::nan("")));
  EXPECT_TRUE(Apply(Op::kMin, kF32, {F(1), nan}).Accepts(1));
  EXPECT_EQ(Apply(Op::kMax, kF32, {Near(1, 0.5), Near(1.2, 0.1)}).bound, 0.5);
  EXPECT_EQ(Apply(Op::kMax, kF32, {Near(1, 0.01), Near(1.2, 0.1)}).bound, 0.1);
}

TEST(Estimate, FunctionsCarryTheirArgumentsError) {
  const Estimate e = Apply(Op::kExp, kF32, {Near(10, 1e-3)});
  EXPECT_TRUE(e.Accepts(std::exp(10.001)));
  EXPECT_TRUE(e.Accepts(std::exp(9.999)));
  EXPECT_FALSE(e.Accepts(std::exp(10.0011)));
  EXPECT_TRUE(Apply(Op::kExp, kF32, {F(100)}).Accepts(kInf));
  EXPECT_TRUE(Apply(Op::kSqrt, kF32, {Near(1e-9, 1e-8)}).undecided);
  EXPECT_TRUE(Apply(Op::kSqrt, kF32, {F(-1)}).Accepts(std::nan("")));
  EXPECT_TRUE(Apply(Op::kLog, kF32, {F(0)}).Accepts(-kInf));
  EXPECT_TRUE(Apply(Op::kPowInt, kF32, {F(-2), ExactInteger(kI32, 3)}).Accepts(-8));
  EXPECT_TRUE(Apply(Op::kFloor, kF32, {Near(2, 0.1)}).undecided);
  EXPECT_EQ(Apply(Op::kFloor, kF32, {Near(2.5, 0.1)}).bound, 0);
  EXPECT_TRUE(Apply(Op::kSigmoid, kF32, {F(-88.72f)}).Accepts(1 / (1 + std::exp(88.72f * 1.0))));
  EXPECT_TRUE(CallLibm("sinf", kF32, {F(1)}).Accepts(std::sin(1.0f)));
  EXPECT_THROW(CallLibm("gammaf", kF32, {F(1)}), std::invalid_argument);
}

TEST(Estimate, FunctionsOfTwoCarryBothErrors) {
  const Estimate angle = Apply(Op::kAtan2, kF32, {Near(1, 1e-3), Near(-1, 1e-3)});
  EXPECT_TRUE(angle.Accepts(std::atan2(1.001, -0.999)));
  EXPECT_FALSE(angle.Accepts(std::atan2(1.01, -0.999)));
  EXPECT_TRUE(Apply(Op::kAtan2, kF32, {Near(1e-9, 1e-8), F(-1)}).undecided);
  EXPECT_TRUE(Apply(Op::kAtan2, kF32, {F(-0.0), F(-1)}).Accepts(std::atan2(-0.0f, -1.0f)));
  EXPECT_TRUE(Apply(Op::kHypot, kF32, {F(kInf), F(std::nan(""))}).Accepts(kInf));
  EXPECT_TRUE(Apply(Op::kHypot, kF32, {Near(3, 0.1), F(4)}).Accepts(std::hypot(3.1, 4)));
  EXPECT_TRUE(Apply(Op::kLogAddExp, kF32, {F(-kInf), F(-kInf)}).Accepts(-kInf));
  const float cancels = -0.6931472f;
  const double left = cancels + std::log1p(std::exp(0.0));
  EXPECT_TRUE(Apply(Op::kLogAddExp, kF32, {F(cancels), F(cancels)}).Accepts(left + 0x1p-24));
  EXPECT_FALSE(Apply(Op::kLogAddExp, kF32, {F(cancels), F(cancels)}).Accepts(left + 0x1p-20));
  EXPECT_TRUE(Apply(Op::kCosh, kF32, {Near(0.1, 0.2)}).Accepts(1));
}

TEST(Estimate, CastsSaturateAndWrap) {
  EXPECT_EQ(Convert(kI8, F(300)).integer, 127);
  EXPECT_EQ(Convert(kI8, F(-kInf)).integer, -128);
  EXPECT_EQ(Convert(kI8, F(std::nan(""))).integer, 0);
  EXPECT_EQ(Convert(kI8, F(-1.9)).integer, -1);
  EXPECT_EQ(Convert(ScalarKind::kUint8, F(-1)).integer, 0);
  EXPECT_EQ(Convert(ScalarKind::kInt64, F(1e30)).integer, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(static_cast<uint64_t>(Convert(ScalarKind::kUint64, F(1e30)).integer), ~uint64_t{0});
  EXPECT_TRUE(Convert(kI8, Near(2, 0.1)).undecided);
  EXPECT_EQ(Convert(kI8, Near(300, 50)).integer, 127);
  EXPECT_EQ(Convert(kI8, ExactInteger(kI32, 300)).integer, 44);
  EXPECT_EQ(Convert(kF32, ExactInteger(kI32, 16777217)).bound > 0, true);
  EXPECT_TRUE(Convert(ScalarKind::kBool, Near(0, 1e-9)).undecided);
  const Estimate half = Convert(kF16, F(0.1f));
  EXPECT_TRUE(half.Accepts(0.0999755859375));
  EXPECT_FALSE(half.Accepts(0.0999755859375 + 0x1p-13));
}

TEST(Estimate, BitsOfNumbers) {
  const auto bits = [](const Estimate &x) { return Apply(Op::kBitCast, kI32, {x}).integer; };
  EXPECT_EQ(bits(F(1)), 0x3f800000);
  EXPECT_EQ(bits(F(-0.0)), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(bits(F(0x1p-149)), 1);
  EXPECT_EQ(bits(F(0x1.fffffep127)), 0x7f7fffff);
  EXPECT_EQ(bits(F(-kInf)), static_cast<int32_t>(0xff800000));
  EXPECT_TRUE(Apply(Op::kBitCast, kI32, {F(std::nan(""))}).undecided);
  EXPECT_TRUE(Apply(Op::kBitCast, kI32, {Near(1, 0x1p-24)}).undecided);
  const auto number = [](ScalarKind kind, ScalarKind from, int64_t integer) {
    return static_cast<double>(Apply(Op::kBitCast, kind, {ExactInteger(from, integer)}).value);
  };
  EXPECT_EQ(number(kF16, ScalarKind::kInt16, 0x7bff), 65504.0);
  EXPECT_EQ(number(kF16, ScalarKind::kInt16, 0x8001), -0x1p-24);
  EXPECT_EQ(number(ScalarKind::kBFloat16, ScalarKind::kInt16, 0xff80), -kInf);
  EXPECT_TRUE(std::isnan(number(ScalarKind::kFloat64, ScalarKind::kInt64, -1)));
  EXPECT_EQ(number(ScalarKind::kFloat64, ScalarKind::kInt64, 0x3ff8000000000000), 1.5);
}

TEST(Estimate, IntegersWrap) {
  const auto i8 = [](int64_t v) { return ExactInteger(kI8, v); };
  EXPECT_EQ(Apply(Op::kAdd, kI8, {i8(127), i8(1)}).integer, -128);
  EXPECT_EQ(Apply(Op::kDiv, kI8, {i8(-128), i8(-1)}).integer, -128);
  EXPECT_EQ(Apply(Op::kRem, kI8, {i8(-7), i8(2)}).integer, -1);
  EXPECT_TRUE(Apply(Op::kDiv, kI8, {i8(1), i8(0)}).undecided);
  EXPECT_EQ(Apply(Op::kShr, kI8, {i8(-128), i8(3)}).integer, -16);
  EXPECT_EQ(Apply(Op::kShl, kI8, {i8(1), i8(7)}).integer, -128);
  EXPECT_TRUE(Apply(Op::kShl, kI8, {i8(1), i8(8)}).undecided);
  EXPECT_EQ(Apply(Op::kAbs, kI8, {i8(-128)}).integer, -128);
  const auto u64 = [](uint64_t v) {
    return ExactInteger(ScalarKind::kUint64, static_cast<int64_t>(v));
  };
  EXPECT_EQ(Apply(Op::kDiv, ScalarKind::kUint64, {u64(~uint64_t{0}), u64(2)}).integer,
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Apply(Op::kLt, ScalarKind::kBool, {u64(1), u64(~uint64_t{0})}).integer, 1);
  EXPECT_EQ(Apply(Op::kMax, ScalarKind::kUint64, {u64(1), u64(~uint64_t{0})}).integer, -1);
}

mgen::Rule AdamW() {
  return mgen::ParseRule(R"(rule optim::AdamW<xpu, dim, DType> [f32] [f16]
  tensor weight: DType dim
  tensor mean: f32 dim
  const tensor grad: DType dim
  scalar lr: f32
  scalar beta1: f32
  scalar step: i32
  let step_size: f32 = div(lr, sub(1.0f32, powi(beta1, step)))
  stage
    1: mean = add(mul(beta1, mean), mul(sub(1.0f32, beta1), cast<f32>(grad)))
    2: weight = cast<DType>(sub(cast<f32>(weight), mul(step_size, mean)))
)");
}

TEST(Interpreter, RunsStatementsInOrder) {
  Arrays arrays;
  arrays["weight"] = FloatArray(kF32, {2}, {1.0, -2.0});
  arrays["mean"] = FloatArray(kF32, {2}, {0.5, 0.25});
  arrays["grad"] = FloatArray(kF32, {2}, {3.0, -1.0});
  const Scalars scalars = {{"lr", F(0.1f)}, {"beta1", F(0.9f)}, {"step", ExactInteger(kI32, 2)}};
  Interpret(AdamW(), 0, scalars, &arrays);
  const float step_size = 0.1f / (1.0f - 0.9f * 0.9f);
  for (int i : {0, 1}) {
    const float mean = 0.9f * (i == 0 ? 0.5f : 0.25f) + (1.0f - 0.9f) * (i == 0 ? 3.0f : -1.0f);
    const float weight = (i == 0 ? 1.0f : -2.0f) - step_size * mean;
    EXPECT_TRUE(arrays["mean"].elements[i].Accepts(mean));
    EXPECT_TRUE(arrays["weight"].elements[i].Accepts(weight));
    EXPECT_FALSE(arrays["weight"].elements[i].Accepts(weight * (1 + 1e-5f)));
    EXPECT_LT(arrays["weight"].elements[i].bound, 1e-6);
  }
}

TEST(Interpreter, AnotherInstanceRoundsToItsType) {
  Arrays arrays;
  arrays["weight"] = FloatArray(kF16, {1}, {1.0});
  arrays["mean"] = FloatArray(kF32, {1}, {0.5});
  arrays["grad"] = FloatArray(kF16, {1}, {3.0});
  const Scalars scalars = {{"lr", F(0.1f)}, {"beta1", F(0.9f)}, {"step", ExactInteger(kI32, 2)}};
  Interpret(AdamW(), 1, scalars, &arrays);
  EXPECT_GT(arrays["weight"].elements[0].bound, 1e-4);
  EXPECT_LT(arrays["weight"].elements[0].bound, 1e-3);
}

TEST(Interpreter, ScansRows) {
  const mgen::Rule rule = mgen::ParseRule(R"ir(rule R<xpu> []
  tensor sums: f32 2
  tensor before: f32 2
  tensor h: f32 2
  const tensor in: f32 2
  stage
    1: sums = scan<sum>(in)
    2: before = scan<exclusive max>(in)
    3: h = recurrence(0.5f32, in)
)ir");
  // As tests/runtime/scan_test.cc has it for the runtime.
  Arrays arrays;
  std::vector<double> elements(64, 1.0);
  elements[0] = elements[32] = 0x1p24;
  for (const char *name : {"sums", "before", "h"}) {
    arrays[name] = FloatArray(kF32, {2, 32}, std::vector<double>(64));
  }
  arrays["in"] = FloatArray(kF32, {2, 32}, elements);
  Interpret(rule, 0, {}, &arrays);
  for (size_t begin : {0, 32}) {
    const auto sum = [&](size_t x) { return arrays["sums"].elements[begin + x]; };
    EXPECT_TRUE(sum(1).Accepts(0x1p24));
    EXPECT_TRUE(sum(7).Accepts(0x1p24 + 6));
    EXPECT_TRUE(sum(31).Accepts(0x1p24 + 30));
    EXPECT_LT(sum(31).bound, 16);  // that of a sum in sequence is 32
    EXPECT_TRUE(arrays["before"].elements[begin].Accepts(-kInf));
    EXPECT_TRUE(arrays["before"].elements[begin + 31].Accepts(0x1p24));
    EXPECT_TRUE(arrays["h"].elements[begin + 1].Accepts(0x1p23 + 1));
  }
}

TEST(Interpreter, ReadsRowsAndColumnsAndShapes) {
  const mgen::Rule rule = mgen::ParseRule(R"(rule R<xpu> []
  tensor out: f32 2
  const tensor row_vector: f32 1
  const tensor column_vector: f32 1
  let count: f32 = cast<f32>(add(size(out), dim(out, 1)))
  stage
    1: out = add(mul(10.0f32, column_vector[axis(0)]), row_vector[axis(last)])
    2: out += count
)");
  Arrays arrays;
  arrays["out"] = FloatArray(kF32, {2, 3}, std::vector<double>(6, 0.0));
  arrays["row_vector"] = FloatArray(kF32, {3}, {1, 2, 3});
  arrays["column_vector"] = FloatArray(kF32, {2}, {4, 5});
  Interpret(rule, 0, {}, &arrays);
  const std::vector<double> expected = {50, 51, 52, 60, 61, 62};
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(arrays["out"].elements[i].value, expected[i]);
}

TEST(Interpreter, BranchesAndUndecidedConditions) {
  const mgen::Rule rule = mgen::ParseRule(R"(rule R<xpu> []
  tensor a: f32 1
  tensor b: f32 1
  scalar s: f32
  stage
    if gt(mul(s, 3.0f32), 1.0f32)
      1: a = 1.0f32
    else
      2: a = 2.0f32
    3: b -= a
)");
  const auto run = [&rule](float s) {
    Arrays arrays;
    arrays["a"] = FloatArray(kF32, {1}, {0});
    arrays["b"] = FloatArray(kF32, {1}, {0});
    Interpret(rule, 0, {{"s", F(s)}}, &arrays);
    return arrays["b"].elements[0];
  };
  EXPECT_EQ(run(1.0f).value, -1);
  EXPECT_EQ(run(0.0f).value, -2);
  EXPECT_TRUE(run(1.0f / 3).undecided);
}

TEST(Interpreter, SaversAreTheirOperations) {
  const mgen::Rule rule = mgen::ParseRule(R"(rule R<xpu, dim, DType> [i8] [bool] [f32]
  tensor t: DType dim
  const tensor e: DType dim
  stage
    1: t += e
    2: t *= e
    3: t -= e
    4: t /= e
)");
  Arrays arrays;
  arrays["t"] = IntegerArray(kI8, {1}, {100});
  arrays["e"] = IntegerArray(kI8, {1}, {100});
  Interpret(rule, 0, {}, &arrays);
  EXPECT_EQ(arrays["t"].elements[0].integer, 0);  // 100 + 100 = -56; * 100 = 32; - 100 = -68; / 100
  arrays["t"] = IntegerArray(ScalarKind::kBool, {1}, {1});
  arrays["e"] = IntegerArray(ScalarKind::kBool, {1}, {1});
  Interpret(rule, 1, {}, &arrays);
  EXPECT_EQ(arrays["t"].elements[0].integer, 0);  // 2 → true; 1 → true; 0; 0 / 1
}

TEST(Interpreter, ProductsOf16BitFloatsAreRoundedOnceWithWhatTheyAreAddedTo) {
  const mgen::Rule rule = mgen::ParseRule(R"(rule R<xpu> []
  tensor plus: f16 2
  tensor minus: f16 2
  tensor alone: f16 2
  const tensor a: f16 2
  const tensor b: f16 2
  stage
    1: plus += dot(a, b) scaled 1.0f16
  stage
    2: minus -= dot(a, b) scaled 1.0f16
  stage
    3: alone = dot(a, b) scaled 0.5f16
)");
  Arrays arrays;
  arrays["plus"] = FloatArray(kF16, {1, 1}, {-60000});
  arrays["minus"] = FloatArray(kF16, {1, 1}, {60000});
  arrays["alone"] = FloatArray(kF16, {1, 1}, {0});
  arrays["a"] = FloatArray(kF16, {1, 2}, {300, 100});
  arrays["b"] = FloatArray(kF16, {2, 1}, {300, 100});
  Interpret(rule, 0, {}, &arrays);
  // 100000 is no half_t, which the results are, within a rounding.
  EXPECT_TRUE(arrays["plus"].elements[0].Accepts(40000));
  EXPECT_FALSE(arrays["plus"].elements[0].Accepts(kInf));
  EXPECT_TRUE(arrays["minus"].elements[0].Accepts(-40000));
  EXPECT_TRUE(arrays["alone"].elements[0].Accepts(50000));
}

TEST(Interpreter, AddsRowsToThoseThatIndicesName) {
  const mgen::Rule rule = mgen::ParseRule(R"(rule R<xpu> []
  tensor near: f32 2
  tensor modulo: f32 2
  const tensor at: f32 1
  const tensor in: f32 2
  stage
    1: near += scatter(at, in)
  stage
    2: modulo += scatter(at, in) modulo rows
)");
  Arrays arrays;
  arrays["near"] = FloatArray(kF32, {2, 1}, {1, 10});
  arrays["modulo"] = FloatArray(kF32, {2, 1}, {1, 10});
  arrays["at"] = FloatArray(kF32, {4}, {1, -3, 1, 4});
  arrays["in"] = FloatArray(kF32, {4, 1}, {1, 20, -2, 300});
  Interpret(rule, 0, {}, &arrays);
  EXPECT_EQ(arrays["near"].elements[0].value, 21);
  EXPECT_EQ(arrays["near"].elements[1].value, 309);
  EXPECT_EQ(arrays["modulo"].elements[0].value, 301);
  EXPECT_EQ(arrays["modulo"].elements[1].value, 29);
}

TEST(Interpreter, WritesDiagonals) {
  const mgen::Rule rule = mgen::ParseRule(R"ir(rule R<xpu> []
  tensor m: f32 2
  const tensor v: f32 1
  part d: f32 2 reshaped = "mshadow::expr::broadcast_with_axis(mshadow::expr::diag($0), $1, $2)" m, index 0i64, index 1i64
  stage
    1: d += v[axis(0)]
)ir");
  Arrays arrays;
  arrays["m"] = FloatArray(kF32, {2, 2}, {1, 2, 3, 4});
  arrays["v"] = FloatArray(kF32, {2}, {10, 20});
  Interpret(rule, 0, {}, &arrays);
  const std::vector<double> want = {11, 2, 3, 24};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(arrays["m"].elements[i].value, want[i]);
}

TEST(Interpreter, SortsRows) {
  const mgen::Rule rule = mgen::ParseRule(R"(rule R<xpu> []
  tensor first: f32 2
  tensor at: i32 2
  tensor all: f32 2
  const tensor in: f32 2
  stage
    1: first = top(in) columns to at
  stage
    2: all = sort(in) ascending
)");
  const double nan = std::nan("");
  Arrays arrays;
  arrays["first"] = FloatArray(kF32, {2, 2}, {0, 0, 0, 0});
  arrays["at"] = FloatArray(kF32, {2, 2}, {0, 0, 0, 0});
  for (Estimate &e : arrays["at"].elements) e = ExactInteger(mgen::ScalarKind::kInt32, 0);
  arrays["all"] = FloatArray(kF32, {2, 4}, {0, 0, 0, 0, 0, 0, 0, 0});
  arrays["in"] = FloatArray(kF32, {2, 4}, {3, 5, 1, 5, 2, nan, 4, 1});
  arrays["in"].elements[6].bound = 3;
  Interpret(rule, 0, {}, &arrays);
  EXPECT_EQ(arrays["first"].elements[0].value, 5);
  EXPECT_EQ(arrays["at"].elements[0].integer, 1);
  EXPECT_EQ(arrays["at"].elements[1].integer, 3);
  EXPECT_TRUE(std::isnan(arrays["first"].elements[2].value));
  EXPECT_EQ(arrays["at"].elements[2].integer, 1);
  EXPECT_EQ(arrays["first"].elements[3].bound, 3);
  EXPECT_TRUE(arrays["at"].elements[3].undecided);
  EXPECT_EQ(arrays["all"].elements[0].value, 1);
  EXPECT_EQ(arrays["all"].elements[3].value, 5);
}

/// Passes on RuleIR do not change what a rule means.
TEST(Interpreter, PassesKeepTheMeaning) {
  mgen::Rule rule = AdamW();
  rule.stages[0].body[1].saver = mgen::Saver::kMinus;
  const Scalars scalars = {{"lr", F(0.1f)}, {"beta1", F(0.9f)}, {"step", ExactInteger(kI32, 2)}};
  const auto run = [&scalars](const mgen::Rule &r) {
    Arrays arrays;
    arrays["weight"] = FloatArray(kF32, {1}, {1.0});
    arrays["mean"] = FloatArray(kF32, {1}, {0.5});
    arrays["grad"] = FloatArray(kF32, {1}, {3.0});
    Interpret(r, 0, scalars, &arrays);
    return arrays["weight"].elements[0];
  };
  const Estimate before = run(rule);
  const Estimate after = run(mgen::ExpandSavers(mgen::SimplifyCasts(rule)));
  EXPECT_EQ(before.value, after.value);
  EXPECT_EQ(before.bound, after.bound);
}

TEST(Interpreter, ChecksItsArguments) {
  Arrays arrays;
  const Scalars scalars = {{"lr", F(0.1f)}, {"beta1", F(0.9f)}, {"step", ExactInteger(kI32, 2)}};
  EXPECT_THROW(Interpret(AdamW(), 0, scalars, &arrays), std::invalid_argument);
  arrays["weight"] = FloatArray(kF16, {1}, {1.0});
  arrays["mean"] = FloatArray(kF32, {1}, {0.5});
  arrays["grad"] = FloatArray(kF32, {1}, {3.0});
  EXPECT_THROW(Interpret(AdamW(), 0, scalars, &arrays), std::invalid_argument);
  arrays["weight"] = FloatArray(kF32, {2}, {1.0});
  EXPECT_THROW(Interpret(AdamW(), 0, scalars, &arrays), std::invalid_argument);
}

}  // namespace
