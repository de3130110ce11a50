// SPDX-License-Identifier: Apache-2.0
#include "passes/lift_reductions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/extents.h"
#include "ir/made_name.h"
#include "ir/walk.h"
#include "passes/names.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

bool Reduces(const Expr &node) { return ClassOf(node->op) == OpClass::Reduce; }

/// What an expression depends on.
struct Dependence {
  bool on_elements = false;
  std::optional<int> kept;  ///< the only axis along which its values differ; -1: along none
  bool reduces = false;     ///< whether some of its values are reductions

  /// Whether it has a value for each index of one axis, computed from reductions.
  bool is_reduced() const { return reduces && !on_elements; }
};

Dependence Both(const Dependence &a, const Dependence &b) {
  const bool differ = a.kept && b.kept && a.kept != b.kept;
  return {a.on_elements || b.on_elements || differ, a.kept ? a.kept : b.kept,
          a.reduces || b.reduces};
}

/// The axis along which a vector is read; -1: it is one element.
int AxisOf(const Node &read) {
  const Node &index = *read.args.front();
  return index.op == Op::kAxis ? index.dim : -1;
}

bool ReadsVector(const Node &node) {
  return node.op == Op::kRead && node.args.size() == 1 && ReadNodesOf(node.args[0]).empty();
}

/// Whether a value has a reduction of the same kind, along the same axes, that is below no other.
bool ReducesLike(const Expr &value, const Node &reduction) {
  const std::vector<Expr> all = OutermostReductions(value);
  return std::any_of(all.begin(), all.end(), [&reduction](const Expr &own) {
    return own->op == reduction.op && own->dim == reduction.dim && own->order == reduction.order;
  });
}

/// Whether a reduction reads the values of an axis for each element.
bool RepeatsValues(const Expr &value) {
  bool repeats = false;
  ForEachNode(value, [&repeats](const Expr &node) { repeats = repeats || ReadsVector(*node); });
  return repeats;
}

/// The value of each index of an axis as the element of a vector.
Expr AsVector(const Expr &value) {
  Rewriter rewrite([](const Expr &node, std::vector<Expr> args) {
    if (Reduces(node)) return node;  // its operand has elements
    if (ReadsVector(*node)) return WithLocation(MakeRead(node->index, node->type), node->location);
    return WithArgs(node, std::move(args));
  });
  return rewrite(value);
}

/// The tensors whose elements an expression reads; of a temporary, the one whose shape it has.
std::set<int> TensorsWithElements(const Rule &rule, const Expr &value) {
  std::set<int> tensors;
  for (const Expr &read : ReadNodesOf(value)) {
    if (!ReadsVector(*read)) tensors.insert(ShapeOf(rule, read->index));
  }
  return tensors;
}

/// Whether some of the reductions share no tensor with the others, so that nothing says that they
/// go over one shape.
bool GoOverSeveralShapes(const Rule &rule, const std::vector<Expr> &reductions) {
  if (reductions.size() < 2) return false;
  std::vector<std::set<int>> open;
  for (const Expr &reduction : reductions) open.push_back(TensorsWithElements(rule, reduction));
  std::set<int> together = open.front();
  for (size_t joined = 1; joined != 0;) {
    joined = 0;
    for (std::set<int> &tensors : open) {
      const bool meets = std::any_of(tensors.begin(), tensors.end(),
                                     [&](int tensor) { return together.count(tensor) != 0; });
      if (!meets) continue;
      together.merge(std::exchange(tensors, {}));
      ++joined;
    }
  }
  return std::any_of(open.begin(), open.end(),
                     [](const auto &tensors) { return !tensors.empty(); });
}

class Lifter {
 public:
  explicit Lifter(Rule rule) : rule_(std::move(rule)) {
    for (const Param &param : rule_.params) names_.Take(param.name);
    for (const Local &local : rule_.prologue) names_.Take(local.name);
  }

  Rule Run() {
    std::vector<Statement> &body = rule_.stages.front().body;
    body = Lift(std::move(body));
    return std::move(rule_);
  }

