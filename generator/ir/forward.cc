// SPDX-License-Identifier: Apache-2.0
#include "ir/forward.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

bool Writes(const Statement &statement, const std::set<int> &tensors) {
  bool writes = false;
  ForEachStatement({statement}, [&](const Statement &inner) {
    writes = writes || (inner.kind != Statement::kIf && tensors.count(inner.target) != 0);
  });
  return writes;
}

/// Whether a statement reads a tensor; `elements` becomes false if not only its own element.
bool ReadsTensor(const Statement &statement, int tensor, bool *elements) {
  bool reads = false;
  ForEachStatement({statement}, [&](const Statement &inner) {
    if (inner.kind == Statement::kIf) return;
    for (const auto &[param, map] : ReadsOf(inner.value).operands) {
      if (param != tensor) continue;
      reads = true;
      *elements = *elements && map == IndexMap::kIdentity;
    }
  });
  return reads;
}

/// The statement of the outermost block that gives the temporary its elements; the end of the block
/// if none does it alone and for good.
std::vector<Statement>::const_iterator DefinitionOf(const std::vector<Statement> &body,
                                                    int temporary) {
  const auto writes = [temporary](const Statement &s) { return Writes(s, {temporary}); };
  const auto first = std::find_if(body.begin(), body.end(), writes);
  if (first == body.end() || first->kind != Statement::kAssign || first->saver != Saver::kSave ||
      std::any_of(first + 1, body.end(), writes)) {
    return body.end();
  }
  return first;
}

void Replace(std::vector<Statement> *body, const Rewriter::Rewrite &rewrite) {
  for (Statement &statement : *body) {
    if (statement.kind == Statement::kAssign) statement.value = Rewriter(rewrite)(statement.value);
    Replace(&statement.then_body, rewrite);
    Replace(&statement.else_body, rewrite);
  }
}

}  // namespace

bool IsForwardable(const Rule &kernel, int temporary) {
  const std::vector<Statement> &body = kernel.stages.front().body;
  const auto definition = DefinitionOf(body, temporary);
  if (definition == body.end()) return false;
  bool elements = true;
  if (ReadsTensor(*definition, temporary, &elements)) return false;
  std::set<int> sources;
  for (const auto &operand : ReadsOf(definition->value).operands) sources.insert(operand.first);
  bool is_written = false, is_stale = false;
  for (auto later = definition + 1; later != body.end(); ++later) {
    // A branch may write what it reads the temporary with.
    is_written = is_written || (later->kind == Statement::kIf && Writes(*later, sources));
    is_stale = is_stale || (ReadsTensor(*later, temporary, &elements) && is_written);
    is_written = is_written || Writes(*later, sources);
  }
  return elements && !is_stale;
}

Rule ForwardTemporaries(Rule kernel) {
  if (FrameOf(kernel) == Frame::kElement) return kernel;
  const std::set<int> values = ValuesOf(kernel);
  std::vector<Statement> &body = kernel.stages.front().body;
  for (size_t i = 0; i < body.size();) {
    const int target = body[i].target;
    const bool is_temporary = body[i].kind == Statement::kAssign &&
                              kernel.params[target].is_temporary && values.count(target) == 0;
    if (!is_temporary || !IsForwardable(kernel, target)) {
      ++i;
      continue;
    }
    const Expr value = WithName(body[i].value, kernel.params[target].name);
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
    Replace(&body, [&](const Expr &node, std::vector<Expr> args) {
      return node->op == Op::kRead && node->index == target ? value
                                                            : WithArgs(node, std::move(args));
    });
  }
  return kernel;
}

}  // namespace mgen
