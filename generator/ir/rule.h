// SPDX-License-Identifier: Apache-2.0
/// \file rule.h
/// RuleIR: what a rule means. It has the types, names and statements of the spec. How the rule will
/// run is in plan.h.
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

/// What a parameter is for, as the spec declares it (mshadow/rule_info.h).
enum class Role { kNone, kParameter, kGradient, kState, kHyper, kStep };
std::string_view IrName(Role role);

/// A template parameter of the rule. A launcher has the same ones in the same order.
struct TemplateParam {
  enum Kind { kDevice, kRank, kElementType } kind;
  std::string name;  ///< "xpu", "dim", "DType"
};

/// A function parameter of the rule, in order. In Rule::params, the temporaries and views of the
/// rule's body follow them.
struct Param {
  std::string name;
  bool is_tensor = false;
  bool is_temporary = false;  ///< declared in the body: not an argument, and without a value until
                              ///< a statement writes it
  bool is_made = false;       ///< a temporary that a pass made: its length is what its kernel needs
  /// A temporary with memory, set by the pass assign_workspaces. Its shape is that of parameter
  /// `shape_of`, or else `extents`, which are over kDim and literals.
  bool is_workspace = false;
  int shape_of = -1;
  std::vector<Expr> extents;
  /// What messages call it instead of its name: for a temporary that the front end made, the
  /// destination in the spec whose values it has. "": its name.
  std::string title;
  /// For a view, which is not an argument: what it reads. Only slices may be written.
  std::optional<View> view;
  Type type;  ///< element type of a tensor, type of a scalar
  /// Tensors: the rank, or kRankParam for the rule's `dim`.
  int rank = 0;
  static constexpr int kRankParam = -1;
  /// Whether it is a scalar tensor to which its kernel reduces everything, or which the kernel
  /// computes from such a reduction. Set by the passes bind_axes and expand_args.
  bool is_single = false;
  bool is_const = false;  ///< declared const (tensors): may not be written
  enum Passing { kByValue, kByConstRef, kByRef } passing = kByValue;
  Role role = Role::kNone;
  bool is_checked = false;  ///< kStep: a launch throws Error if the value is below 1
  /// kState: the initial value. Scalars: the default argument, if there is one.
  std::optional<std::variant<int64_t, double, bool>> value;
  std::string doc;  ///< text of its \param line
  SourceLocation location;

  bool is_argument() const { return !is_temporary && !view; }
  bool is_part() const { return view && view->is_part(); }
  /// Whether its elements are random numbers, which no memory holds.
  bool is_drawn() const { return view && !view->Drawn().empty(); }
  /// Whether it is a slice of a dimension that is neither the first nor the last.
  bool is_inner_part() const { return is_part() && HasInnerRange(view->ranges); }
  /// The vector of indices, if it is the rows of a matrix that they name; -1 if not.
  int Indices() const { return view ? view->Indices() : -1; }
  /// Whether its rows lie at one distance from each other.
  bool has_even_rows() const { return !is_inner_part() && Indices() < 0; }
  /// Whether dimension \p dim of a tensor of this rank is neither the first nor the last.
  bool IsInner(int dim) const { return rank != kRankParam && dim > 0 && dim + 1 < rank; }
  bool HasInnerRange(const std::vector<int> &dims) const {
    return std::any_of(dims.begin(), dims.end(), [this](int dim) { return IsInner(dim); });
  }
};

/// A scalar of the prologue. The host computes these once per launch, in order. They are in
/// single-assignment form: a variable that the spec assigns twice is two locals (`lr_t`, `lr_t1`).
struct Local {
  std::string name;
  Type type;
  Expr value;  ///< over kParam, kDim, earlier kLocal, literals
  SourceLocation location;
};

/// A reducer of the spec's own: how two elements become one.
struct Reducer {
  std::string name;  ///< of the struct
  Type type;         ///< the type in which it accumulates
  Expr initial;      ///< the accumulator before the first element: over literals
  Expr reduce;       ///< the accumulator and the next element: over kOperand and literals
  Expr merge;        ///< two partial sums: likewise; `reduce` if the spec has no other
  SourceLocation location;

  /// Whether partial sums are merged by another formula than elements are reduced by.
  bool has_own_merge() const { return merge != reduce; }
};

/// sv::saveto, plusto, minusto, multo, divto.
enum class Saver { kSave, kPlus, kMinus, kMul, kDiv };
std::string_view Spelling(Saver saver);  ///< "=", "+=", …

/// An operand of a call: `w`, or of a matrix product also `w.T()`.
struct Factor {
  int tensor = -1;  ///< index into Rule::params
  bool transposed = false;
};

/// How the rows of a matrix are sorted.
struct Sort {
  int columns = -1;        ///< the tensor that gets the columns of the elements, an index into
                           ///< Rule::params; `target` if the elements are not wanted; -1: none
  bool takes_all = false;  ///< whether the results have all columns, not the first ones
  bool ascends = false;    ///< whether the least comes first

  /// `target` and `columns`, each once.
  std::vector<int> TargetsWith(int target) const;
  bool operator==(const Sort &other) const {
    return columns == other.columns && takes_all == other.takes_all && ascends == other.ascends;
  }
};

/// An extent that an expression of the spec counts elements by, as in `range(0, x.size(1))`.
struct CountedExtent {
  int tensor;  ///< index into Rule::params
  SourceLocation location;
  std::string name;     ///< the name of that expression, for messages
  std::string instead;  ///< what to write instead if no launch checks the tensor's shape
};

