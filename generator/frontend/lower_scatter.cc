// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_scatter.h"

#include "frontend/clang_compat.h"
#include "frontend/lower_product.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/effects.h"

namespace mgen {
namespace {

class ScatterLowering {
 public:
  ScatterLowering(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e,
                  Statement *statement)
      : scalars_(scalars),
        tensors_(tensors),
        front_(scalars.front()),
        e_(e),
        statement_(*statement) {}

  void Run() {
    const clang::FunctionDecl &callee = *e_->getDirectCallee();
    if (e_->getNumArgs() != 3) Reject(e_, "AddTakeGrad with memory for its sums");
    statement_.kind = Statement::kScatter;
    statement_.saver = Saver::kPlus;
    statement_.clips = callee.getTemplateSpecializationArgs()->get(0).getAsIntegral() != 0;
    statement_.target = Operand(0);
    statement_.left.tensor = Operand(1);
    statement_.right.tensor = Operand(2);
    statement_.value = MakeLiteral({Tensor(statement_.target).type.kind}, 1);
    CheckTypes();
    CheckOperands(scalars_, statement_, e_, "AddTakeGrad");
  }

 private:
  const Param &Tensor(int param) const { return scalars_.rule().params[param]; }

  [[noreturn]] void Reject(const clang::Expr *e, const std::string &what) {
    const SourceLocation location = front_.Where(e->getSourceRange());
    front_.diagnostics.Report(DiagId::kUnsupportedExpression, location, what, "a rule")
        .Note(DiagId::kScatterNote, location);
    throw Rejected();
  }

  /// A tensor of the rule, or a `tensor.Slice(begin, end)`: what is a Tensor unfused, too.
  int Operand(unsigned number) {
    const clang::Expr *arg = StripWrappers(e_->getArg(number))->IgnoreImplicit();
    int tensor = scalars_.TensorOf(arg);
    if (tensor < 0 && IsTensor(arg->getType())) tensor = tensors_.PartOf(arg);
    if (tensor < 0 || !Tensor(tensor).has_even_rows()) {
      Reject(arg, "this expression as an argument of AddTakeGrad");
    }
    if (Tensor(tensor).rank == Param::kRankParam) scalars_.RejectRank(e_, "this call");
    return tensor;
  }

  void CheckTypes() {
    for (const int tensor : {statement_.target, statement_.left.tensor}) {
      if (Tensor(tensor).type.kind != ScalarKind::kBool) continue;
      const SourceLocation location = front_.Where(e_->getSourceRange());
      front_.diagnostics.Report(DiagId::kUnsupportedType, location, "bool", "AddTakeGrad")
          .Note(DiagId::kUnsupportedTypeNote, location);
      throw Rejected();
    }
  }

  RuleScalars &scalars_;
  TensorLowering &tensors_;
  FrontEnd &front_;
  const clang::CallExpr *e_;
  Statement &statement_;
};

}  // namespace

bool IsScatter(const clang::FunctionDecl *function) {
  return function && QualifiedName(*function) == "mshadow::AddTakeGrad";
}

void LowerScatter(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e,
                  Statement *statement) {
  ScatterLowering(scalars, tensors, e, statement).Run();
}

}  // namespace mgen
