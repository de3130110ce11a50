// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_sort.h"

#include "frontend/runtime_call.h"
#include "frontend/types.h"
#include "ir/builder.h"

namespace mgen {
namespace {

struct SortFunction {
  const char *name;
  bool gives_columns_alone, takes_all;
};
constexpr SortFunction kFunctions[] = {
    {"mshadow::TopK", false, false},
    {"mshadow::ArgTopK", true, false},
    {"mshadow::SortRows", false, true},
    {"mshadow::ArgSortRows", true, true},
};

const SortFunction *FindFunction(const clang::FunctionDecl *function) {
  if (!function) return nullptr;
  const std::string name = QualifiedName(*function);
  for (const SortFunction &known : kFunctions) {
    if (name == known.name) return &known;
  }
  return nullptr;
}

/// The value of the last argument, which a rule must know at generation.
bool Ascends(const RuntimeCall &call, const FrontEnd &front) {
  const clang::Expr *argument = call.e()->getArg(call.e()->getNumArgs() - 1);
  bool ascends = false;
  if (argument->isValueDependent() || !argument->EvaluateAsBooleanCondition(ascends, front.ast)) {
    call.Reject(argument,
                "an order of " + call.callee().getNameAsString() + " that only the launch knows");
  }
  return ascends;
}

}  // namespace

bool IsSort(const clang::FunctionDecl *function) { return FindFunction(function) != nullptr; }

void LowerSort(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e,
               Statement *statement) {
  const RuntimeCall call(scalars, tensors, e, DiagId::kSortNote);
  const SortFunction &function = *FindFunction(&call.callee());
  const bool has_columns = function.gives_columns_alone || e->getNumArgs() == 4;
  statement->kind = Statement::kSort;
  statement->target = call.Operand(0);
  if (has_columns) statement->sort.columns = call.Operand(function.gives_columns_alone ? 0 : 1);
  statement->left.tensor = call.Operand(e->getNumArgs() - 2);
  statement->sort.takes_all = function.takes_all;
  statement->sort.ascends = Ascends(call, scalars.front());
  statement->value = MakeLiteral({call.Tensor(statement->target).type.kind}, 1);
  call.CheckType(statement->left.tensor);
  for (const int target : statement->targets()) {
    call.CheckType(target);
    call.CheckApart(statement->left.tensor, target);
  }
  const bool gets_both = has_columns && !function.gives_columns_alone;
  if (gets_both) call.CheckApart(statement->sort.columns, statement->target);
}

}  // namespace mgen
