// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_mapped_view.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "frontend/expressions.h"
#include "frontend/lower_view.h"
#include "frontend/types.h"
#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// A function each of whose elements is one of its source, or 0.
struct Mover {
  const char *name;
  unsigned source = 0;  ///< the argument
  bool pads = false, repeats = false;
};

const Mover *FindMover(const std::string &name) {
  static const Mover kMovers[] = {
      {"mshadow::expr::crop"},
      {"mshadow::expr::diag"},
      {"mshadow::expr::mirror"},
      {"mshadow::expr::reshape"},
      {"mshadow::expr::swapaxis"},
      {"mshadow::expr::transpose"},
      {"mshadow::expr::pad", 0, true, false},
      {"mshadow::expr::broadcast_keepdim", 0, false, true},
      {"mshadow::expr::broadcast_multi_axes", 0, false, true},
      {"mshadow::expr::broadcast_with_axis", 0, false, true},
      {"mshadow::expr::take", 1, false, true},
      {"mshadow::expr::unpack_patch2col", 0, false, true},
      {"mshadow::expr::upsampling_nearest", 0, false, true},
  };
  const auto mover = std::find_if(std::begin(kMovers), std::end(kMovers),
                                  [&name](const Mover &m) { return name == m.name; });
  return mover == std::end(kMovers) ? nullptr : mover;
}

/// Whether it is a number that the spec spells, from +0 on: 0 times that is +0.
bool IsFactorOfZero(const Expr &e) {
  if (e->op == Op::kCast) return IsFactorOfZero(e->args[0]);
  if (e->op != Op::kLiteral) return false;
  if (std::holds_alternative<uint64_t>(e->value)) return true;
  const auto *integer = std::get_if<int64_t>(&e->value);
  if (integer != nullptr) return *integer >= 0;
  const auto *number = std::get_if<double>(&e->value);
  return number != nullptr && std::isfinite(*number) && !std::signbit(*number);
}

/// Whether it is +0 where every read is. Infinities and signs keep other values from being that.
bool IsZeroOfZeros(const Expr &e) {
  const auto is_zero = [&e](size_t i) { return IsZeroOfZeros(e->args[i]); };
  const auto is_factor = [&e](size_t i) { return IsFactorOfZero(e->args[i]); };
  switch (e->op) {
    case Op::kRead:
      return true;
    case Op::kLiteral:
      return IsFactorOfZero(e) && e->value == MakeLiteral(e->type, 0)->value;
    case Op::kAdd:
    case Op::kSub:
    case Op::kMax:
    case Op::kMin:
      return is_zero(0) && is_zero(1);
    case Op::kMul:
      return (is_zero(0) && (is_zero(1) || is_factor(1))) || (is_factor(0) && is_zero(1));
    case Op::kAbs:
    case Op::kSqrt:
    case Op::kCast:
      return is_zero(0);
    case Op::kSelect:
      return is_zero(1) && is_zero(2);
    default:
      return false;
  }
}

/// Whether what is computed costs no more than reading it.
bool IsCheap(const Expr &e) {
  bool is_cheap = true;
  ForEachNode(e, [&is_cheap](const Expr &node) {
    const bool is_costly = IsElementary(node->op) || node->op == Op::kDiv || node->op == Op::kRem ||
                           node->op == Op::kSqrt || node->op == Op::kRsqrt || node->op == Op::kCall;
    is_cheap = is_cheap && !is_costly;
  });
  return is_cheap;
}

bool IsNumber(const clang::Expr *e) {
  return RecordName(Unwrapped(e)->getType()) == "mshadow::expr::ScalarExp";
}