 private:
  std::vector<Statement> Lift(std::vector<Statement> body) {
    std::vector<Statement> lifted;
    for (Statement &statement : body) {
      if (statement.kind == Statement::kIf) LiftBranches(&statement);
      if (statement.kind == Statement::kAssign) LiftFrom(&statement, &lifted);
      for (const int tensor : EffectsOf(statement).written) Forget(tensor);
      lifted.push_back(std::move(statement));
    }
    return lifted;
  }

  /// A temporary that is assigned in a branch has a value only in that branch.
  void LiftBranches(Statement *choice) {
    const std::map<int, int> known = known_;
    const ValueNumbers::Versions versions = numbers_.versions();
    for (std::vector<Statement> *branch : {&choice->then_body, &choice->else_body}) {
      *branch = Lift(std::move(*branch));
      known_ = known;
      numbers_.set_versions(versions);
    }
  }

  /// Lifts what a statement picks from the rows of matrices that nothing shows to have the shape of
  /// its elements, or of those that it reduces. These matrices may have other numbers of columns.
  /// A matrix by whose extents the statement counts stays: its kernel must use that matrix.
  void LiftPicked(Statement *statement, std::vector<Statement> *before) {
    const std::set<const Node *> below = BelowReductions(statement->value);
    const bool has_elements = rule_.params[statement->target].rank == 2;
    std::set<int> elements, reduced;
    if (has_elements) elements.insert(ShapeOf(rule_, statement->target));
    for (const Expr &read : ReadNodesOf(statement->value)) {
      std::set<int> &to = below.count(read.get()) != 0 ? reduced : elements;
      if (IsInPlace(*read)) to.insert(ShapeOf(rule_, read->index));
    }
    for (Expr e : statement->fitting) {
      std::set<int> &to = Reduces(e) ? reduced : elements;
      while (Reduces(e)) e = e->args[0];
      if (!AsksForExtent(e)) to.insert(ShapeOf(rule_, e->index));
    }
    for (const CountedExtent &extent : statement->counts) {
      elements.insert(ShapeOf(rule_, extent.tensor));
      reduced.insert(ShapeOf(rule_, extent.tensor));
    }
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      const Expr same = WithArgs(node, std::move(args));
      if (!IsPicked(*same)) return same;
      const bool is_below = below.count(node.get()) != 0;
      const std::set<int> &beside = is_below ? reduced : elements;
      const bool is_alone = is_below ? reduced.empty() : !has_elements;
      if (is_alone || beside.count(ShapeOf(rule_, node->index)) != 0) return same;
      return WithLocation(Temporary(same, 0, *statement, before), node->location);
    });
    statement->value = rewrite(statement->value);
  }

  void LiftFrom(Statement *statement, std::vector<Statement> *before) {
    const bool writes_vector = rule_.params[statement->target].rank == 1;
    if (writes_vector || rule_.params[statement->target].rank == 2) LiftPicked(statement, before);
    const std::set<const Node *> below = BelowReductions(statement->value);
    const size_t first = before->size();
    std::map<const Node *, Dependence> dependences;  // by node of the statement's value
    const auto lift = [&](const Expr &reduced, int kept) {
      return WithLocation(Temporary(reduced, kept, *statement, before), reduced->location);
    };
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      Dependence on = Of(*node, dependences);
      dependences[node.get()] = on;
      if (node->op == Op::kDiscard) {
        const Expr value = Discarded(args[0], *statement, before);
        const bool is_element = !writes_vector || below.count(node.get()) != 0;
        return MakeOp(Op::kDiscard,
                      {MakeCast(node->type, is_element ? value : AsVector(value)), args[1]});
      }
      const bool is_element = on.on_elements && (!writes_vector || below.count(node.get()) != 0);
      for (size_t i = 0; i < args.size(); ++i) {
        const Dependence &arg = dependences.at(node->args[i].get());
        if (arg.is_reduced() && (is_element || Reduces(node))) args[i] = lift(args[i], *arg.kept);
      }
      return WithArgs(node, std::move(args));
    });
    const Expr root = statement->value;
    statement->value = rewrite(root);
    const Dependence &whole = dependences.at(root.get());
    if (!writes_vector && whole.is_reduced())
      statement->value = lift(statement->value, *whole.kept);
    if (writes_vector && GoOverSeveralShapes(rule_, OutermostReductions(statement->value)))
      statement->value = AsVector(Apart(statement->value, *statement, before));
    LiftFitting(statement, first, before);
    RemoveDiscarded(statement);
    for (size_t i = first; i < before->size(); ++i) RemoveDiscarded(&(*before)[i]);
  }

  /// Moves tensors that must fit the reduced expression to the statements that reduce it: those
  /// from `first` on, or the statement itself. An extent says how often values are repeated, so it
  /// moves only to what reduces them.
  void LiftFitting(Statement *statement, size_t first, std::vector<Statement> *made) const {
    std::vector<Expr> own;
    for (const Expr &fitting : std::exchange(statement->fitting, {})) {
      if (!Reduces(fitting)) {
        own.push_back(fitting);
        continue;
      }
      Expr reduction = fitting;
      while (Reduces(reduction->args[0])) reduction = reduction->args[0];
      const Expr &e = reduction->args[0];
      bool is_known = false;
      for (size_t i = first; i < made->size(); ++i) {
        Statement &maker = (*made)[i];
        if (!ReducesLike(maker.value, *reduction)) continue;
        is_known = true;
        if (!AsksForExtent(e) || RepeatsValues(maker.value)) maker.fitting.push_back(e);
      }
      if (!is_known || ReducesLike(statement->value, *reduction)) own.push_back(e);
    }
    statement->fitting = std::move(own);
  }

  /// Moves values that the spec computes to no effect from the statement's value to what must fit.
  static void RemoveDiscarded(Statement *statement) {
    Rewriter rewrite([statement](const Expr &node, std::vector<Expr> args) {
      if (node->op != Op::kDiscard) return WithArgs(node, std::move(args));
      for (const Expr &read : ReadNodesOf(args[0])) statement->fitting.push_back(read);
      return args[1];
    });
    statement->value = rewrite(statement->value);
  }

  static Dependence Of(const Node &node, const std::map<const Node *, Dependence> &dependences) {
    if (ClassOf(node.op) == OpClass::Reduce) return {false, node.dim, true};
    if (ReadsVector(node)) return {false, AxisOf(node), false};
    const bool is_place = node.op == Op::kIndex || node.op == Op::kAxis || node.op == Op::kAtColumn;
    const bool scans = ClassOf(node.op) == OpClass::Scan;  // whose elements differ, of whatever
    if (node.op == Op::kRead || is_place || scans) return {true, std::nullopt, false};
    if (node.op == Op::kDiscard) return dependences.at(node.args[1].get());
    Dependence on;
    for (const Expr &arg : node.args) on = Both(on, dependences.at(arg.get()));
    // No temporary can be bool, so the operands of a comparison are lifted instead.
    on.on_elements = on.on_elements || (node.type == kBoolType && on.reduces);
    return on;
  }

  /// The value, of which each reduction is the element of a temporary.
  Expr Apart(const Expr &value, const Statement &statement, std::vector<Statement> *before) {
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      if (Reduces(node)) return Temporary(node, node->dim, statement, before);
      return WithArgs(node, std::move(args));
    });
    return rewrite(value);
  }

  /// A reduction or picked element that the spec computes to no effect: an element of a temporary.
  Expr Discarded(Expr value, const Statement &statement, std::vector<Statement> *before) {
    while (value->op == Op::kCast) value = value->args[0];
    if (!Reduces(value) && !IsPicked(*value)) return value;  // it was picked before
    return Temporary(value, Reduces(value) ? value->dim : 0, statement, before);
  }

  /// The element of a temporary that has this value.
  Expr Temporary(Expr reduced, int kept, const Statement &statement,
                 std::vector<Statement> *before) {
    if (GoOverSeveralShapes(rule_, OutermostReductions(reduced)))
      reduced = Apart(reduced, statement, before);
    const auto [known, is_new] = known_.try_emplace(numbers_.Of(reduced), -1);
    if (is_new) {
      known->second = static_cast<int>(rule_.params.size());
      rule_.params.push_back(ParamFor(reduced, kept, statement));
      Statement made;
      made.number = statement.number;
      made.target = known->second;
      made.value = WithName(AsVector(reduced), "");
      made.is_made = true;
      made.location = statement.location;
      before->push_back(std::move(made));
    }
    const Expr index = kept == -1 ? MakeLiteral(kIndexType, 0) : MakeAxis(kept);
    return MakeRead(known->second, reduced->type, {index});
  }

  Param ParamFor(const Expr &reduced, int kept, const Statement &statement) {
    const int like = TensorLike(reduced, statement);
    Param param;
    param.name = names_.Unique(NameFor(*reduced, like));
    param.is_tensor = param.is_temporary = param.is_made = true;
    param.type = reduced->type;
    param.rank = 1;
    param.location = statement.location;
    param.extents = {kept == -1 ? MakeLiteral(kIndexType, 1) : ExtentOf(rule_, like, kept)};
    return param;
  }

  /// "in_max", unless the spec has a name for it.
  std::string NameFor(const Node &reduced, int like) const {
    const Node *node = &reduced;
    while (node->op == Op::kCast && node->name.empty()) node = node->args[0].get();
    if (!node->name.empty()) return MadeName(node->name);
    if (node->op == Op::kRead && IsGather(*node))
      return MadeName(rule_.params[node->index].name + "_picked");
    const bool reduces = ClassOf(node->op) == OpClass::Reduce;
    const std::string what = reduces ? std::string(IrName(node->op)) : "value";
    return MadeName(rule_.params[like].name + "_" + what);
  }

  /// A tensor with the shape of the reduced expression, or with the extents of the vectors that it
  /// repeats: one that it reads, or one that the statement lists as fitting.
  int TensorLike(const Expr &reduced, const Statement &statement) const {
    int argument = -1, other = -1;
    const auto see = [&](int tensor) {
      const Param &param = rule_.params[tensor];
      if (param.rank == 1 || (param.view && !param.is_part())) return;
      int &like = param.is_argument() ? argument : other;
      if (like < 0) like = tensor;
    };
    const auto see_read = [&see](const Expr &node) {
      if (node->op == Op::kRead && IsInPlace(*node)) see(node->index);
    };
    ForEachNode(reduced, see_read);
    if (argument < 0 && other < 0) SeeLengthsOfVectors(reduced, see);
    for (Expr fitting : statement.fitting) {
      while (Reduces(fitting)) fitting = fitting->args[0];
      if (!AsksForExtent(fitting)) see(fitting->index);
    }
    see(statement.target);
    ForEachNode(statement.value, see_read);
    if (argument < 0 && other < 0) SeeShapesOfViews(reduced, see);
    if (argument < 0 && other < 0) throw std::logic_error("a reduction without a shape");
    return argument < 0 ? other : argument;
  }

  /// The tensors that say how long the temporary vectors are that an expression reads.
  template <typename See>
  void SeeLengthsOfVectors(const Expr &value, const See &see) const {
    for (const Expr &read : ReadNodesOf(value)) {
      const Param &param = rule_.params[read->index];
      if (!param.is_temporary || param.rank != 1 || param.extents.empty()) continue;
      ForEachNode(param.extents[0], [&see](const Expr &node) {
        if (node->op == Op::kDim) see(node->index);
      });
    }
  }

  /// The tensors whose shapes views have that an expression reads.
  template <typename See>
  void SeeShapesOfViews(const Expr &value, const See &see) const {
    for (const Expr &read : ReadNodesOf(value)) {
      const Param &param = rule_.params[read->index];
      if (!param.view) continue;
      for (const View::Operand &operand : param.view->operands) {
        if (operand.kind == View::Operand::kShape) see(operand.param);
      }
    }
  }

  /// Forgets what a write may change. Arguments may share memory, so a write of one of them may
  /// change all.
  void Forget(int written) {
    if (!rule_.params[OwnerOf(rule_, written)].is_temporary) return known_.clear();
    const std::set<int> memory = WithSources(rule_, written);
    for (size_t i = 0; i < rule_.params.size(); ++i) {
      const int tensor = static_cast<int>(i);
      if (memory.count(OwnerOf(rule_, tensor)) != 0) numbers_.Written(tensor);
    }
  }

  Rule rule_;
  NameSet names_;
  ValueNumbers numbers_;
  std::map<int, int> known_;  // temporaries, by the value number of their values
};

}  // namespace

Rule LiftReductions(Rule rule) { return Lifter(std::move(rule)).Run(); }

}  // namespace mgen
