// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_product.h"

#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/lower_reshaped.h"
#include "frontend/runtime_call.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/effects.h"

namespace mgen {
namespace {

class ProductLowering {
 public:
  ProductLowering(RuleScalars &scalars, TensorLowering &tensors, const clang::Expr *e,
                  Statement *statement)
      : scalars_(scalars),
        tensors_(tensors),
        front_(scalars.front()),
        e_(e),
        statement_(*statement) {}

  void Run() {
    RejectInnerPart(statement_.target);
    element_ = Tensor(statement_.target).type.kind;
    CheckElement();
    if (statement_.saver == Saver::kMul || statement_.saver == Saver::kDiv) {
      Reject("'" + std::string(Spelling(statement_.saver)) + "' with a matrix product");
    }
    statement_.kind = Statement::kProduct;
    LowerScaled(e_);
    if (!statement_.value) statement_.value = MakeLiteral({element_}, 1);
    RejectNamedRows(statement_.target);
    CheckRanks();
    for (const int factor : {statement_.left.tensor, statement_.right.tensor}) {
      CheckApart(scalars_, e_, "a matrix product", statement_.location, factor, statement_.target);
    }
  }

 private:
  const Param &Tensor(int param) const { return scalars_.rule().params[param]; }

  [[noreturn]] void Reject(const std::string &what, DiagId note = DiagId::kProductNote) {
    const SourceLocation location = front_.Where(e_->getSourceRange());
    front_.diagnostics.Report(DiagId::kUnsupportedExpression, location, what, "a rule")
        .Note(note, location);
    throw Rejected();
  }

  /// The launch of a product knows no gaps between the matrices of a tensor.
  void RejectInnerPart(int tensor) {
    if (!Tensor(tensor).is_inner_part()) return;
    Reject("a matrix product of a slice of an inner dimension", DiagId::kPartProductNote);
  }

  /// Nor does it know rows at uneven distances.
  void RejectNamedRows(int tensor) {
    if (Tensor(tensor).Indices() < 0) return;
    Reject("a matrix product with rows that indices name", DiagId::kRowsProductNote);
  }

  void CheckElement() {
    if (element_ != ScalarKind::kBool) return;
    const SourceLocation location = front_.Where(e_->getSourceRange());
    front_.diagnostics.Report(DiagId::kUnsupportedType, location, "bool", "a matrix product")
        .Note(DiagId::kProductNote, location);
    throw Rejected();
  }

  /// dot(a, b), or such times a scalar: the inner scales are multiplied first.
  void LowerScaled(const clang::Expr *e) {
    e = StripWrappers(e);
    front_.Step(e->getSourceRange());
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      return LowerScaled(cast->getSubExpr());
    }
    if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e);
        construct && construct->getConstructor()->isCopyOrMoveConstructor()) {
      return LowerScaled(construct->getArg(0));
    }
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || call->getNumArgs() != 2)
      Reject("a matrix product that the statement does not contain itself");
    if (llvm::isa<clang::CXXOperatorCallExpr>(call)) {
      const int product = IsProduct(call->getArg(0)->getType()) ? 0 : 1;
      LowerScaled(call->getArg(product));
      const Expr scale = Convert(element_, scalars_.Lower(call->getArg(1 - product)));
      Expr &known = statement_.value;
      known = known ? MakeOp(Op::kMul, {known, scale}) : scale;
      return;
    }
    const std::string name = QualifiedName(*callee);
    if (name != "mshadow::expr::dot" && name != "mshadow::expr::batch_dot") {
      Reject("a matrix product that the statement does not contain itself");
    }
    statement_.left = LowerFactor(call->getArg(0));
    statement_.right = LowerFactor(call->getArg(1));
    if (name == "mshadow::expr::batch_dot") TakeFlags(e->getType());
  }

  /// `w` or `w.T()`, or such a part of a tensor.
  Factor LowerFactor(const clang::Expr *e) {
    Factor factor;
    const clang::Expr *inner = StripWrappers(e)->IgnoreImplicit();
    if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(inner)) {
      const clang::CXXMethodDecl *method = call->getMethodDecl();
      factor.transposed = method && method->getNameAsString() == "T";
      if (factor.transposed) e = call->getImplicitObjectArgument();
    }
    factor.tensor = MemoryOf(tensors_, e);
    if (factor.tensor < 0) Reject("a factor that is not a tensor of the rule", DiagId::kFactorNote);
    RejectInnerPart(factor.tensor);
    RejectNamedRows(factor.tensor);
    return factor;
  }

  /// batch_dot<true, false> says in its type what is transposed.
  void TakeFlags(clang::QualType product) {
    const clang::TemplateArgumentList *args = TemplateArgs(product);
    statement_.left.transposed = (*args)[2].getAsIntegral().getBoolValue();
    statement_.right.transposed = (*args)[3].getAsIntegral().getBoolValue();
  }

  /// The table of the runtime's dot_engine.h.
  void CheckRanks() {
    const Factor &a = statement_.left, &b = statement_.right;
    const int ranks[] = {Tensor(statement_.target).rank, Tensor(a.tensor).rank,
                         Tensor(b.tensor).rank};
    for (int rank : ranks) {
      if (rank == Param::kRankParam) scalars_.RejectRank(e_, "this product");
    }
    const auto are = [&ranks](int dst, int left, int right) {
      return ranks[0] == dst && ranks[1] == left && ranks[2] == right;
    };
    const bool is_known = are(2, 2, 2) || are(3, 3, 3) || (are(1, 1, 2) && !a.transposed) ||
                          (are(1, 2, 1) && !b.transposed) ||
                          (are(2, 1, 1) && a.transposed && !b.transposed) ||
                          (are(1, 1, 1) && !a.transposed);
    if (is_known) return;
    Reject("a product of ranks " + std::to_string(ranks[1]) + " and " + std::to_string(ranks[2]) +
               " that is assigned to a tensor of rank " + std::to_string(ranks[0]),
           DiagId::kProductRanksNote);
  }

  RuleScalars &scalars_;
  TensorLowering &tensors_;
  FrontEnd &front_;
  const clang::Expr *e_;
  Statement &statement_;
  ScalarKind element_ = ScalarKind::kFloat32;
};

}  // namespace

bool IsProduct(clang::QualType type) { return RecordName(type) == "mshadow::expr::DotExp"; }

void LowerProduct(RuleScalars &scalars, TensorLowering &tensors, const clang::Expr *e,
                  Statement *statement) {
  ProductLowering(scalars, tensors, e, statement).Run();
}

}  // namespace mgen
