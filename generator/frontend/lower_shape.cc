// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_shape.h"

#include <string>
#include <utility>
#include <vector>

#include "frontend/check_stage.h"
#include "frontend/clang_compat.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/stages.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The call of `mshadow::Shape1` or its like that `shape` is, or null.
const clang::CallExpr *CallOfShape(const clang::Expr *shape, int rank) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(StripWrappers(shape)->IgnoreImplicit());
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const std::string expected = "mshadow::Shape" + std::to_string(rank);
  return callee && QualifiedName(*callee) == expected ? call : nullptr;
}

/// A number of the launch over the arguments' extents and literals; null if parameters of the rule
/// are in it.
Expr OfArguments(const Rule &rule, Expr value) {
  bool is_known = true;
  Rewriter without_locals([&rule, &is_known](const Expr &node, std::vector<Expr> args) {
    is_known = is_known && node->op != Op::kParam;
    return node->op == Op::kLocal ? rule.prologue[node->index].value
                                  : WithArgs(node, std::move(args));
  });
  // A local's value may name other locals.
  for (Expr last; value != last;) {
    last = value;
    value = without_locals(last);
  }
  return is_known ? value : nullptr;
}

}  // namespace

bool IsShapeOfRank(const RuleScalars &scalars, const clang::Expr *shape, int rank) {
  const int tensor = scalars.ShapeOf(shape);
  if (tensor < 0) return false;
  const int known = scalars.rule().params[tensor].rank;
  return known == rank || known == Param::kRankParam;
}

bool LowerExtents(RuleScalars &scalars, const clang::Expr *shape, Param *param) {
  const clang::CallExpr *call = CallOfShape(shape, param->rank);
  if (!call) return false;
  bool is_known = true;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    param->extents.push_back(OfArguments(scalars.rule(), scalars.Lower(call->getArg(i))));
    is_known = is_known && param->extents.back() != nullptr;
  }
  return is_known;
}

int TensorThatMakes(RuleScalars &scalars, const clang::Expr *shape) {
  const clang::TemplateArgumentList *args = TemplateArgs(shape->getType());
  if (!args || RecordName(shape->getType()) != "mshadow::Shape") return -1;
  Param like;
  like.rank = static_cast<int>((*args)[0].getAsIntegral().getExtValue());
  if (!LowerExtents(scalars, shape, &like)) return -1;
  int tensor = -1;
  for (int d = 0; d < like.rank; ++d) {
    Expr extent = like.extents[d];
    while (extent->op == Op::kCast) extent = extent->args[0];
    const bool is_next = extent->op == Op::kDim && extent->dim == d;
    if (!is_next || (d > 0 && extent->index != tensor)) return -1;
    tensor = extent->index;
  }
  return scalars.rule().params[tensor].rank == like.rank ? tensor : -1;
}

Expr ExtentOf(const Rule &rule, int tensor, int dimension) {
  const Param &param = rule.params[tensor];
  if (param.is_part()) return ExtentOfPart(rule, tensor, dimension);
  if (!param.is_temporary) return MakeDim(tensor, dimension);
  // Its shape is said in terms of the arguments'.
  return param.shape_of < 0 ? param.extents[dimension] : ExtentOf(rule, param.shape_of, dimension);
}

Expr ExtentOfPart(const Rule &rule, int part, int dimension) {
  const View &view = *rule.params[part].view;
  const int range = view.LastRangeOf(dimension);
  if (range < 0) return ExtentOf(rule, view.Sources().front(), dimension);
  const Expr &begin = view.Begin(range), &end = view.End(range);
  const bool is_from_first = begin->op == Op::kLiteral && begin->value == LiteralValue(int64_t{0});
  return is_from_first ? end : MakeOp(Op::kSub, {end, begin});
}

namespace {

/// A temporary that has parts has memory, which it has between stages only.
void CheckKeptParts(FrontEnd &front, const Rule &rule) {
  for (const Param &part : rule.params) {
    if (!part.is_part()) continue;
    const Param &source = rule.params[part.view->Sources().front()];
    if (!source.is_temporary || source.is_workspace) continue;
    front.diagnostics
        .Report(DiagId::kUnsupportedExpression, part.location,
                "a part of temporary '" + source.name + "' within one kernel", "a rule")
        .Note(DiagId::kKeptPartNote, part.location);
  }
}

}  // namespace

void FindKeptShapes(FrontEnd &front, Rule *rule) {
  FindWorkspaces(rule);
  CheckKeptParts(front, *rule);
  for (Param &param : rule->params) {
    const int like = param.is_workspace ? param.shape_of : -1;
    if (like < 0 || !rule->params[like].is_part()) continue;
    const int rank = rule->params[like].rank;
    bool is_known = rank != Param::kRankParam;
    for (int d = 0; d < rank; ++d) {
      param.extents.push_back(OfArguments(*rule, ExtentOfPart(*rule, like, d)));
      is_known = is_known && param.extents.back() != nullptr;
    }
    if (is_known) {
      param.shape_of = -1;
    } else {
      param.extents.clear();
      RejectTemporaryShape(front, *rule, param);
    }
  }
}

namespace {

/// What a vector along a dimension has a value for.
std::optional<Length> LengthAlong(int rank, int dim) {
  if (rank == 2 && dim == 0) return Length{Length::kRows};
  if (rank >= 2 && dim == rank - 1) return Length{Length::kColumns};
  if (rank > 2 && dim >= 0) return Length{Length::kChannels, dim};
  return std::nullopt;
}

/// What a vector is that is as long as the range of a part; nothing if it is as long as none.
std::optional<Length> LengthAlongPart(const Rule &rule, const Param &vector) {
  const std::string extent = Print(vector.extents.front(), rule);
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const Param &part = rule.params[i];
    if (!part.is_part() || part.rank == Param::kRankParam) continue;
    for (const int dim : part.view->ranges) {
      const Expr own = OfArguments(rule, ExtentOfPart(rule, static_cast<int>(i), dim));
      if (own && Print(own, rule) == extent) return LengthAlong(part.rank, dim);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Length> LengthOf(const Rule &rule, const Param &vector) {
  if (vector.rank != 1 || vector.extents.empty()) return std::nullopt;
  Expr extent = vector.extents.front();
  while (extent->op == Op::kCast) extent = extent->args[0];
  if (extent->op == Op::kLiteral && extent->value == LiteralValue(int64_t{1})) {
    return Length{Length::kOne};
  }
  std::optional<Length> along;
  if (extent->op == Op::kDim && extent->dim == Node::kLastDim) along = Length{Length::kColumns};
  if (extent->op == Op::kDim && !along) {
    along = LengthAlong(rule.params[extent->index].rank, extent->dim);
  }
  return along ? along : LengthAlongPart(rule, vector);
}

}  // namespace mgen
