// SPDX-License-Identifier: Apache-2.0
/// \file rule.h
/// RuleIR: what a rule means. Types, names and statements as the spec has them; nothing about how
/// it will run (that is plan.h).
#ifndef MSHADOW_GENERATOR_IR_RULE_H_
#define MSHADOW_GENERATOR_IR_RULE_H_

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/expr.h"
#include "ir/view.h"

namespace mgen {

/// What a parameter is for, as the spec declares it.
enum class Role { kNone, kParameter, kGradient, kState, kHyper, kStep };
std::string_view IrName(Role role);

/// A template parameter of the rule, in order, so that a launcher has the same ones.
struct TemplateParam {
  enum Kind { kDevice, kRank, kElementType } kind;
  std::string name;  ///< "xpu", "dim", "DType"
};

/// A function parameter of the rule, in order. Behind them stand the tensors that the rule's body
/// names for itself.
struct Param {
  std::string name;
  bool is_tensor = false;
  bool is_temporary = false;  ///< a tensor of the body's: no argument, and unset before a statement
  bool is_made = false;       ///< by a pass, a temporary that is as long as its kernel needs it
  /// A temporary that several stages use, or a product: it has memory, and its shape is that of
  /// parameter `shape_of`, or `extents`, which are over kDim and literals.
  bool is_workspace = false;
  int shape_of = -1;
  std::vector<Expr> extents;
  /// No argument either: what it is of arguments; written only if it is a part of one.
  std::optional<View> view;
  Type type;  ///< element type of a tensor, type of a scalar
  /// Tensors: the rank, or kRankParam for the rule's `dim`.
  int rank = 0;
  static constexpr int kRankParam = -1;
  /// Whether it is the one element of what a rule that reduces everything reduces; set by the pass
  /// bind_axes.
  bool is_single = false;
  bool is_const = false;  ///< declared const (tensors): may not be written
  enum Passing { kByValue, kByConstRef, kByRef } passing = kByValue;
  Role role = Role::kNone;
  bool is_checked = false;  ///< kStep: a launch refuses what is below 1
  /// kState: the initial value. Scalars: the default argument, if there is one.
  std::optional<std::variant<int64_t, double, bool>> value;
  std::string doc;  ///< text of its \param line
  SourceLocation location;

  bool is_argument() const { return !is_temporary && !view; }
  bool is_part() const { return view && view->is_part(); }
  /// A range of a dimension that is neither the first nor the last one.
  bool is_inner_part() const { return is_part() && HasInnerRange(view->ranges); }
  /// Whether a dimension, of a tensor of the same rank, is one.
  bool IsInner(int dim) const { return rank != kRankParam && dim > 0 && dim + 1 < rank; }
  bool HasInnerRange(const std::vector<int> &dims) const {
    return std::any_of(dims.begin(), dims.end(), [this](int dim) { return IsInner(dim); });
  }
};

/// A scalar of the prologue: computed once per launch on the host, in order. Locals are in
/// single-assignment form: a variable assigned twice in the spec is two locals (`lr_t`, `lr_t1`).
struct Local {
  std::string name;
  Type type;
  Expr value;  ///< over kParam, kDim, earlier kLocal, literals
  SourceLocation location;
};

/// A reducer of the spec's own: how two values become one.
struct Reducer {
  std::string name;  ///< of the struct
  Type type;         ///< that it accumulates in
  Expr initial;      ///< what there is before the first value: literals and operations on these
  Expr reduce;       ///< with a value that comes: over kOperand and literals
  Expr merge;        ///< with the result of another part; `reduce` if the spec does not say
  SourceLocation location;
};

/// sv::saveto, plusto, minusto, multo, divto.
enum class Saver { kSave, kPlus, kMinus, kMul, kDiv };
std::string_view Spelling(Saver saver);  ///< "=", "+=", …

/// An operand of a matrix product: `w` or `w.T()`.
struct Factor {
  int tensor = -1;  ///< index into Rule::params
  bool transposed = false;
};

/// An extent of a tensor that the spec counts elements by, as in `range(0, x.size(1))`.
struct CountedExtent {
  int tensor;  ///< index into Rule::params
  SourceLocation location;
  std::string name;     ///< of what counts, for people
  std::string instead;  ///< what to write if nothing compares the tensor's shape
};

/// `target saver value`, `target saver value * dot(left, right)`, or a scalar condition around
/// statements.
struct Statement {
  enum Kind {
    kAssign,
    kProduct,
    kIf,
    kBoundary  ///< MSHADOW_STAGE(): what follows is another kernel. Until a rule is split
  } kind = kAssign;
  // kAssign and kProduct
  int number = 0;   ///< 1-based, in source order over the whole rule
  int target = -1;  ///< index into Rule::params
  Saver saver = Saver::kSave;
  Expr value;            ///< kProduct: the scale, over kParam, kLocal, kDim, literals
  std::string text;      ///< the statement re-printed from the AST, for people
  bool is_made = false;  ///< by a pass, for the statement of that number behind it
  /// Tensors that are written beside this one and lie apart from it, of kAssign: indices into
  /// Rule::params.
  std::vector<int> apart;
  /// What must fit though `value` is computed without it: a kRead of a tensor that the spec reads
  /// to no effect, or a kDim of one that it names for its shape.
  std::vector<Expr> fitting;
  std::vector<CountedExtent> counts;  ///< by which `value` counts elements
  // kProduct
  Factor left, right;
  // kIf
  Expr condition;  ///< bool, over kParam, kLocal, kDim, literals
  std::vector<Statement> then_body;
  std::vector<Statement> else_body;
  SourceLocation location;

