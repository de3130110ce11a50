// SPDX-License-Identifier: Apache-2.0
#include "passes/flatten.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/made_name.h"
#include "ir/walk.h"
#include "passes/names.h"

namespace mgen {
namespace {

/// The most tensors whose shapes a launch compares at once (LaunchCheck::View).
constexpr size_t kMostTensors = 16;

/// Whether `FlatTo2D()` of the tensor is another shape, and the tensor no view or slice.
bool IsWhole(const Rule &rule, int tensor) {
  const Param &param = rule.params[tensor];
  return param.is_tensor && !param.view && param.rank > 2 &&
         !rule.params[ShapeOf(rule, tensor)].view;
}

bool NamesTensor(const Node &node) {
  return node.op == Op::kRead || node.op == Op::kDim || node.op == Op::kIndex;
}

bool IsLast(int dim, int rank) { return dim == Node::kLastDim || dim == rank - 1; }

/// Whether a node means the same in a statement over matrices.
bool CanFlatten(const Rule &rule, const Node &node, int rank) {
  switch (ClassOf(node.op)) {
    case OpClass::Infix:
    case OpClass::Compare:
    case OpClass::Packet:
    case OpClass::Math:
    case OpClass::FastMath:
      return true;
    case OpClass::Form:
      return node.op != Op::kAtColumn;
    case OpClass::Leaf:
      break;
    default:
      return false;
  }
  if (node.op == Op::kAxis) return IsLast(node.dim, rank);
  if (node.op == Op::kRead && IsInPlace(node)) {
    return IsWhole(rule, node.index) && rule.params[node.index].rank == rank;
  }
  if (node.op == Op::kRead) {  // an element of a vector, which its index says
    return node.axes.is_every() && rule.params[node.index].rank == 1 &&
           !rule.params[node.index].view;
  }
  return node.op != Op::kIndex;
}

/// The tensors that a statement uses whole, in its own shape: indices into Rule::params, each once,
/// in their order.
std::vector<int> TensorsOf(const Rule &rule, const Statement &statement) {
  std::set<int> tensors;
  const Effects effects = EffectsOf(statement);
  for (const int tensor : effects.written) tensors.insert(tensor);
  for (const int tensor : effects.in_place) tensors.insert(tensor);
  tensors.merge(FittingTensors(statement));
  std::vector<int> whole;
  for (const int tensor : tensors) {
    if (IsWhole(rule, tensor)) whole.push_back(tensor);
  }
  return whole;
}

/// The tensors that a statement uses as matrices.
std::vector<int> TensorsOfMatrices(const Rule &rule, const Statement &statement) {
  std::set<int> tensors = EffectsOf(statement).used();
  tensors.merge(FittingTensors(statement));
  std::vector<int> sources;
  for (const int tensor : tensors) {
    const std::optional<View> &view = rule.params[tensor].view;
    const int source = view ? view->FlatTo2D() : -1;
    if (source >= 0 && IsWhole(rule, source)) sources.push_back(source);
  }
  return sources;
}

/// The tensors that have the shapes of those of a statement, each once, in their order.
std::vector<int> ShapesOf(const Rule &rule, const Statement &statement) {
  std::set<int> shapes;
  for (const int tensor : TensorsOf(rule, statement)) shapes.insert(ShapeOf(rule, tensor));
  return {shapes.begin(), shapes.end()};
}

bool CanFlatten(const Rule &rule, const Statement &statement) {
  if (statement.kind != Statement::kAssign) return false;
  if (!statement.apart.empty() || !statement.counts.empty()) return false;
  if (!IsWhole(rule, statement.target)) return false;
  const int rank = rule.params[statement.target].rank;
  bool is_known = true;
  for (const Expr &e : statement.fitting) {
    if (AsksForExtent(e)) continue;
    const bool is_whole = IsWhole(rule, e->index) && rule.params[e->index].rank == rank;
    is_known = is_known && is_whole && (e->op == Op::kDim || IsInPlace(*e));
  }
  ForEachNode(statement.value,
              [&](const Expr &node) { is_known = is_known && CanFlatten(rule, *node, rank); });
  return is_known && ShapesOf(rule, statement).size() <= kMostTensors;
}

/// The statements that are connected to statements over matrices, and can be such statements.
class Connected {
 public:
  explicit Connected(const Rule &rule) : rule_(rule), parent_(rule.params.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  std::set<const Statement *> Find() {
    std::vector<const Statement *> can_be;
    std::vector<int> of_matrices, staying;  // a tensor for each statement
    ForEachStatement(rule_, [&](const Statement &statement) {
      if (!statement.writes() || statement.is_call()) return;
      const std::vector<int> whole = TensorsOf(rule_, statement);
      const std::vector<int> matrices = TensorsOfMatrices(rule_, statement);
      Join(whole);
      Join(matrices);
      if (!matrices.empty()) of_matrices.push_back(matrices.front());
      if (whole.empty()) return;
      if (CanFlatten(rule_, statement)) {
        can_be.push_back(&statement);
      } else {
        staying.push_back(whole.front());
      }
    });
    const std::set<int> wanted = SetsOf(of_matrices), unwanted = SetsOf(staying);
    std::set<const Statement *> found;
    for (const Statement *statement : can_be) {
      const int set = SetOf(statement->target);
      if (wanted.count(set) != 0 && unwanted.count(set) == 0) found.insert(statement);
    }
    return found;
  }

 private:
  int SetOf(int tensor) const {
    while (parent_[tensor] != tensor) tensor = parent_[tensor];
    return tensor;
  }
  std::set<int> SetsOf(const std::vector<int> &tensors) const {
    std::set<int> sets;
    for (const int tensor : tensors) sets.insert(SetOf(tensor));
    return sets;
  }
  void Join(const std::vector<int> &tensors) {
    for (const int tensor : tensors) parent_[SetOf(tensor)] = SetOf(tensors.front());
  }

  const Rule &rule_;
  std::vector<int> parent_;  // of a tensor, in the tree that is its set
};

/// The matrices of tensors, which are made when they are first asked for.
class Matrices {
 public:
  explicit Matrices(Rule *rule) : rule_(rule) {
    for (size_t i = 0; i < rule->params.size(); ++i) {
      const Param &param = rule->params[i];
      names_.Take(param.name);
      const int source = param.view ? param.view->FlatTo2D() : -1;
      if (source >= 0) known_.emplace(source, static_cast<int>(i));
    }
    for (const Local &local : rule->prologue) names_.Take(local.name);
  }

