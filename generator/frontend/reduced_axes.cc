// SPDX-License-Identifier: Apache-2.0
#include "frontend/reduced_axes.h"

#include <algorithm>

#include "frontend/expressions.h"
#include "frontend/lower_shape.h"
#include "frontend/lower_view.h"
#include "frontend/types.h"

namespace mgen {

bool ReducesAxes(const std::string &name) {
  return name == "mshadow::expr::reduce_with_axis" || name == "mshadow::expr::reduce_keepdim" ||
         name == "mshadow::expr::reduce_multi_axes";
}

namespace {

/// Whether `is` holds for an expression in there, or in what a name in there stands for.
template <typename Is>
bool HasExpression(const clang::Stmt *e, const Is &is) {
  const auto *value = llvm::dyn_cast_or_null<clang::Expr>(e);
  if (!value) return false;
  if (const clang::VarDecl *name = ExpressionNamedBy(value)) {
    return HasExpression(name->getInit(), is);
  }
  if (is(value)) return true;
  return std::any_of(e->child_begin(), e->child_end(),
                     [&is](const clang::Stmt *child) { return HasExpression(child, is); });
}

/// The function that `e` calls; "" if it calls none.
std::string CalledBy(const clang::Expr *e) {
  return CalleeOf(llvm::dyn_cast<clang::CallExpr>(e));
}

}  // namespace

bool ReducesAxes(const clang::Stmt *e) {
  return HasExpression(e, [](const clang::Expr *value) { return ReducesAxes(CalledBy(value)); });
}

ReducedAxis AxisOfRank(int number, int rank, bool keeps_dimension) {
  if (number == rank - 1) {
    return {number, rank, keeps_dimension, rank == 2 ? 0 : Node::kRows, Order::kLanes};
  }
  const int kept = rank == 2 ? Node::kLastDim : Node::kRest - number;
  return {number, rank, keeps_dimension, kept, Order::kLeaves};
}

namespace {

/// Whether something is reduced in there.
bool Reduces(const clang::Stmt *e) {
  return HasExpression(e, [](const clang::Expr *value) {
    return ReducesDimension(CalledBy(value)) || IsReduction(RecordName(value->getType()));
  });
}

class Finder {
 public:
  explicit Finder(TensorLowering &tensors)
      : scalars_(tensors.scalars()), ast_(tensors.scalars().front().ast) {}

  std::optional<ReducedAxes> Of(const clang::Expr *e) const {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(Unwrapped(e));
    if (!call || !ReducesAxes(CalleeOf(call)) || !CombinesNumbers(call)) return std::nullopt;
    const auto *reducer = call->getDirectCallee()->getTemplateSpecializationArgs();
    ReducedAxes reduced = {call->getArg(0), AxesOf(call),
                           ReductionOp(ReducingBy((*reducer)[0].getAsType()))};
    const bool is_possible =
        !reduced.axes.empty() && IsElementWise(reduced.source) &&
        HasElements(reduced.source, reduced.axes.front().rank);
    return is_possible ? std::optional(reduced) : std::nullopt;
  }

 private:
  /// Whether a kernel has the reducer and the type, and gives a value and no index.
  bool CombinesNumbers(const clang::CallExpr *e) const {
    const auto *args = e->getDirectCallee()->getTemplateSpecializationArgs();
    const Reducing reducing = ReducingBy((*args)[0].getAsType());
    const bool combines = reducing == Reducing::kSum || reducing == Reducing::kMax ||
                          reducing == Reducing::kMin || reducing == Reducing::kProduct;
    const bool has_mask = CalleeOf(e) != "mshadow::expr::reduce_multi_axes";
    const bool gives_index = has_mask && (*args)[1].getAsIntegral().getBoolValue();
    const auto element = ElementTypeOf(e->getType());
    const auto kind = element ? ScalarKindOf(ast_, *element) : std::nullopt;
    return combines && !gives_index && kind && *kind != ScalarKind::kBool;
  }

  /// The axes that `e` reduces, the first one first; none if they are not known, or if the rank is
  /// the rule's or 1.
  std::vector<ReducedAxis> AxesOf(const clang::CallExpr *e) const {
    const std::string name = CalleeOf(e);
    const bool keeps = name != "mshadow::expr::reduce_with_axis";
    const int rank = RankOf(e->getType()) + (keeps ? 0 : 1);
    if (TensorLowering::HasRankParam(scalars_.rule()) || rank < 2) return {};
    std::vector<const clang::Expr *> written = {e->getArg(1)};
    if (name == "mshadow::expr::reduce_multi_axes") {
      const clang::CallExpr *shape = CallOfShape(Unwrapped(e->getArg(1)));
      if (!shape) return {};
      written.assign(shape->arg_begin(), shape->arg_end());
      std::reverse(written.begin(), written.end());  // as ReduceAxes does (reduce_with_axis.h)
    }
    std::vector<ReducedAxis> axes;
    for (const clang::Expr *axis : written) {
      clang::Expr::EvalResult value;
      if (!axis->EvaluateAsInt(value, ast_)) return {};
      const auto number = static_cast<int>(value.Val.getInt().getExtValue());
      if (number < 0 || number >= rank) return {};
      axes.push_back(AxisOfRank(number, rank, keeps));
    }
    return axes;
  }

  /// Whether a kernel that reduces can compute the elements of `e`: of tensors at the same
  /// coordinates, of views, and of such reductions, which other kernels compute before.
  bool IsElementWise(const clang::Expr *e) const {
    e = Unwrapped(e);
    if (scalars_.TensorOf(e) >= 0 || !IsExpression(e->getType())) return true;
    if (const clang::VarDecl *name = ExpressionNamedBy(e)) return IsElementWise(name->getInit());
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
    if (!call) return RecordName(e->getType()) == "mshadow::expr::ScalarExp";
    if (RecordName(e->getType()) == "mshadow::expr::ScalarExp") return true;
    if (MapsElements(call->getType())) {
      return std::all_of(call->arg_begin(), call->arg_end(),
                         [this](const clang::Expr *operand) { return IsElementWise(operand); });
    }
    return Of(call) || (IsView(call->getType()) && !Reduces(call));
  }

  /// Whether a tensor of that rank, or another reduction's result, is read in there at the
  /// coordinates of the elements: the kernel goes over its elements.
  bool HasElements(const clang::Expr *e, int rank) const {
    e = Unwrapped(e);
    if (const int tensor = scalars_.TensorOf(e); tensor >= 0) {
      return scalars_.rule().params[tensor].rank == rank;
    }
    if (const clang::VarDecl *name = ExpressionNamedBy(e)) {
      return HasElements(name->getInit(), rank);
    }
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
    if (!call) return false;
    if (!MapsElements(call->getType())) return Of(call).has_value();
    return std::any_of(call->arg_begin(), call->arg_end(), [&](const clang::Expr *operand) {
      return IsExpression(operand->getType()) && HasElements(operand, rank);
    });
  }

  RuleScalars &scalars_;
  const clang::ASTContext &ast_;
};

}  // namespace

std::optional<ReducedAxes> ReducedAxesOf(TensorLowering &tensors, const clang::Expr *e) {
  return Finder(tensors).Of(e);
}

}  // namespace mgen