/// Whether `e`, or what a name in it stands for, reduces a dimension. What repeats such values has
/// them computed before.
bool HasReduction(const clang::Stmt *e) {
  const auto *value = llvm::dyn_cast_or_null<clang::Expr>(e);
  if (!value) return false;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(value);
  if (call && ReducesDimension(CalleeOf(call))) return true;
  const clang::VarDecl *variable = ExpressionNamedBy(value);
  return (variable && HasReduction(variable->getInit())) ||
         std::any_of(e->child_begin(), e->child_end(), HasReduction);
}

}  // namespace

std::optional<Expr> MappedViewLowering::Lower(const clang::Expr *e) {
  Restore<Variables> now(scalars_.variables());
  // For any rank, kernels know few views.
  if (TensorLowering::HasRankParam(scalars_.rule()) || HasReduction(e)) return std::nullopt;
  const auto arithmetic = Find(e, {});
  if (!arithmetic || arithmetic->node == Unwrapped(e) || !MayMove(*arithmetic)) return std::nullopt;
  return LowerBelow(e, {});
}

/// Arithmetic that `e` is, or whose elements functions in `e` give other coordinates. Leaves the
/// scalars of where that stands.
std::optional<MappedViewLowering::Arithmetic> MappedViewLowering::Find(const clang::Expr *e,
                                                                       Between between) {
  e = Unwrapped(e);
  if (const clang::VarDecl *variable = ExpressionNamedBy(e)) {
    if (const Variables *then = scalars_.ScalarsOf(variable)) scalars_.variables() = *then;
    return Find(variable->getInit(), between);
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call) return std::nullopt;
  const Mover *mover = FindMover(CalleeOf(call));
  if (!mover) return ArithmeticOf(e, between);
  const bool is_vector = RankOf(Unwrapped(call->getArg(mover->source))->getType()) == 1;
  const bool makes_matrix = CalleeOf(call) == "mshadow::expr::diag" && is_vector;
  between.pads = between.pads || mover->pads || makes_matrix;
  between.repeats = between.repeats || mover->repeats;
  return Find(call->getArg(mover->source), between);
}

std::optional<MappedViewLowering::Arithmetic> MappedViewLowering::ArithmeticOf(
    const clang::Expr *e, Between between) const {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const std::string name = CalleeOf(call);
  const bool is_known = compat::StartsWith(name, "mshadow::expr::") && MapsElements(e->getType());
  if (!is_known) return std::nullopt;
  return Arithmetic{e, {call->arg_begin(), call->arg_end()}, between};
}

/// Whether arithmetic may be done after the functions that are around it.
bool MappedViewLowering::MayMove(const Arithmetic &arithmetic) {
  Restore<std::vector<Expr>> fitting(tensors_.fitting());
  const Expr computed =
      tensors_.LowerMap(arithmetic.node, arithmetic.operands, [this](const clang::Expr *operand) {
        if (IsNumber(operand)) return tensors_.Lower(operand);
        return MakeRead(0, {tensors_.ElementKind(operand)});  // of whichever tensor
      });
  return (!arithmetic.between.pads || IsZeroOfZeros(computed)) &&
         (!arithmetic.between.repeats || IsCheap(computed));
}

/// The element of the view in which `e` stands in the place of all that was replaced.
Expr MappedViewLowering::LowerBelow(const clang::Expr *e, Between between) {
  Restore<Variables> now(scalars_.variables());
  const auto arithmetic = Find(e, between);
  if (arithmetic && MayMove(*arithmetic)) return LowerArithmetic(*arithmetic);
  scalars_.variables() = outside_;
  return leaf_(replaced_, e);
}

Expr MappedViewLowering::LowerArithmetic(const Arithmetic &arithmetic) {
  return tensors_.LowerMap(arithmetic.node, arithmetic.operands,
                           [this, &arithmetic](const clang::Expr *operand) {
                             if (IsNumber(operand)) return tensors_.Lower(operand);
                             replaced_[arithmetic.node] = operand;
                             const Expr element = LowerBelow(operand, arithmetic.between);
                             replaced_.erase(arithmetic.node);
                             return element;
                           });
}

}  // namespace mgen