/// `target saver value`, `target saver value * dot(left, right)`, `AddTakeGrad(target, left,
/// right)`, `TopK(target, columns, left)`, or a scalar condition around statements.
struct Statement {
  enum Kind {
    kAssign,
    kProduct,
    kScatter,  ///< adds rows of `right` to those rows of `target` that `left` names
    kSort,     ///< sorts each row of `left`: `target` gets as many elements as it has columns
    kIf,
    kBoundary  ///< MSHADOW_STAGE(): another kernel begins; only until split_stages
  } kind = kAssign;
  // kAssign, kProduct, kScatter and kSort
  int number = 0;   ///< 1-based, in source order over the whole rule
  int target = -1;  ///< index into Rule::params
  Saver saver = Saver::kSave;
  Expr value;            ///< right side; kProduct: the scale, over kParam, kLocal, kDim, literals;
                         ///< kScatter and kSort: 1, of the target's type
  std::string text;      ///< the statement re-printed from the AST, for people
  bool is_made = false;  ///< not in the spec: the front end (frontend/materialise.h) or a pass made
                         ///< it for the next statement with the same number
  /// kAssign: other destinations of the same concat, or what the value of a diagonal was computed
  /// from, indices into Rule::params. They must not overlap `target`.
  std::vector<int> apart;
  /// Tensors whose shape a launch must check although `value` does not depend on their elements. A
  /// kRead: the spec reads the tensor, to no effect. A kDim: the spec uses only the tensor's shape,
  /// or only that extent of it.
  std::vector<Expr> fitting;
  /// kAssign, set by the pass flatten: the tensors whose `FlatTo2D()` the statement uses where the
  /// spec uses the tensors themselves. A launch must check that they have one shape.
  std::vector<int> flattened;
  std::vector<CountedExtent> counts;  ///< extents by which `value` counts elements
  // kProduct, kScatter and kSort, which has no `right`
  Factor left, right;
  /// kScatter: whether an index out of range names the nearest row, rather than one modulo the
  /// rows.
  bool clips = true;
  Sort sort;  ///< kSort
  // kIf
  Expr condition;  ///< bool, over kParam, kLocal, kDim, literals
  std::vector<Statement> then_body;
  std::vector<Statement> else_body;
  SourceLocation location;

  /// Whether the statement writes `target`. An `if` does not, nor a boundary.
  bool writes() const { return kind == kAssign || is_call(); }
  /// Whether a function of the runtime computes it, so that it is a stage of its own.
  bool is_call() const { return kind == kProduct || kind == kScatter || kind == kSort; }
  /// What a statement that writes writes.
  std::vector<int> targets() const { return sort.TargetsWith(target); }
};

/// What a reduction computes. kArgMax, kArgMin: the index of the first maximum or minimum. kOwn:
/// what a reducer of the spec's own makes.
enum class Reducing { kSum, kMax, kMin, kProduct, kArgMax, kArgMin, kOwn };
Op ReductionOp(Reducing reducing);
Reducing ReducingOf(Op reduction);
inline bool IsArg(Op reduction) {
  const Reducing reducing = ReducingOf(reduction);
  return reducing == Reducing::kArgMax || reducing == Reducing::kArgMin;
}

/// The statements of one kernel, or one call. Either may be within `if`s.
struct Stage {
  std::vector<Statement> body;
  /// Two slices, or a slice and its tensor, because of which this stage is not fused with the one
  /// before it: indices into Rule::params. For messages.
  std::optional<std::pair<int, int>> apart = std::nullopt;
};

/// A statement that reduces to indices (argmax, argmin). `type`, the reduced elements' type, must
/// hold them.
struct Counted {
  int statement;
  Type type;
};

struct Rule {
  std::string name;                     ///< "AdamW"
  std::vector<std::string> namespaces;  ///< {"optim"}
  std::string spec;                     ///< path of the spec relative to --path-base
  std::vector<std::string> doc;         ///< doc comment, one line each, markers stripped
  /// "Normalize" for a rule of that name in C++, which it shares with others, while its own is
  /// "NormalizeRank2"; "" for a rule that shares no name.
  std::string overloads;
  std::vector<TemplateParam> template_params;
  /// The instances to emit. Each has an element type for each kElementType parameter.
  std::vector<std::vector<ScalarKind>> instances;
  std::vector<Param> params;
  std::vector<Reducer> reducers;
  std::vector<Local> prologue;
  std::vector<Stage> stages;
  std::vector<Counted> counted;  ///< for a rule that is one kernel; set by the pass expand_args
  /// Whether it is an MSHADOW_EXPRESSION. Its first parameter, which the spec does not have, is the
  /// value that it returns.
  bool is_expression = false;
  SourceLocation location;

  /// The name by which C++ calls it.
  const std::string &cpp_name() const { return overloads.empty() ? name : overloads; }
  /// Names of the kElementType parameters, in order: what Type::param indexes.
  std::vector<std::string> type_params() const;
  /// The name of the rank parameter; "dim" if there is none.
  std::string rank_name() const;
  /// The parameters without temporaries and views.
  std::vector<Param> signature() const;
};

/// The name of a tensor parameter that a diagnostic's note shows as an example: the first of this
/// rank, else the first that is not a vector, else the first.
std::string TensorOfRank(const Rule &rule, int rank);

/// Whether a tensor parameter has this rank.
bool HasTensorOfRank(const Rule &rule, int rank);

/// Whether a type is bool in some instance of the rule.
bool IsBoolSomewhere(const Rule &rule, Type type);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_RULE_H_