  /// Whether it writes `target`: an `if` does not, nor a boundary.
  bool writes() const { return kind == kAssign || kind == kProduct; }
};

/// What a reduction makes of values: the number of the first one that is the maximum or minimum,
/// or what a reducer of the rule's own makes.
enum class Reducing { kSum, kMax, kMin, kProduct, kArgMax, kArgMin, kOwn };
constexpr int kReducings = 7;
Op ReductionOp(Reducing reducing);
Reducing ReducingOf(Op reduction);
inline bool IsArg(Op reduction) {
  const Reducing reducing = ReducingOf(reduction);
  return reducing == Reducing::kArgMax || reducing == Reducing::kArgMin;
}

/// What one kernel does, or one matrix product, perhaps below conditions.
struct Stage {
  std::vector<Statement> body;
  /// Two parts, or a part and its tensor, indices into Rule::params, for which it is not one with
  /// the stage before it; for people.
  std::optional<std::pair<int, int>> apart = std::nullopt;
};

/// A statement that reduces to numbers of elements: that type, the reduced elements', must hold
/// them.
struct Counted {
  int statement;
  Type type;
};

struct Rule {
  std::string name;                     ///< "AdamW"
  std::vector<std::string> namespaces;  ///< {"optim"}
  std::string spec;                     ///< path of the spec relative to --path-base
  std::vector<std::string> doc;         ///< doc comment, one line each, markers stripped
  std::vector<TemplateParam> template_params;
  /// The element-type tuples to emit: one entry per kElementType parameter each.
  std::vector<std::vector<ScalarKind>> instances;
  std::vector<Param> params;
  std::vector<Reducer> reducers;
  std::vector<Local> prologue;
  std::vector<Stage> stages;
  std::vector<Counted> counted;  ///< of a kernel; set by the pass expand_args
  /// MSHADOW_EXPRESSION: what it returns is written to the first parameter, which no one declared.
  bool is_expression = false;
  SourceLocation location;

  /// Names of the kElementType parameters, in order: what Type::param indexes.
  std::vector<std::string> type_params() const;
  /// The name of the rank, "dim", of a rule for any.
  std::string rank_name() const;
  /// The parameters without the temporaries and views behind them.
  std::vector<Param> signature() const;
};

/// The name of a tensor parameter, for a note to write: the first of this rank, or the first of
/// more than one dimension, or the first.
std::string TensorOfRank(const Rule &rule, int rank);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_RULE_H_
