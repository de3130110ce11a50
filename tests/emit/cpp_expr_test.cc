// SPDX-License-Identifier: Apache-2.0
#include "emit/cpp_expr.h"

#include <gtest/gtest.h>

#include "ir/parser.h"

namespace mgen {
namespace {

constexpr char kRule[] =
    "rule r<xpu, dim>\n"
    "  tensor y: f32 dim\n"
    "  tensor a: f32 dim\n"
    "  tensor b: f32 dim\n"
    "  tensor c: f32 dim\n"
    "  tensor i: i32 dim\n"
    "  tensor j: i32 dim\n"
    "  scalar s: f32\n"
    "  scalar t: f32\n"
    "  scalar n: i32\n"
    "  scalar on: bool\n"
    "  stage\n"
    "    1: y = ";

/// The value of statement 1, with names for its leaves.
std::string Print(const std::string &expr, ExprStyle::Target target, int width = 1000,
                  Numerics numerics = Numerics::kStrict, bool divides = false) {
  const Rule rule = ParseRule(kRule + expr + "\n");
  ExprStyle style;
  style.target = target;
  style.numerics = numerics;
  style.divides = divides;
  style.leaf = [&](const Node &node) { return rule.params.at(node.index).name; };
  style.type_name = [](Type type) { return std::string(CppName(type.kind)); };
  style.is_scalar = [](const Node &node) { return node.op == Op::kParam; };
  return RenderExpr("", rule.stages[0].body[0].value, "", style, width);
}

struct Row {
  const char *expr;
  const char *text;
};

TEST(CppExpr, ParenthesesOnlyWhereNeeded) {
  const Row rows[] = {
      {"add(a, add(b, c))", "a + (b + c)"},
      {"add(add(a, b), c)", "a + b + c"},
      {"sub(a, sub(b, c))", "a - (b - c)"},
      {"mul(add(a, b), c)", "(a + b) * c"},
      {"add(mul(a, b), c)", "a * b + c"},
      {"div(a, mul(b, c))", "a / (b * c)"},
      {"mul(div(a, b), c)", "a / b * c"},
      {"neg(neg(a))", "-(-a)"},
      {"neg(add(a, b))", "-(a + b)"},
      {"sub(a, neg(b))", "a - -b"},
      {"mul(neg(a), b)", "-a * b"},
      {"neg(mul(a, b))", "-(a * b)"},
      {"sub(a, -1.0f32)", "a - -1.0f"},
      {"select(and(lt(a, b), or(gt(a, c), not(eq(b, c)))), a, b)",
       "Select(a < b && (a > c || !(b == c)), a, b)"},
      {"select(or(and(lt(a, b), lt(b, c)), lt(a, c)), a, b)",
       "Select((a < b && b < c) || a < c, a, b)"},
      {"select(and(lt(a, b), and(lt(b, c), lt(a, c))), a, b)",
       "Select(a < b && b < c && a < c, a, b)"},
      {"cast<f32>(bitand(i, bitor(j, 3i32)))", "Cast<float>(i & (j | 3))"},
      {"cast<f32>(bitxor(shl(i, add(j, 1i32)), j))", "Cast<float>((i << (j + 1)) ^ j)"},
      {"cast<f32>(rem(mul(i, j), 7i32))", "Cast<float>(i * j % 7)"},
  };
  for (const Row &row : rows) EXPECT_EQ(Print(row.expr, ExprStyle::kPacket), row.text) << row.expr;
}

TEST(CppExpr, AnOperationOnScalarsAloneTakesLanes) {
  const Row rows[] = {
      {"mul(a, s)", "a * s"},
      {"mul(s, t)", "Broadcast<N>(s) * t"},
      {"sqrt(s)", "Sqrt(Broadcast<N>(s))"},
      {"max(s, 0.0f32)", "Max(Broadcast<N>(s), 0.0f)"},
      {"max(a, 0.0f32)", "Max(a, 0.0f)"},
      {"select(on, a, s)", "Select(on, a, s)"},
      {"select(on, s, t)", "Select(on, Broadcast<N>(s), t)"},
      {"select(lt(a, b), s, t)", "Select(a < b, s, t)"},
      {"select(lt(s, t), a, b)", "Select(Broadcast<N>(s) < t, a, b)"},
      {"cast<f32>(div(n, 2i32))", "Cast<float>(Broadcast<N>(n) / 2)"},
      {"s", "s"},
  };
  for (const Row &row : rows) EXPECT_EQ(Print(row.expr, ExprStyle::kPacket), row.text) << row.expr;
}

TEST(CppExpr, Forms) {
  const Row rows[] = {
      {"cast<f32>(a)", "a"},
      {"cast<f32>(i)", "Cast<float>(i)"},
      {"call<f32>(expf, a)", "Lanewise(::expf, a)"},
      {"cast<f32>(call<f64>(pow, cast<f64>(a), 2.0f64))",
       "Cast<float>(Lanewise([](double a, double b) { return ::pow(a, b); }, Cast<double>(a), "
       "2.0))"},
      {"powi(a, n)", "PowInt(a, n)"},
  };
  for (const Row &row : rows) EXPECT_EQ(Print(row.expr, ExprStyle::kPacket), row.text) << row.expr;
}

TEST(CppExpr, ContractedSums) {
  const auto print = [](const char *expr) {
    return Print(expr, ExprStyle::kPacket, 1000, Numerics::kContract);
  };
  EXPECT_EQ(print("add(mul(a, b), c)"), "MulAdd(a, b, c)");
  EXPECT_EQ(print("add(c, mul(a, b))"), "MulAdd(a, b, c)");
  EXPECT_EQ(print("sub(mul(a, b), c)"), "MulAdd(a, b, -c)");
  EXPECT_EQ(print("sub(c, mul(a, b))"), "MulAdd(-a, b, c)");
  EXPECT_EQ(print("sub(c, mul(neg(a), b))"), "MulAdd(-(-a), b, c)");
  EXPECT_EQ(print("sub(mul(a, b), add(s, c))"), "MulAdd(a, b, -(s + c))");
  EXPECT_EQ(print("add(mul(a, b), mul(b, c))"), "MulAdd(a, b, b * c)");
  EXPECT_EQ(print("mul(add(mul(s, a), b), c)"), "MulAdd(s, a, b) * c");
  EXPECT_EQ(print("div(sub(a, b), c)"), "(a - b) / c");
  EXPECT_EQ(print("add(mul(i, j), i)"), "i * j + i");
  EXPECT_EQ(Print("add(mul(a, b), c)", ExprStyle::kHost, 1000, Numerics::kContract), "a * b + c");
}

TEST(CppExpr, Approximations) {
  const auto print = [](const char *expr, bool divides = false) {
    return Print(expr, ExprStyle::kPacket, 1000, Numerics::kFast, divides);
  };
  EXPECT_EQ(print("div(a, b)"), "FastDiv(a, b)");
  EXPECT_EQ(print("div(1.0f32, add(a, b))"), "FastDiv(1.0f, a + b)");
  EXPECT_EQ(print("div(s, t)"), "FastDiv(Broadcast<N>(s), t)");
  EXPECT_EQ(print("sqrt(a)"), "FastSqrt(a)");
  EXPECT_EQ(print("sqrt(a)", true), "Sqrt(a)") << "beside quotients roots cost nothing";
  EXPECT_EQ(print("div(a, add(sqrt(b), c))", true), "FastDiv(a, Sqrt(b) + c)");
  EXPECT_EQ(print("div(a, sqrt(add(b, c)))"), "FastDivSqrt(a, b + c)");
  EXPECT_EQ(print("rsqrt(a)", true), "FastRsqrt(a)");
  EXPECT_EQ(print("add(mul(a, div(b, c)), c)"), "MulAdd(a, FastDiv(b, c), c)");
  EXPECT_EQ(print("tan(a)"), "FastTan(a)");
  EXPECT_EQ(print("sin(s)"), "FastSin(Broadcast<N>(s))");
  EXPECT_EQ(print("hypot(a, s)"), "FastHypot(a, s)");
  EXPECT_EQ(print("exp(a)"), "Exp(a)") << "no other form is faster";
  EXPECT_EQ(print("div(i, j)"), "i / j");
  EXPECT_EQ(Print("div(a, b)", ExprStyle::kHost, 1000, Numerics::kFast), "a / b");
  EXPECT_EQ(Print("div(a, b)", ExprStyle::kPacket, 1000, Numerics::kContract), "a / b");
  EXPECT_EQ(Print("tan(a)", ExprStyle::kPacket, 1000, Numerics::kContract), "Tan(a)");
}

TEST(CppExpr, OnTheHost) {
  const Row rows[] = {
      {"div(s, sub(1.0f32, powi(t, n)))", "s / (1.0f - mshadow::math::pow(t, n))"},
      {"select(on, s, add(t, s))", "on ? s : t + s"},
      {"mul(select(on, s, t), s)", "(on ? s : t) * s"},
      {"select(on, select(lt(s, t), s, t), s)", "on ? (s < t ? s : t) : s"},
      {"cast<f32>(n)", "float(n)"},
      {"call<f32>(powf, s, t)", "::powf(s, t)"},
      {"max(s, t)", "mshadow::math::max(s, t)"},
  };
  for (const Row &row : rows) EXPECT_EQ(Print(row.expr, ExprStyle::kHost), row.text) << row.expr;
}

TEST(CppExpr, ForPeople) {
  EXPECT_EQ(Print("div(1.0f32, sqrt(cast<f32>(n)))", ExprStyle::kPeople), "1 / sqrt(n)");
  EXPECT_EQ(Print("mul(s, 0.5f32)", ExprStyle::kPeople), "s * 0.5");
}

TEST(CppExpr, LinesEndAfterLooseOperators) {
  EXPECT_EQ(Print("sub(mul(a, b), mul(c, a))", ExprStyle::kPacket, 12), "a * b -\nc * a");
  EXPECT_EQ(Print("sqrt(sub(mul(a, b), mul(c, a)))", ExprStyle::kPacket, 14),
            "Sqrt(a * b -\n     c * a)");
}

TEST(CppExpr, ALongChainIsPrintedWithoutRecursion) {
  std::string expr = "a";
  for (int i = 0; i < 3000; ++i) expr = "add(" + expr + ", b)";
  EXPECT_EQ(Print(expr, ExprStyle::kPacket, 100000).size(), 1 + 4 * 3000u);
}

}  // namespace
}  // namespace mgen
