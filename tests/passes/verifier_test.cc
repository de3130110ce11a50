// SPDX-License-Identifier: Apache-2.0
#include "ir/verifier.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/walk.h"
#include "ir_text.h"
#include "passes/index_reads.h"
#include "passes/share.h"

namespace {

using namespace mgen;  // NOLINT: the test speaks the IR's language
using Lines = std::vector<std::string>;

Rule Example() {
  return mgen_test::ParseGood(R"(
rule Example<xpu> []
  tensor x: f32 1
  scalar a: f32
  let b: f32 = mul(a, a)
  stage
    1: x = mul(x, add(a, b))
    2: x = add(mul(x, x), mul(x, x))
)");
}

TEST(Verifier, FindsWhatIsWrongWithARule) {
  const Expr x = MakeRead(0, kFloatType);
  Rule rule = Example();
  rule.stages[0].body[0].value = MakeRead(7, kFloatType);
  EXPECT_EQ(Problems(rule), Lines{"statement 1: read of 7, which does not exist"});

  rule.stages[0].body[0].value = MakeParam(0, kFloatType);
  EXPECT_EQ(Problems(rule), Lines{"statement 1: param of 0, which is of the other kind"});

  rule.stages[0].body[0].value = MakeHoisted(0, kFloatType);
  EXPECT_EQ(Problems(rule), Lines{"statement 1: hoisted of 0, which cannot be here"});

  rule.stages[0].body[0].value = MakeCast(kIntType, x);
  EXPECT_EQ(Problems(rule), Lines{"statement 1: its value has another type than its target"});

  rule.stages[0].body[0].value = WithArgs(MakeOp(Op::kAdd, {x, x}), {x});
  EXPECT_EQ(Problems(rule), Lines{"statement 1: add takes 2 operands, not 1"});

  rule.stages[0].body[0].value = MakeRead(0, kFloatType, {MakeAxis(0), MakeLiteral(kIndexType, 0)});
  EXPECT_EQ(Problems(rule), Lines{"statement 1: read of 0, which has another rank than indices"});

  rule = Example();
  rule.prologue[0].value = MakeCast(kFloatType, MakeAxis(0));
  EXPECT_EQ(Problems(rule), Lines{"b: an axis cannot be here"});

  rule = Example();
  rule.prologue[0].value = x;
  EXPECT_EQ(Problems(rule), Lines{"b: read of 0, which cannot be here"});
  rule.prologue[0].value = MakeLocal(0, kFloatType);
  EXPECT_EQ(Problems(rule), Lines{"b: local of 0, which is not defined here"});

  rule = Example();
  rule.stages[0].body[0].number = 3;
  EXPECT_EQ(Problems(rule), Lines{"statement 2: number out of order"});
  rule = Example();
  rule.stages.push_back({{rule.stages[0].body[1]}});
  EXPECT_EQ(Problems(rule), Lines{"statement 2: number out of order"});
  rule = Example();
  rule.params[1].name = "x";
  EXPECT_EQ(Problems(rule), Lines{"x: name is empty or used twice"});
  EXPECT_THROW(Verify(rule), std::logic_error);
}

TEST(Verifier, FindsWhatIsWrongWithAScatterAdd) {
  const Rule good = mgen_test::ParseGood(R"(
rule Sums<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  const tensor at: i32 1
  stage
    1: out += scatter(at, in)
)");
  const Lines more = {"statement 1: a scatter-add does more than add rows"};
  Rule rule = good;
  rule.stages[0].body[0].saver = Saver::kSave;
  EXPECT_EQ(Problems(rule), more);
  rule = good;
  rule.stages[0].body[0].right.transposed = true;
  EXPECT_EQ(Problems(rule), more);
  rule = good;
  rule.stages[0].body[0].right.tensor = 2;
  EXPECT_EQ(Problems(rule), Lines{"statement 1: a scatter-add of other ranks or types"});
  rule.stages[0].body[0].right.tensor = 3;
  EXPECT_EQ(Problems(rule), Lines{"statement 1: its operands are not tensors"});
}

TEST(Verifier, FindsWhatIsWrongWithASort) {
  const Rule good = mgen_test::ParseGood(R"(
rule Sorts<xpu> []
  tensor out: f32 2
  tensor at: i32 2
  const tensor in: f32 2
  const tensor vector: f32 1
  stage
    1: out = top(in) columns to at
)");
  Rule rule = good;
  rule.stages[0].body[0].saver = Saver::kPlus;
  EXPECT_EQ(Problems(rule), Lines{"statement 1: a sort does more than sort rows"});
  rule = good;
  rule.stages[0].body[0].left.tensor = 1;
  EXPECT_EQ(Problems(rule), Lines{"statement 1: a sort of other ranks or types"});
  rule.stages[0].body[0].left.tensor = 3;
  EXPECT_EQ(Problems(rule), Lines{"statement 1: a sort of other ranks or types"});
  rule = good;
  rule.stages[0].body[0].sort.columns = 4;
  EXPECT_EQ(Problems(rule), Lines{"statement 1: its operands are not tensors"});
}

TEST(Verifier, FindsWhatIsWrongWithAPart) {
  const Rule good = mgen_test::ParseGood(R"ir(
rule Example<xpu> []
  tensor x: f32 3
  temporary t: f32 3
  part p: f32 3 of 2 = "slice<2>($0, $1, $2)" x, 0i64, 1i64
  stage
    1: p = p
)ir");
  EXPECT_EQ(Problems(good), Lines{});
  Rule rule = good;
  rule.params[2].view->ranges = {1};
  EXPECT_EQ(Problems(rule), Lines{});
  rule.params[2].view->ranges = {3};
  EXPECT_EQ(Problems(rule), Lines{"p: a part of a dimension that it does not have"});
  rule.params[2].view->ranges.clear();
  EXPECT_EQ(Problems(rule), Lines{"statement 1: its target is a view"});
  rule = good;
  rule.params[2].view->operands[0].param = 1;
  EXPECT_EQ(Problems(rule), Lines{});
  rule.params[2].view->operands[0].param = 2;
  EXPECT_EQ(Problems(rule),
            Lines({"p: it reads what is no tensor", "p: it is no part of a tensor"}));
  rule = good;
  rule.params[2].view->ranges = {2, 1, 1};
  EXPECT_EQ(Problems(rule), Lines{});
  rule.params[2].view->ranges = {1, 2};  // rows of runs cannot be cut after them
  EXPECT_EQ(Problems(rule), Lines{"p: an inner range before another one's"});
  rule = good;
  rule.params[2].rank = 1;
  EXPECT_EQ(Problems(rule), Lines({"p: it is no part of a tensor",
                                   "p: a part of a dimension that it does not have"}));
  rule = good;
  rule.params[2].view->operands.back().kind = View::Operand::kRank;
  EXPECT_EQ(Problems(rule), Lines{"p: it knows of a rank that its rule does not have"});
}

TEST(Verifier, FindsWhatIsWrongWithTheElementsOfATensor) {
  const Rule good = mgen_test::ParseGood(R"ir(
rule Example<xpu> []
  tensor x: f32 3
  temporary t: f32 2 shape(dim(x, 0), dim(x, 2))
  part p: f32 1 flat = "$0.FlatTo1D()" t
  stage
    1: p = sum<keep but 1 by leaves>(x)
)ir");
  EXPECT_EQ(Problems(good), Lines{});
  Rule rule = good;
  rule.params[2].rank = 2;
  EXPECT_EQ(Problems(rule).front(), "p: it is no part of a tensor");
  rule = good;
  rule.params[2].view->operands[0].param = 0;
  EXPECT_EQ(Problems(rule), Lines{"p: the rows of its tensor may be padded"});
}

TEST(Verifier, FindsWhatIsWrongWithATensorInAnotherShape) {
  const Rule good = mgen_test::ParseGood(R"ir(
rule Example<xpu> []
  tensor x: f32 3
  tensor m: f32 2
  part p: f32 2 reshaped = "$0.FlatTo2D()" x
  part q: f32 1 reshaped = "mshadow::expr::reshape($0, mshadow::Shape1($1))" x, index 6i64
  part d: f32 2 reshaped = "mshadow::expr::broadcast_with_axis(mshadow::expr::diag($0), $1, $2)" m, index 0i64, index 1i64
  stage
    1: p = 1.0f32
    2: q = 2.0f32
    3: d = 3.0f32
)ir");
  EXPECT_EQ(Problems(good), Lines{});
  Rule rule = good;
  rule.params[2].view->text = "$0.T()";
  EXPECT_EQ(Problems(rule), Lines{"p: it is no part of a tensor"});
  rule = good;
  rule.params[3].type = mgen::kIntType;
  EXPECT_EQ(Problems(rule).front(), "q: it is no part of a tensor");
  rule = good;
  rule.params[4].view->text = "mshadow::expr::broadcast_with_axis($0, $1, $2)";
  EXPECT_EQ(Problems(rule), Lines{"d: it is no part of a tensor"});
}

TEST(Verifier, FindsWhatIsWrongWithAPlan) {
  const Plan good = Share(mgen_test::PlanOf(Example()));
  EXPECT_EQ(Problems(good), Lines());
  ASSERT_EQ(good.steps[1].kind, Step::kLet);

  Plan plan = good;
  std::swap(plan.steps[1], plan.steps[2]);
  EXPECT_EQ(Problems(plan), (Lines{"step 2: let of 0, which is not bound here",
                                   "step 2: let of 0, which is not bound here"}));

  plan = good;
  plan.operands.clear();
  EXPECT_EQ(Problems(plan).size(), 4u);  // two reads, two targets

  plan = good;
  plan.operands[0].store = Guard();
  EXPECT_EQ(Problems(plan), (Lines{"step 1: x is never stored", "step 2: x is never stored"}));

  plan = good;
  plan.steps[0].value = MakeParam(1, kFloatType);
  EXPECT_EQ(Problems(plan), Lines{"step 1: param of 1, which cannot be here"});
}

TEST(Verifier, KnowsThatAKernelReducesInOneOrder) {
  const Plan good = mgen_test::PlanOf(mgen_test::ParseGood(R"v(
rule R<xpu> []
  tensor a: f32 4
  tensor v: f32 1
  tensor w: f32 1
  stage
    1: v = sum<keep 1 by planes>(a)
    2: w = max<keep 1 by planes>(a)
)v"));
  EXPECT_EQ(Problems(good), Lines());
  ASSERT_EQ(good.reductions.size(), 2u);

  Plan plan = good;
  plan.reductions[1].order = Order::kLeaves;
  EXPECT_EQ(Problems(plan), Lines{"w_max: is reduced by leaves, but v_sum by planes"});

  plan = good;
  for (mgen::Reduction &reduction : plan.reductions) reduction.order = Order::kLanes;
  EXPECT_EQ(Problems(plan), (Lines{"v_sum: what is kept leaves no elements to reduce by lanes",
                                   "w_max: what is kept leaves no elements to reduce by lanes"}));
}

/// As would be wrong if the launch's scalars were numbered anew and not everywhere.
TEST(Verifier, KnowsWhatIndicesAreMadeOf) {
  const Plan good = IndexReads(mgen_test::PlanOf(mgen_test::ParseGood(R"v(
rule R<xpu> []
  tensor out: f32 2
  const tensor in: f32 2
  scalar n: i64
  scalar eta: f32
  view seen: f32 2 = "mshadow::expr::slice<1>($0, $1, $2)" in, index n, index 9i64
  stage
    1: out = mul(seen, eta)
)v")));
  EXPECT_EQ(Problems(good), Lines());
  ASSERT_EQ(good.scalars.size(), 2u);

  Plan plan = good;
  Affine &index = plan.operands[1].read->sources[0].indices[1];
  ASSERT_EQ(index.terms().size(), 2u);  // the axis, and n
  const int other = 1 - index.terms()[1].value->index;
  index = index - Affine::Of(index.terms()[1].value) + Affine::Of(MakeHoisted(other, kIndexType));
  EXPECT_EQ(Problems(plan),
            Lines{"seen: an index is made of a number that its view does not take"});

  plan = good;
  plan.operands[1].read->extents[0] = Affine::Of(MakeDim(0, 0));  // of out
  EXPECT_EQ(Problems(plan),
            Lines{"seen: an index is made of a number that its view does not take"});

  plan = good;
  plan.operands[1].read->sources[0].rows_by = 0;  // out
  EXPECT_EQ(Problems(plan), Lines{"seen: reads what its view does not take"});
}

}  // namespace
