// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/value_numbers.h"

namespace {

using namespace mgen;  // NOLINT: the test speaks the IR's language

constexpr Type kHalfType{ScalarKind::kFloat16};

TEST(Builder, InfersTypes) {
  const Expr x = MakeRead(0, kFloatType);
  EXPECT_EQ(MakeOp(Op::kAdd, {x, x})->type, kFloatType);
  EXPECT_EQ(MakeOp(Op::kLt, {x, x})->type, kBoolType);
  EXPECT_EQ(MakeOp(Op::kIsNan, {x})->type, kBoolType);
  EXPECT_EQ(MakeOp(Op::kPowInt, {x, MakeLiteral(kIntType, 3)})->type, kFloatType);
  EXPECT_EQ(MakeSelect(MakeOp(Op::kLt, {x, x}), x, x)->type, kFloatType);
}

TEST(Builder, RefusesWhatCannotBe) {
  const Expr x = MakeRead(0, kFloatType);
  const Expr i = MakeRead(1, kIntType);
  const Expr b = MakeLiteral(kBoolType, true);
  EXPECT_EQ(TypeError(Op::kAdd, {x, i}), "operands of add have types f32 and i32");
  EXPECT_EQ(TypeError(Op::kAdd, {x}), "add takes 2 operands, not 1");
  EXPECT_EQ(TypeError(Op::kRem, {x, x}), "rem takes integers, not f32");
  EXPECT_EQ(TypeError(Op::kAdd, {b, b}), "add does not take bool");
  EXPECT_EQ(TypeError(Op::kNot, {x}), "not takes bool, not f32");
  EXPECT_EQ(TypeError(Op::kExp, {i}), "exp takes floats, not i32");
  EXPECT_EQ(TypeError(Op::kAbs, {i}), "");
  EXPECT_EQ(TypeError(Op::kSelect, {x, x, x}), "select takes bool, not f32");
  EXPECT_EQ(TypeError(Op::kPowInt, {x, x}), "powi takes an i32 exponent, not f32");
  EXPECT_THROW(MakeOp(Op::kAdd, {x, i}), std::invalid_argument);
  EXPECT_THROW(MakeRoundStochastic(kIntType, x, i), std::invalid_argument);
  EXPECT_THROW(MakeRoundStochastic(kBoolType, x, x), std::invalid_argument);
  EXPECT_EQ(MakeBitCast(kIntType, x)->type, kIntType);
  EXPECT_THROW(MakeBitCast(kHalfType, x), std::invalid_argument);
  EXPECT_THROW(MakeBitCast({ScalarKind::kInt8}, b), std::invalid_argument);
}

TEST(Builder, ChecksLiterals) {
  EXPECT_EQ(std::get<double>(MakeLiteral(kHalfType, 65519.0)->value), 65504.0);
  EXPECT_EQ(std::get<double>(MakeLiteral(kFloatType, 0.1)->value), static_cast<double>(0.1f));
  EXPECT_EQ(std::get<int64_t>(MakeLiteral({ScalarKind::kInt8}, -128)->value), -128);
  EXPECT_THROW(MakeLiteral({ScalarKind::kInt8}, 128), std::invalid_argument);
  EXPECT_THROW(MakeLiteral({ScalarKind::kUint8}, -1), std::invalid_argument);
  EXPECT_THROW(MakeLiteral(kIntType, 0.5), std::invalid_argument);
  EXPECT_EQ(std::get<uint64_t>(MakeLiteral({ScalarKind::kUint64}, ~uint64_t{0})->value),
            ~uint64_t{0});
  EXPECT_THROW(MakeLiteral(kIndexType, ~uint64_t{0}), std::invalid_argument);
}

TEST(Builder, NamesOperationsOnly) {
  const Expr x = MakeRead(0, kFloatType);
  EXPECT_EQ(WithName(x, "g"), x);
  EXPECT_EQ(WithName(MakeOp(Op::kNeg, {x}), "g")->name, "g");
  EXPECT_EQ(WithName(MakeCall("expf", kFloatType, {x}), "g")->name, "expf");
}

/// x + x + … with `length` additions.
Expr Chain(int length) {
  const Expr x = MakeRead(0, kFloatType);
  Expr sum = x;
  for (int i = 0; i < length; ++i) sum = MakeOp(Op::kAdd, {sum, x});
  return sum;
}

TEST(Walk, LongChainsDoNotExhaustTheStack) {
  constexpr int kLength = 1000000;
  int nodes = 0;
  Expr chain = Chain(kLength);
  ForEachNode(chain, [&nodes](const Expr &) { ++nodes; });
  EXPECT_EQ(nodes, kLength + 1);
  chain.reset();  // the destructor too
}

TEST(Walk, VisitsOperandsFirstAndOnce) {
  const Expr x = MakeRead(0, kFloatType);
  const Expr square = MakeOp(Op::kMul, {x, x});
  const Expr sum = MakeOp(Op::kAdd, {square, square});
  std::vector<Expr> visited;
  ForEachNode(sum, [&visited](const Expr &node) { visited.push_back(node); });
  EXPECT_EQ(visited, (std::vector<Expr>{x, square, sum}));
}

TEST(Walk, RewritesEachNodeOnceAndKeepsSharing) {
  const Expr x = MakeRead(0, kFloatType);
  const Expr square = MakeOp(Op::kMul, {x, x});
  const Expr sum = MakeOp(Op::kAdd, {square, square});
  int rewrites = 0;
  Rewriter rewrite([&rewrites](const Expr &node, std::vector<Expr> args) {
    ++rewrites;
    return node->op == Op::kRead ? MakeRead(1, node->type) : WithArgs(node, std::move(args));
  });
  const Expr result = rewrite(sum);
  EXPECT_EQ(rewrites, 3);
  EXPECT_EQ(result->args[0], result->args[1]);
  EXPECT_EQ(result->args[0]->args[0]->index, 1);
  EXPECT_EQ(rewrite(square), result->args[0]);
  EXPECT_EQ(rewrites, 3);
}

TEST(Walk, UnchangedNodesStayTheSameObjects) {
  const Expr chain = Chain(3);
  Rewriter rewrite(
      [](const Expr &node, std::vector<Expr> args) { return WithArgs(node, std::move(args)); });
  EXPECT_EQ(rewrite(chain), chain);
}

TEST(ValueNumbers, AreStructural) {
  ValueNumbers numbers;
  EXPECT_EQ(numbers.Of(Chain(5)), numbers.Of(Chain(5)));
  EXPECT_NE(numbers.Of(Chain(5)), numbers.Of(Chain(6)));
  EXPECT_EQ(numbers.Of(WithName(Chain(5), "sum")), numbers.Of(Chain(5)));
  EXPECT_NE(numbers.Of(MakeLiteral(kFloatType, 0.0)), numbers.Of(MakeLiteral(kFloatType, -0.0)));
  EXPECT_NE(numbers.Of(MakeRead(0, kFloatType)), numbers.Of(MakeRead(0, kFloatType, Axes::Last())));
  EXPECT_NE(numbers.Of(MakeCall("expf", kFloatType, {Chain(1)})),
            numbers.Of(MakeCall("logf", kFloatType, {Chain(1)})));
}

TEST(ValueNumbers, AWriteMakesNewValues) {
  ValueNumbers numbers;
  const Expr x = MakeRead(0, kFloatType);
  const Expr y = MakeRead(1, kFloatType);
  const int old_x = numbers.Of(x);
  const int old_y = numbers.Of(y);
  const ValueNumbers::Versions before = numbers.versions();
  numbers.Written(0);
  EXPECT_NE(numbers.Of(x), old_x);
  EXPECT_EQ(numbers.Of(y), old_y);
  numbers.set_versions(before);
  EXPECT_EQ(numbers.Of(x), old_x);
}

}  // namespace
