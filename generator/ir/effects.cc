// SPDX-License-Identifier: Apache-2.0
#include "ir/effects.h"

#include <algorithm>
#include <optional>

namespace mgen {
namespace {

void AddRead(const std::pair<int, IndexMap> &read, Reads *reads) {
  auto &known = reads->operands;
  if (std::find(known.begin(), known.end(), read) == known.end()) known.push_back(read);
}

}  // namespace

std::set<int> Effects::used() const {
  std::set<int> tensors = written;
  for (const auto &read : reads.operands) tensors.insert(read.first);
  return tensors;
}

void Effects::Add(const Effects &other) {
  for (const auto &read : other.reads.operands) AddRead(read, &reads);
  written.insert(other.written.begin(), other.written.end());
}

Effects EffectsOf(const Statement &statement) {
  if (statement.kind == Statement::kIf) {
    Effects effects = EffectsOf(statement.then_body);
    effects.Add(EffectsOf(statement.else_body));
    return effects;
  }
  Effects effects;
  if (!statement.writes()) return effects;
  if (statement.kind == Statement::kProduct) {
    AddRead({statement.left.tensor, IndexMap::kIdentity}, &effects.reads);
    AddRead({statement.right.tensor, IndexMap::kIdentity}, &effects.reads);
  } else {
    effects.reads = ReadsOf(statement.value);
  }
  if (statement.saver != Saver::kSave) {
    AddRead({statement.target, IndexMap::kIdentity}, &effects.reads);
  }
  effects.written.insert(statement.target);
  return effects;
}

Effects EffectsOf(const std::vector<Statement> &body) {
  Effects effects;
  for (const Statement &statement : body) effects.Add(EffectsOf(statement));
  return effects;
}

std::set<int> WithSources(const Rule &rule, int tensor) {
  std::set<int> tensors = {tensor};
  const std::optional<View> &view = rule.params[tensor].view;
  for (const int source : view ? view->Sources() : std::vector<int>()) tensors.insert(source);
  return tensors;
}

std::set<int> WithSources(const Rule &rule, const std::set<int> &tensors) {
  std::set<int> all;
  for (const int tensor : tensors) all.merge(WithSources(rule, tensor));
  return all;
}

int OwnerOf(const Rule &rule, int tensor) {
  const Param &param = rule.params[tensor];
  return param.is_part() ? param.view->Sources().front() : tensor;
}

}  // namespace mgen
