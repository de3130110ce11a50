// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_diagonal.h"

#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/expressions.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/view_call.h"

namespace mgen {
namespace {

View ColumnOf(int matrix) {
  View column;
  column.text = "mshadow::expr::broadcast_with_axis(mshadow::expr::diag($0), $1, $2)";
  column.operands = {{View::Operand::kTensor, matrix, nullptr, {}},
                     {View::Operand::kIndex, -1, MakeLiteral(kIndexType, 0), {}},
                     {View::Operand::kIndex, -1, MakeLiteral(kIndexType, 1), {}}};
  column.is_reshaped = true;
  return column;
}

}  // namespace

int DiagonalOf(TensorLowering &tensors, const clang::Expr *e) {
  e = StripWrappers(e)->IgnoreImplicit();
  RuleScalars &scalars = tensors.scalars();
  if (const clang::VarDecl *name = ExpressionNamedBy(e)) {
    return DiagonalOf(tensors, name->getInit());
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call || CalleeOf(call) != "mshadow::expr::diag") return -1;
  const int matrix = scalars.TensorOf(call->getArg(0));
  if (matrix < 0 || scalars.rule().params[matrix].view) return -1;
  if (TensorLowering::HasRankParam(scalars.rule())) scalars.RejectRank(e, "this diagonal");
  const Param source = scalars.rule().params[matrix];
  Param column;
  column.is_tensor = true;
  column.is_const = source.is_const;
  column.type = source.type;
  column.rank = 2;
  column.location = scalars.front().Where(e->getSourceRange());
  column.view = ColumnOf(matrix);
  return tensors.add_view()(source.name + "_diag", std::move(column));
}

bool IsDiagonal(const Rule &rule, int tensor) {
  return tensor >= 0 && rule.params[tensor].view && DiagonalIn(*rule.params[tensor].view);
}

Expr LowerOnDiagonal(TensorLowering &tensors, Materialiser &materialiser, const clang::Expr *e,
                     Statement *statement) {
  if (RankOf(e->getType()) != 1) return tensors.Lower(e);  // a number
  RuleScalars &scalars = tensors.scalars();
  int vector = scalars.TensorOf(e);
  if (vector < 0) {
    const int matrix = OwnerOf(scalars.rule(), statement->target);
    const std::string name = scalars.rule().params[matrix].name;
    const Materialiser::Vector made = materialiser.VectorOf(
        e, name + "_diagonal", "diag(" + name + ")", scalars.ExtentOf(matrix, 0));
    vector = made.tensor;
    // Unfused, one statement reads them and writes the diagonal.
    for (const int source : made.sources) {
      const bool may_overlap = source != matrix && scalars.rule().params[source].is_argument();
      if (may_overlap) statement->apart.push_back(source);
    }
  }
  if (vector < 0) tensors.RejectNode(e);
  return WithLocation(MakeRead(vector, scalars.rule().params[vector].type, {MakeAxis(0)}),
                      scalars.front().Where(e->getSourceRange()));
}

}  // namespace mgen
