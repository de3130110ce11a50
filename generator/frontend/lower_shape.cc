// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_shape.h"

#include <string>
#include <utility>
#include <vector>

#include "frontend/clang_compat.h"
#include "frontend/expressions.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {

const clang::CallExpr *CallOfShape(const clang::Expr *shape) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(StripWrappers(shape)->IgnoreImplicit());
  const std::string name = CalleeOf(call);
  const std::string expected = "mshadow::Shape";
  const bool makes_shape = name.size() == expected.size() + 1 && compat::StartsWith(name, expected);
  return makes_shape ? call : nullptr;
}

const clang::CallExpr *CallOfShape(const clang::Expr *shape, int rank) {
  const clang::CallExpr *call = CallOfShape(shape);
  return call && CalleeOf(call).back() == '0' + rank ? call : nullptr;
}

bool IsShapeOfRank(const RuleScalars &scalars, const clang::Expr *shape, int rank) {
  const int tensor = scalars.ShapeOf(shape);
  if (tensor < 0) return false;
  const int known = scalars.rule().params[tensor].rank;
  return known == rank || known == Param::kRankParam;
}

std::optional<std::vector<Expr>> ExtentsOf(RuleScalars &scalars, const clang::Expr *shape) {
  if (const std::vector<Expr> *named = scalars.NamedExtents(shape)) return *named;
  const clang::CallExpr *call = CallOfShape(shape);
  if (!call) return std::nullopt;
  std::vector<Expr> extents;
  for (const clang::Expr *extent : call->arguments()) extents.push_back(scalars.Lower(extent));
  return extents;
}

namespace {

/// Gives `param` the extents of a computed shape, in terms of the arguments'; false if it is none,
/// or if they do not follow from the arguments.
bool LowerExtents(RuleScalars &scalars, const clang::Expr *shape, Param *param) {
  const auto extents = ExtentsOf(scalars, shape);
  if (!extents || static_cast<int>(extents->size()) != param->rank) return false;
  for (const Expr &extent : *extents) {
    param->extents.push_back(OfArguments(scalars.rule(), extent));
    if (!param->extents.back()) return false;
  }
  return true;
}

}  // namespace

Param MakeTemporary(RuleScalars &scalars, const clang::VarDecl *variable,
                    const std::string &name) {
  FrontEnd &front = scalars.front();
  const clang::TemplateArgumentList *args = TemplateArgs(variable->getType());
  Param param;
  param.name = name;
  param.is_tensor = param.is_temporary = true;
  param.rank = static_cast<int>((*args)[1].getAsIntegral().getExtValue());
  param.location = front.Where(variable->getLocation());
  const clang::QualType element = (*args)[2].getAsType();
  const auto kind = ScalarKindOf(front.ast, element);
  if (!kind || !IsElementKind(*kind)) {
    front.diagnostics
        .Report(DiagId::kUnsupportedType, param.location, TypeText(front.ast, element),
                "a temporary")
        .Note(DiagId::kUnsupportedTypeNote, param.location);
    throw Rejected();
  }
  param.type.kind = *kind;
  const auto *construct =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(StripWrappers(variable->getInit()));
  const clang::Expr *shape = construct ? construct->getArg(0) : nullptr;
  if (shape && IsShapeOfRank(scalars, shape, param.rank)) param.shape_of = scalars.ShapeOf(shape);
  if (shape && param.shape_of < 0 && !LowerExtents(scalars, shape, &param)) {
    auto report =
        front.diagnostics.Report(DiagId::kTemporaryShape, param.location, param.name);
    if (param.rank == 1 || HasTensorOfRank(scalars.rule(), param.rank)) {
      report.Note(DiagId::kTemporaryShapeNote, param.location,
                  InitOfTemporary(scalars.rule(), param));
    } else {
      report.Note(DiagId::kTemporaryExtentsNote, param.location);
    }
    throw Rejected();
  }
  return param;
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

}  // namespace mgen
