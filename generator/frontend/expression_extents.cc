// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression_extents.h"

#include <string>

#include "frontend/expressions.h"
#include "frontend/lower_shape.h"
#include "frontend/types.h"
#include "ir/builder.h"
#include "ir/extents.h"

namespace mgen {
namespace {

class ExtentsFinder {
 public:
  explicit ExtentsFinder(RuleScalars &scalars) : scalars_(scalars) {}

  std::optional<Extents> Of(const clang::Expr *e) {
    e = Unwrapped(e);
    if (const int tensor = scalars_.TensorOf(e); tensor >= 0) return OfTensor(tensor);
    if (const clang::VarDecl *name = ExpressionNamedBy(e)) return OfName(name);
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
    if (!call) return std::nullopt;
    if (MapsElements(call->getType())) return OfOperands(call);
    const std::string name = CalleeOf(call);
    if (name == "mshadow::expr::mirror" || name == "mshadow::expr::flip") {
      return Of(call->getArg(0));
    }
    if (name == "mshadow::expr::reduce_with_axis") return Reduced(call, /*keeps=*/false);
    if (name == "mshadow::expr::reduce_keepdim") return Reduced(call, /*keeps=*/true);
    if (name == "mshadow::expr::reduce_multi_axes") return ReducedAlongAll(call);
    if (name == "mshadow::expr::implicit_dot") return OfProduct(call);
    if (name == "mshadow::expr::broadcast_with_axis") return Repeated(call, /*keeps=*/false);
    if (name == "mshadow::expr::broadcast_keepdim") return Repeated(call, /*keeps=*/true);
    return std::nullopt;
  }

 private:
  std::optional<Extents> OfTensor(int tensor) const {
    const int rank = scalars_.rule().params[tensor].rank;
    if (rank == Param::kRankParam) return std::nullopt;
    Extents extents;
    for (int d = 0; d < rank; ++d) {
      extents.push_back(OfArguments(scalars_.rule(), scalars_.ExtentOf(tensor, d)));
      if (extents.back() == nullptr) return std::nullopt;
    }
    return extents;
  }

  /// With the scalars of where it was named.
  std::optional<Extents> OfName(const clang::VarDecl *name) {
    Restore<Variables> now(scalars_.variables());
    if (const Variables *then = scalars_.ScalarsOf(name)) scalars_.variables() = *then;
    return Of(name->getInit());
  }

  /// Elements of one shape: any of them says it.
  std::optional<Extents> OfOperands(const clang::CallExpr *e) {
    for (const clang::Expr *operand : e->arguments()) {
      if (!IsExpression(operand->getType())) continue;
      if (std::optional<Extents> extents = Of(operand)) return extents;
    }
    return std::nullopt;
  }

  std::optional<int> Constant(const clang::Expr *e) const {
    clang::Expr::EvalResult value;
    if (!e->EvaluateAsInt(value, scalars_.front().ast)) return std::nullopt;
    return static_cast<int>(value.Val.getInt().getExtValue());
  }

  std::optional<Extents> Reduced(const clang::CallExpr *e, bool keeps) {
    std::optional<Extents> extents = Of(e->getArg(0));
    const std::optional<int> axis = Constant(e->getArg(1));
    if (!extents || !axis || *axis < 0 || *axis >= static_cast<int>(extents->size())) {
      return std::nullopt;
    }
    if (keeps) {
      (*extents)[*axis] = MakeLiteral(kIndexType, 1);
    } else {
      extents->erase(extents->begin() + *axis);
    }
    return extents;
  }

  std::optional<Extents> ReducedAlongAll(const clang::CallExpr *e) {
    std::optional<Extents> extents = Of(e->getArg(0));
    const clang::CallExpr *axes = CallOfShape(Unwrapped(e->getArg(1)));
    if (!extents || !axes) return std::nullopt;
    for (const clang::Expr *written : axes->arguments()) {
      const std::optional<int> axis = Constant(written);
      if (!axis || *axis < 0 || *axis >= static_cast<int>(extents->size())) return std::nullopt;
      (*extents)[*axis] = MakeLiteral(kIndexType, 1);
    }
    return extents;
  }

  std::optional<Extents> OfProduct(const clang::CallExpr *e) {
    const std::optional<Extents> left = Of(e->getArg(0)), right = Of(e->getArg(1));
    if (!left || !right) return std::nullopt;
    return Extents{left->front(), right->back()};
  }

  /// A new dimension stands behind the one that is named.
  std::optional<Extents> Repeated(const clang::CallExpr *e, bool keeps) {
    std::optional<Extents> extents = Of(e->getArg(0));
    const std::optional<int> axis = Constant(e->getArg(1));
    const Expr size = OfArguments(scalars_.rule(), scalars_.Lower(e->getArg(2)));
    const int rank = extents ? static_cast<int>(extents->size()) : 0;
    if (!extents || !axis || !size || *axis < (keeps ? 0 : -1) || *axis >= rank) {
      return std::nullopt;
    }
    if (keeps) {
      (*extents)[*axis] = size;
    } else {
      extents->insert(extents->begin() + *axis + 1, size);
    }
    return extents;
  }

  RuleScalars &scalars_;
};

}  // namespace

std::optional<Extents> ExtentsOfExpression(RuleScalars &scalars, const clang::Expr *e) {
  return ExtentsFinder(scalars).Of(e);
}

}  // namespace mgen
