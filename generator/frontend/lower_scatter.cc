// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_scatter.h"

#include "frontend/runtime_call.h"
#include "frontend/types.h"
#include "ir/builder.h"

namespace mgen {

bool IsScatter(const clang::FunctionDecl *function) {
  return function && QualifiedName(*function) == "mshadow::AddTakeGrad";
}

void LowerScatter(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e,
                  Statement *statement) {
  const RuntimeCall call(scalars, tensors, e, DiagId::kScatterNote);
  if (e->getNumArgs() != 3) call.Reject(e, "AddTakeGrad with memory for its sums");
  statement->kind = Statement::kScatter;
  statement->saver = Saver::kPlus;
  statement->clips = call.callee().getTemplateSpecializationArgs()->get(0).getAsIntegral() != 0;
  statement->target = call.Operand(0);
  statement->left.tensor = call.Operand(1);
  statement->right.tensor = call.Operand(2);
  statement->value = MakeLiteral({call.Tensor(statement->target).type.kind}, 1);
  call.CheckType(statement->target);
  call.CheckType(statement->left.tensor);
  call.CheckApart(statement->left.tensor, statement->target);
  call.CheckApart(statement->right.tensor, statement->target);
}

}  // namespace mgen
