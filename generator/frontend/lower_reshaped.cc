// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_reshaped.h"

#include <map>
#include <string>
#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/expressions.h"
#include "frontend/lower_scan.h"
#include "frontend/lower_view.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/effects.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The part that a `reshape(tensor, shape)` is, or that a name of it is from now on; -1: none.
int ReshapedBy(TensorLowering &tensors, const clang::Expr *e) {
  e = StripWrappers(e)->IgnoreImplicit();
  RuleScalars &scalars = tensors.scalars();
  if (const clang::VarDecl *name = ExpressionNamedBy(e)) {
    Restore<Variables> now(scalars.variables());
    if (const Variables *then = scalars.ScalarsOf(name)) scalars.variables() = *then;
    const int part = ReshapedBy(tensors, name->getInit());
    if (part >= 0) scalars.AddTensor(name, part);
    return part;
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call || CalleeOf(call) != "mshadow::expr::reshape") return -1;
  std::optional<View> view = ViewLowering(scalars).LowerReshaped(e);
  return view ? tensors.AddViewOf(e, std::move(*view), e) : -1;
}

[[noreturn]] void Reject(FrontEnd &front, const SourceLocation &location, const char *what,
                         DiagId note) {
  front.diagnostics.Report(DiagId::kUnsupportedExpression, location, what, "a rule")
      .Note(note, location);
  throw Rejected();
}

}  // namespace

int MemoryOf(TensorLowering &tensors, const clang::Expr *e) {
  if (const int tensor = tensors.scalars().TensorOf(e); tensor >= 0) return tensor;
  if (const int part = tensors.PartOf(e); part >= 0) return part;
  return ReshapedBy(tensors, e);
}

int TargetOf(TensorLowering &tensors, const clang::Expr *e) {
  if (const int tensor = MemoryOf(tensors, e); tensor >= 0) return tensor;
  FrontEnd &front = tensors.scalars().front();
  Reject(front, front.Where(e->getSourceRange()), "writing to this slice",
         DiagId::kWrittenPartNote);
}

void RejectReducedSlice(FrontEnd &front, const clang::Expr *target, const clang::Expr *value) {
  if (!IsSlice(target)) return;
  const std::string record = RecordName(StripWrappers(value)->IgnoreImplicit()->getType());
  if (IsScan(record)) {
    RejectScan(front, value, "cannot be assigned to a slice",
               "assign it to a Temporary, and copy that to the slice");
  }
  if (!IsReduction(record)) return;
  Reject(front, front.Where(value->getSourceRange()), "a reduction that is assigned to a slice",
         DiagId::kReducedSliceNote);
}

std::string NameOfDestination(const Rule &rule, int tensor) {
  const Param &param = rule.params[tensor];
  if (!param.is_part()) return param.name;
  const std::string &owner = rule.params[OwnerOf(rule, tensor)].name;
  if (!param.view->is_reshaped) return owner + ".Slice(...)";
  return param.view->Fill([&owner](const View::Operand &) { return owner; });
}

void ReadReshaped(Rule *rule) {
  std::map<std::string, int> parts;  // by what they are
  for (size_t i = 0; i < rule->params.size(); ++i) {
    const std::optional<View> &view = rule->params[i].view;
    if (view && view->is_reshaped) parts.emplace(Print(*view, *rule), static_cast<int>(i));
  }
  if (parts.empty()) return;
  // If the spec named the view, the part gets that name.
  for (size_t i = 0; i < rule->params.size(); ++i) {
    const std::optional<View> &view = rule->params[i].view;
    if (!view || view->is_part()) continue;
    const auto part = parts.find(Print(*view, *rule));
    const bool is_named = part != parts.end() && static_cast<int>(i) < part->second;
    if (is_named) std::swap(rule->params[i].name, rule->params[part->second].name);
  }
  Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
    if (node->op != Op::kRead || rule->params[node->index].is_part()) {
      return WithArgs(node, std::move(args));
    }
    const std::optional<View> &view = rule->params[node->index].view;
    const auto part = view ? parts.find(Print(*view, *rule)) : parts.end();
    if (part == parts.end() || !node->axes.is_every()) return WithArgs(node, std::move(args));
    return WithLocation(MakeRead(part->second, node->type), node->location);
  });
  ForEachExpr(rule, [&rewrite](Expr *e) { *e = rewrite(*e); });
}

}  // namespace mgen
