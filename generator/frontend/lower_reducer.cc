// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_reducer.h"

#include <algorithm>

#include "frontend/clang_compat.h"
#include "frontend/find_calls.h"
#include "frontend/types.h"
#include "ir/builder.h"
#include "ir/printer.h"

namespace mgen {
namespace {

/// What the node of a reduction calls of its reducer.
Calls FunctionsOf(const clang::CXXRecordDecl *node) {
  for (const clang::CXXConstructorDecl *constructor : node->ctors()) {
    if (constructor->isCopyOrMoveConstructor()) continue;
    const Calls calls = CallsIn(constructor);
    const auto use = calls.find("UseReducer");
    if (use != calls.end()) return CallsIn(use->second);
  }
  return {};
}

}  // namespace

void ReducerLowering::Reject(const std::string &name, const std::string &what, ScalarKind kind,
                             const clang::Expr *reduction) {
  const SourceLocation location = front_.Where(reduction->getSourceRange());
  front_.diagnostics.Report(DiagId::kReducer, location, name, what, CppName(kind))
      .Note(DiagId::kReducerNote, location);
  throw Rejected();
}

int ReducerLowering::Add(clang::QualType type, ScalarKind kind, const clang::Expr *reduction) {
  const clang::CXXRecordDecl *record = RecordOf(type);
  const std::string name = record ? record->getNameAsString() : TypeText(front_.ast, type);
  const Calls functions = FunctionsOf(RecordOf(reduction->getType()));
  const auto function = [&](const char *what) {
    const auto found = functions.find(what);
    return found == functions.end() ? nullptr : found->second;
  };
  if (!function("SetInitValue")) Reject(name, "SetInitValue(value)", kind, reduction);
  if (!function("Reduce")) Reject(name, "Reduce(value, other)", kind, reduction);
  // It is the same function under every condition.
  Restore<Expr> guard(scalars_.guard());
  scalars_.guard() = nullptr;
  Reducer reducer;
  reducer.type = {kind};
  reducer.location = front_.Where(record->getLocation());
  const Expr to = MakeOperand(0, reducer.type), from = MakeOperand(1, reducer.type);
  const auto lower = [&](const char *what, std::vector<Expr> args) {
    return scalars_.InlineUpdate(function(what), std::move(args), reduction);
  };
  reducer.initial = lower("SetInitValue", {nullptr});
  reducer.reduce = lower("Reduce", {to, from});
  reducer.merge = function("Merge") ? lower("Merge", {to, from}) : reducer.reduce;
  if (Print(reducer.merge, Rule()) == Print(reducer.reduce, Rule())) reducer.merge = reducer.reduce;
  reducer.name = name;
  const auto is_named = [&reducer](const Reducer &other) { return other.name == reducer.name; };
  for (int i = 2; std::any_of(reducers_.begin(), reducers_.end(), is_named); ++i) {
    reducer.name = name + std::to_string(i);
  }
  reducers_.push_back(std::move(reducer));
  return static_cast<int>(reducers_.size()) - 1;
}

}  // namespace mgen