  /// `FlatTo2D()` of a tensor.
  int Of(int tensor) {
    const auto [known, is_new] = known_.emplace(tensor, static_cast<int>(rule_->params.size()));
    if (!is_new) return known->second;
    const Param source = rule_->params[tensor];
    Param matrix;
    matrix.name = names_.Unique(MadeName(source.name + "_matrix"));
    matrix.is_tensor = true;
    matrix.is_const = source.is_const;
    matrix.type = source.type;
    matrix.rank = 2;
    matrix.location = source.location;
    matrix.view = View::MatrixOf(tensor);
    rule_->params.push_back(std::move(matrix));
    return known->second;
  }

  const std::map<int, int> &known() const { return known_; }  ///< by tensor

 private:
  Rule *rule_;
  NameSet names_;
  std::map<int, int> known_;
};

void FlattenStatement(Rule *rule, Matrices *matrices, Statement *statement) {
  const int rank = rule->params[statement->target].rank;
  statement->flattened = ShapesOf(*rule, *statement);
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (node->op == Op::kAxis && IsLast(node->dim, rank)) return MakeAxis(Node::kLastDim);
    if (node->op != Op::kRead || !IsInPlace(*node)) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(matrices->Of(node->index), node->type), node->location);
  });
  statement->target = matrices->Of(statement->target);
  statement->value = rewrite(statement->value);
  std::vector<Expr> fitting;
  for (const Expr &e : statement->fitting) {
    if (e->op == Op::kRead) fitting.push_back(rewrite(e));  // of the others the shape is compared
    if (AsksForExtent(e)) fitting.push_back(e);
  }
  statement->fitting = std::move(fitting);
}

void FlattenAll(Rule *rule, const std::set<const Statement *> &found, Matrices *matrices,
                std::vector<Statement> *body) {
  for (Statement &statement : *body) {
    if (found.count(&statement) != 0) FlattenStatement(rule, matrices, &statement);
    FlattenAll(rule, found, matrices, &statement.then_body);
    FlattenAll(rule, found, matrices, &statement.else_body);
  }
}

