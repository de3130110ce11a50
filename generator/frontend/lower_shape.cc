// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_shape.h"

#include <string>
#include <utility>
#include <vector>

#include "frontend/clang_compat.h"
#include "frontend/types.h"
#include "frontend/values.h"
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
  Rewriter without_locals([&scalars, &is_known](const Expr &node, std::vector<Expr> args) {
    is_known = is_known && node->op != Op::kParam;
    return node->op == Op::kLocal ? scalars.rule().prologue[node->index].value
                                  : WithArgs(node, std::move(args));
  });
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    Expr extent = without_locals(scalars.Lower(call->getArg(i)));
    // A local's value may name other locals.
    for (Expr last; extent != last;) {
      last = extent;
      extent = without_locals(last);
    }
    param->extents.push_back(extent);
  }
  return is_known;
}

std::optional<Length> LengthOf(RuleScalars &scalars, const clang::Expr *shape) {
  const clang::CallExpr *call = CallOfShape(shape, 1);
  if (!call) return std::nullopt;
  const auto *literal =
      llvm::dyn_cast<clang::IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
  if (literal && literal->getValue() == 1) return Length{Length::kOne};
  const Rule &rule = scalars.rule();
  Expr extent = scalars.Lower(call->getArg(0));
  while (extent->op == Op::kCast || extent->op == Op::kLocal) {
    extent = extent->op == Op::kCast ? extent->args[0] : rule.prologue[extent->index].value;
  }
  if (extent->op != Op::kDim) return std::nullopt;
  const int known = rule.params[extent->index].rank;
  if (extent->dim == Node::kLastDim) return Length{Length::kColumns};
  if (known == 2 && extent->dim == 0) return Length{Length::kRows};
  if (known >= 2 && extent->dim == known - 1) return Length{Length::kColumns};
  if (known > 2 && extent->dim >= 0) return Length{Length::kChannels, extent->dim};
  return std::nullopt;
}

}  // namespace mgen
