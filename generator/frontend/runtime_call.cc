// SPDX-License-Identifier: Apache-2.0
#include "frontend/runtime_call.h"

#include "frontend/clang_compat.h"
#include "frontend/lower_reshaped.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/effects.h"

namespace mgen {

void RuntimeCall::Reject(const clang::Expr *e, const std::string &what) const {
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics.Report(DiagId::kUnsupportedExpression, location, what, "a rule")
      .Note(note_, location);
  throw Rejected();
}

int RuntimeCall::Operand(unsigned number) const {
  const clang::Expr *arg = StripWrappers(e_->getArg(number))->IgnoreImplicit();
  const int tensor = IsTensor(arg->getType()) ? MemoryOf(tensors_, arg) : scalars_.TensorOf(arg);
  if (tensor < 0 || !Tensor(tensor).has_even_rows()) {
    Reject(arg, "this expression as an argument of " + callee().getNameAsString());
  }
  if (Tensor(tensor).rank == Param::kRankParam) scalars_.RejectRank(e_, "this call");
  return tensor;
}

void RuntimeCall::CheckType(int tensor) const {
  if (Tensor(tensor).type.kind != ScalarKind::kBool) return;
  const SourceLocation location = front_.Where(e_->getSourceRange());
  front_.diagnostics.Report(DiagId::kUnsupportedType, location, "bool", callee().getNameAsString())
      .Note(DiagId::kUnsupportedTypeNote, location);
  throw Rejected();
}

void RuntimeCall::CheckApart(int operand, int target) const {
  const SourceLocation written = front_.Where(e_->getSourceRange());
  mgen::CheckApart(scalars_, e_, callee().getNameAsString(), written, operand, target);
}

void CheckApart(RuleScalars &scalars, const clang::Expr *e, const std::string &what,
                const SourceLocation &written, int operand, int target) {
  if (operand != target) return;
  FrontEnd &front = scalars.front();
  const SourceLocation location = front.Where(e->getSourceRange());
  const Rule &rule = scalars.rule();
  const std::string &name = rule.params[OwnerOf(rule, operand)].name;
  front.diagnostics
      .Report(DiagId::kShiftedRead, location, Mention(rule, operand), "through " + what)
      .Note(DiagId::kWrittenHere, written, name)
      .Note(DiagId::kShiftedReadNote, location, name);
  throw Rejected();
}

}  // namespace mgen