/// The tensors that something in the rule uses otherwise than as matrices.
class OtherUses {
 public:
  explicit OtherUses(Rule *rule) {
    ForEachExpr(rule, [this](Expr *e) { See(*e); });
    for (const Param &param : rule->params) {
      if (param.view && param.view->FlatTo2D() < 0) See(param.view->Arguments());
      used_.insert(param.shape_of);
      for (const Expr &extent : param.extents) See(extent);
    }
    ForEachStatement(*rule, [this](const Statement &statement) {
      if (!statement.writes()) return;
      See(statement.targets());
      See(statement.apart);
      See({statement.left.tensor, statement.right.tensor});
      for (const CountedExtent &extent : statement.counts) used_.insert(extent.tensor);
    });
  }

  bool Has(int tensor) const { return used_.count(tensor) != 0; }

 private:
  void See(const std::vector<int> &tensors) { used_.insert(tensors.begin(), tensors.end()); }
  void See(const Expr &e) {
    ForEachNode(e, [this](const Expr &node) {
      if (NamesTensor(*node)) used_.insert(node->index);
      used_.insert(node->by);
    });
  }

  std::set<int> used_;
};

/// Replaces tensors by others in everything that a rule says.
class Replacer {
 public:
  /// \param by the new tensor, for each old one
  Replacer(Rule *rule, std::map<int, int> by) : rule_(rule), by_(std::move(by)) {}

  void Run() {
    Rewriter rewrite([this](const Expr &node, std::vector<Expr> args) {
      if (!NamesTensor(*node) || by_.count(node->index) == 0) {
        return WithArgs(node, std::move(args));
      }
      return WithLocation(Replaced(*node, std::move(args)), node->location);
    });
    ForEachExpr(rule_, [&rewrite](Expr *e) { *e = rewrite(*e); });
    for (Param &param : rule_->params) {
      Replace(&param.shape_of);
      for (Expr &extent : param.extents) extent = rewrite(extent);
    }
    for (Stage &stage : rule_->stages) ReplaceIn(&stage.body);
  }

 private:
  Expr Replaced(const Node &node, std::vector<Expr> args) const {
    const int tensor = by_.at(node.index);
    if (node.op == Op::kDim) return MakeDim(tensor, node.dim);
    if (node.op == Op::kIndex) return MakeIndex(node.type, tensor, node.dim);
    return args.empty() ? MakeRead(tensor, node.type)
                        : MakeRead(tensor, node.type, std::move(args));
  }

  void Replace(int *tensor) const {
    if (const auto other = by_.find(*tensor); other != by_.end()) *tensor = other->second;
  }

  void ReplaceIn(std::vector<Statement> *body) const {
    for (Statement &statement : *body) {
      for (int *tensor : {&statement.target, &statement.left.tensor, &statement.right.tensor,
                          &statement.sort.columns}) {
        Replace(tensor);
      }
      for (int &tensor : statement.apart) Replace(&tensor);
      for (CountedExtent &extent : statement.counts) Replace(&extent.tensor);
      ReplaceIn(&statement.then_body);
      ReplaceIn(&statement.else_body);
    }
  }

  Rule *rule_;
  std::map<int, int> by_;
};

/// Makes temporaries matrices that are used only as such, and have the shape of an argument.
void FlattenTemporaries(Rule *rule, Matrices *matrices) {
  const std::map<int, int> known = matrices->known();
  for (const auto &[tensor, matrix] : known) {
    Param &param = rule->params[tensor];
    if (param.shape_of >= 0) param.shape_of = ShapeOf(*rule, tensor);
  }
  const OtherUses others(rule);
  std::map<int, int> own;  // by matrix: the temporary
  for (const auto &[tensor, matrix] : known) {
    const int shape = rule->params[tensor].shape_of;
    const bool is_known = shape >= 0 && rule->params[shape].is_argument();
    if (!is_known || !IsWhole(*rule, tensor) || others.Has(tensor)) continue;
    const int like = matrices->Of(shape);
    rule->params[tensor].rank = 2;
    rule->params[tensor].shape_of = like;
    own.emplace(matrix, tensor);
  }
  if (!own.empty()) Replacer(rule, std::move(own)).Run();
}

}  // namespace

void Flatten(Rule *rule) {
  Matrices matrices(rule);
  const std::set<const Statement *> found = Connected(*rule).Find();
  FlattenAll(rule, found, &matrices, &rule->stages.front().body);
  FlattenTemporaries(rule, &matrices);
}

}  // namespace mgen
