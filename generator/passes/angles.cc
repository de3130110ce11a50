// SPDX-License-Identifier: Apache-2.0
#include "passes/angles.h"

#include <map>
#include <set>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

/// The steps of one block. Each branch of an `if` is another block.
class Block {
 public:
  Block(const Plan &plan, std::vector<Step> *steps) : plan_(plan), steps_(*steps) {}

  void Pair() {
    for (Step &step : steps_) {
      if (step.kind != Step::kIf) Collect(step);
      NoteWrites(step);
    }
    for (Step &step : steps_) {
      if (step.kind == Step::kIf) {
        Block(plan_, &step.then_steps).Pair();
        Block(plan_, &step.else_steps).Pair();
      } else {
        step.value = Rewritten(step);
      }
    }
  }

 private:
  /// The angles of a step's sines and cosines, by the nodes. A node may be another value in the
  /// next step.
  using Angles = std::map<const Node *, int>;

  void Collect(const Step &step) {
    ForEachNode(step.value, [&](const Expr &node) {
      if (node->op != Op::kSin && node->op != Op::kCos) return;
      const int angle = numbers_.Of(node->args[0]);
      angles_[&step][node.get()] = angle;
      (node->op == Op::kSin ? sines_ : cosines_).insert(angle);
    });
  }

  void NoteWrites(const Step &step) {
    ForEachStep({step}, [this](const Step &inner) {
      if (inner.kind == Step::kAssign) numbers_.Written(plan_.operands[inner.operand].param);
    });
  }

  Expr Rewritten(const Step &step) const {
    const auto found = angles_.find(&step);
    if (found == angles_.end()) return step.value;
    const Angles &angles = found->second;
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      const auto of = angles.find(node.get());
      const bool is_paired =
          of != angles.end() && sines_.count(of->second) > 0 && cosines_.count(of->second) > 0;
      if (!is_paired) return WithArgs(node, std::move(args));
      const Expr both = MakeOp(Op::kSinCos, std::move(args));
      return WithName(MakeOp(node->op == Op::kSin ? Op::kSineOf : Op::kCosineOf, {both}),
                      node->name);
    });
    return rewrite(step.value);
  }

  const Plan &plan_;
  std::vector<Step> &steps_;
  ValueNumbers numbers_;
  std::map<const Step *, Angles> angles_;
  std::set<int> sines_, cosines_;
};

}  // namespace

void PairAngles(const Plan &plan, std::vector<Step> *steps) { Block(plan, steps).Pair(); }

}  // namespace mgen
