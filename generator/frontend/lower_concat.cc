// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_concat.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "frontend/view_rank.h"
#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The dimension that a call of `concat<d>` joins; -1 if it is none.
int JoinedDimension(const clang::CallExpr *call, const clang::ASTContext &ast) {
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const bool is_function = callee && callee->getDeclName().isIdentifier();
  if (!is_function || QualifiedName(*callee) != "mshadow::expr::concat") return -1;
  return DimensionNamedBy(call, ast);
}

/// Adds the tensors of `e` along dimension `dim`.
void AddTensors(const clang::Expr *e, int dim, const clang::ASTContext &ast,
                std::vector<const clang::Expr *> *tensors) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(StripWrappers(e)->IgnoreImplicit());
  if (JoinedDimension(call, ast) != dim) return tensors->push_back(e);
  AddTensors(call->getArg(0), dim, ast, tensors);
  AddTensors(call->getArg(1), dim, ast, tensors);
}

/// Whether a tensor of any rank is a range of another dimension than `dim`, which may be that one
/// at rank 1: then its extent is not known.
bool IsOfOtherDimension(const Param &tensor, int dim) {
  return tensor.rank == Param::kRankParam && tensor.is_part() && !tensor.view->is_reshaped &&
         tensor.view->ranges.front() != dim;
}

/// Makes expressions of the whole assignment those of one stretch.
class StretchOf {
 public:
  StretchOf(RuleScalars &scalars, const TensorLowering::AddView &add_view, const Stretch &stretch,
            const SourceLocation &location)
      : scalars_(scalars), add_view_(add_view), stretch_(stretch), location_(location) {}

  Expr Value(const Expr &value) {
    for (const Expr &read : ReadNodesOf(value)) {
      if (IsGather(*read)) Reject("a gather");
    }
    Rewriter rewrite([this](const Expr &node, std::vector<Expr> args) {
      if (ClassOf(node->op) == OpClass::Reduce) Reject("a reduction");
      if (ClassOf(node->op) == OpClass::Scan) Reject("a scan");
      if (node->op == Op::kIndex || node->op == Op::kAtColumn) Reject("a range");
      if (node->op != Op::kRead) return WithArgs(node, std::move(args));
      return WithLocation(Read(*node), node->location);
    });
    return rewrite(value);
  }

  /// One of Statement::fitting. A tensor that is named for its shape fits as one that is read; a
  /// temporary named so needs no memory for that.
  Expr Fitting(const Expr &e) {
    if (e->op != Op::kDim) return Value(e);
    const std::vector<Param> &params = scalars_.rule().params;
    const int shape_of = params[e->index].shape_of;
    const int like = shape_of >= 0 ? shape_of : e->index;
    return Read(*MakeRead(like, params[like].type));
  }

  void CheckCounts(const Statement &whole) {
    if (!whole.counts.empty()) Reject("a range");
  }

 private:
  [[noreturn]] void Reject(const std::string &what) {
    scalars_.front()
        .diagnostics
        .Report(DiagId::kUnsupportedExpression, location_, what + " in an assignment to concat",
                "a rule")
        .Note(DiagId::kConcatNote, location_);
    throw Rejected();
  }

  Expr Read(const Node &node) {
    if (node.args.empty()) return Slice(node, false);
    const Node &index = *node.args.front();
    const int rank = RankOfTensor(stretch_.like);
    const bool is_last = index.op == Op::kAxis && index.dim == Node::kLastDim;
    // Of tensors of rank 1, the last axis would be what is joined.
    if (is_last && rank == Param::kRankParam) Reject("a vector of a rule for any rank");
    const bool is_along = index.op == Op::kAxis && (is_last ? rank - 1 : index.dim) == stretch_.dim;
    return is_along ? Slice(node, true) : MakeRead(node.index, node.type, node.args);
  }

  int RankOfTensor(int param) const { return scalars_.rule().params[param].rank; }

  /// slice<d>(tensor, begin, end), or, of a vector, broadcast<d>(slice<0>(vector, begin, end),
  /// shape). They are views and no parts, so that all of the tensor lies apart from what is
  /// written: a later stretch of it is read when an earlier one is written.
  Expr Slice(const Node &node, bool is_broadcast) {
    const Param &source = scalars_.rule().params[node.index];
    if (source.view && !source.is_part()) Reject("a view");
    if (source.Indices() >= 0) Reject("rows that indices name");
    const int dim = is_broadcast ? 0 : stretch_.dim;
    if (IsOfOtherDimension(source, dim)) Reject("a slice of another dimension");
    View view;
    std::string text = "$0";
    if (source.is_part()) {
      text = source.view->text;
      view.operands = source.view->operands;
    } else {
      view.operands = {{View::Operand::kTensor, node.index, nullptr, {}}};
    }
    const Expr end = stretch_.end ? stretch_.end : scalars_.ExtentOf(node.index, dim);
    // In this order: the operands are numbered as they are met.
    const std::string from = Hole(stretch_.begin, &view), to = Hole(end, &view);
    text =
        "mshadow::expr::slice<" + DimText(dim, &view) + ">(" + text + ", " + from + ", " + to + ")";
    if (is_broadcast) {
      text = "mshadow::expr::broadcast<" + std::to_string(stretch_.dim) + ">(" + text + ", " +
             ShapeText(&view) + ")";
    }
    view.text = std::move(text);
    return Add(source, std::move(view), node.type);
  }

