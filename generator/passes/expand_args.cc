// SPDX-License-Identifier: Apache-2.0
#include "passes/expand_args.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/names.h"

namespace mgen {
namespace {

class Expander {
 public:
  explicit Expander(Rule rule) : rule_(std::move(rule)) {
    for (const Param &param : rule_.params) names_.Take(param.name);
  }

  Rule Run() {
    for (Stage &stage : rule_.stages) stage.body = Expand(std::move(stage.body));
    return std::move(rule_);
  }

 private:
  std::vector<Statement> Expand(std::vector<Statement> body) {
    std::vector<Statement> expanded;
    for (Statement &statement : body) {
      statement.then_body = Expand(std::move(statement.then_body));
      statement.else_body = Expand(std::move(statement.else_body));
      if (statement.kind == Statement::kAssign) ExpandIn(&statement, &expanded);
      expanded.push_back(std::move(statement));
    }
    return expanded;
  }

  /// Expands the statement's value. The new statements are added to `before`.
  void ExpandIn(Statement *statement, std::vector<Statement> *before) {
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      const bool is_arg = ClassOf(node->op) == OpClass::Reduce && IsArg(node->op);
      if (!is_arg) return WithArgs(node, std::move(args));
      rule_.counted.push_back({statement->number, node->type});
      return WithLocation(Number(*node, args[0], *statement, before), node->location);
    });
    statement->value = rewrite(statement->value);
  }

  Expr Number(const Node &arg, const Expr &element, const Statement &statement,
              std::vector<Statement> *before) {
    const bool is_max = ReducingOf(arg.op) == Reducing::kArgMax;
    const Type type = ComputedIn(arg.type);
    const Expr value = type == element->type ? element : MakeCast(type, element);
    const Expr reduced = MakeReduction(ReductionOp(is_max ? Reducing::kMax : Reducing::kMin),
                                       arg.dim, arg.order, value);
    const Expr chosen = Temporary(reduced, statement, before);
    const Type number = NumberType(type);
    const Expr none = NoNumber(number);
    const Expr counted = MakeSelect(IsChosen(value, chosen),
                                    MakeIndex(number, TensorOf(element, statement), -1), none);
    const Expr first = MakeReduction(Op::kReduceMin, arg.dim, arg.order, counted);
    // If there are no elements, the index is 0.
    const Expr known = MakeSelect(MakeOp(Op::kEq, {first, none}), MakeLiteral(number, 0), first);
    return number == arg.type ? known : MakeCast(arg.type, known);
  }

  /// A temporary, to which a new statement before this one assigns `value`.
  Expr Temporary(const Expr &value, const Statement &statement, std::vector<Statement> *before) {
    Param param;
    param.name = names_.Unique(rule_.params[statement.target].name + "_chosen");
    param.is_tensor = param.is_temporary = true;
    param.type = value->type;
    param.rank = 1;
    param.is_single = KeptBy(*value).is_none();
    param.location = statement.location;
    Statement choice;
    choice.number = statement.number;
    choice.target = static_cast<int>(rule_.params.size());
    choice.value = value;
    choice.is_made = true;
    choice.location = statement.location;
    rule_.params.push_back(std::move(param));
    before->push_back(std::move(choice));
    return MakeRead(before->back().target, value->type, KeptBy(*value));
  }

  /// Whether a value equals the chosen one. If that is NaN, each NaN equals it.
  static Expr IsChosen(const Expr &value, const Expr &chosen) {
    const Expr is_it = MakeOp(Op::kEq, {value, chosen});
    if (CategoryOf(value->type.kind) != Category::kFloat) return is_it;
    return MakeOp(Op::kOr, {is_it, MakeOp(Op::kNe, {value, value})});
  }

  /// Any tensor whose elements are reduced.
  static int TensorOf(const Expr &element, const Statement &statement) {
    const Reads reads = ReadsOf(element);
    return reads.operands.empty() ? statement.target : reads.operands.front().first;
  }

  template <typename Is>
  bool InEveryInstance(Type type, Is is) const {
    if (!type.symbolic()) return is(type.kind);
    return std::all_of(rule_.instances.begin(), rule_.instances.end(),
                       [&](const auto &instance) { return is(KindIn(type, instance)); });
  }

  /// 16-bit floats are compared as floats.
  Type ComputedIn(Type type) const {
    const auto is_wide = [](ScalarKind kind) { return !IsNarrowFloat(kind); };
    if (InEveryInstance(type, is_wide)) return type;
    return {Promoted(type.kind), type.param, type.symbolic()};
  }

  /// The type of indices. A float type counts in itself: the launcher checks that it represents all
  /// indices.
  Type NumberType(Type type) const {
    return InEveryInstance(type, [](ScalarKind kind) { return IsFloat(kind); }) ? type : kIndexType;
  }

  static Expr NoNumber(Type type) {
    if (type == kIndexType) return MakeLiteral(type, std::numeric_limits<int64_t>::max());
    return MakeLiteral(type, std::numeric_limits<double>::infinity());
  }

  Rule rule_;
  NameSet names_;
};

}  // namespace

Rule ExpandArgs(Rule rule) { return Expander(std::move(rule)).Run(); }

}  // namespace mgen