  static std::string DimText(int dim, View *view) {
    if (dim != Node::kLastDim) return std::to_string(dim);
    view->operands.push_back({View::Operand::kRank, -1, nullptr, {}, -1});
    return "$" + std::to_string(view->operands.size() - 1);
  }

  static std::string Hole(const Expr &value, View *view) {
    view->operands.push_back({View::Operand::kIndex, -1, value, {}});
    return "$" + std::to_string(view->operands.size() - 1);
  }

  /// The shape of what is written.
  std::string ShapeText(View *view) const {
    const int rank = RankOfTensor(stretch_.like);
    std::string text = "mshadow::Shape" + std::to_string(rank) + "(";
    for (int d = 0; d < rank; ++d) {
      text += (d > 0 ? ", " : "") + Hole(scalars_.ExtentOf(stretch_.like, d), view);
    }
    return text + ")";
  }

  Expr Add(const Param &source, View view, Type type) {
    Param param;
    param.is_tensor = param.is_const = true;
    param.type = type;
    param.rank = RankOfTensor(stretch_.like);
    param.location = location_;
    param.view = std::move(view);
    const std::string name = source.name + "_slice";
    return MakeRead(add_view_(name, std::move(param)), type);
  }

  RuleScalars &scalars_;
  const TensorLowering::AddView &add_view_;
  const Stretch &stretch_;
  const SourceLocation location_;
};

}  // namespace

std::optional<Joined> JoinedIn(const clang::Expr *e, const clang::ASTContext &ast) {
  e = StripWrappers(e)->IgnoreImplicit();
  const clang::VarDecl *name = nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    name = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!name || !name->getInit()) return std::nullopt;
    e = StripWrappers(name->getInit())->IgnoreImplicit();
  }
  const int dim = JoinedDimension(llvm::dyn_cast<clang::CallExpr>(e), ast);
  if (dim == -1) return std::nullopt;
  Joined joined = {dim, {}, name};
  AddTensors(e, dim, ast, &joined.tensors);
  return joined;
}

void CheckJoined(RuleScalars &scalars, const Joined &joined, const std::vector<int> &tensors,
                 const clang::Expr *e) {
  const auto is_unknown = [&](int tensor) {
    return IsOfOtherDimension(scalars.rule().params[tensor], joined.dim);
  };
  const bool is_end = joined.dim == 0 || joined.dim == Node::kLastDim;
  if (TensorLowering::HasRankParam(scalars.rule()) &&
      (!is_end || std::any_of(tensors.begin(), tensors.end(), is_unknown))) {
    scalars.RejectRank(e, "this concatenation");
  }
  const std::set<int> distinct(tensors.begin(), tensors.end());
  if (distinct.size() == tensors.size()) return;
  const SourceLocation location = scalars.front().Where(e->getSourceRange());
  scalars.front()
      .diagnostics
      .Report(DiagId::kUnsupportedExpression, location, "joining a tensor with itself", "a rule")
      .Note(DiagId::kJoinedTwiceNote, location);
  throw Rejected();
}

std::vector<Expr> OtherExtentsOf(const Rule &rule, int first, int dim) {
  const int rank = rule.params[first].rank;
  if (rank == Param::kRankParam) {
    return {MakeDim(first, dim == Node::kLastDim ? Node::kRows : Node::kRest - dim)};
  }
  std::vector<Expr> extents;
  for (int other = 0; other < rank; ++other) {
    if (other != dim) extents.push_back(MakeDim(first, other));
  }
  return extents;
}

void AssignStretch(RuleScalars &scalars, const TensorLowering::AddView &add_view,
                   const Stretch &stretch, const Statement &whole, const SourceLocation &location,
                   Statement *statement) {
  StretchOf within(scalars, add_view, stretch, location);
  within.CheckCounts(whole);
  statement->value = within.Value(whole.value);
  std::vector<Expr> fitting;
  for (const Expr &e : whole.fitting) fitting.push_back(within.Fitting(e));
  AddFitting(scalars.rule(), fitting, statement);
}

}  // namespace mgen
