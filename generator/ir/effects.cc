// SPDX-License-Identifier: Apache-2.0
#include "ir/effects.h"

#include <algorithm>
#include <optional>

#include "ir/view_call.h"

namespace mgen {
namespace {

void AddRead(int tensor, Effects *effects) {
  std::vector<int> &known = effects->read;
  if (std::find(known.begin(), known.end(), tensor) == known.end()) known.push_back(tensor);
}

void AddInPlace(int tensor, Effects *effects) {
  AddRead(tensor, effects);
  effects->in_place.insert(tensor);
}

}  // namespace

std::set<int> Effects::used() const {
  std::set<int> tensors = written;
  tensors.insert(read.begin(), read.end());
  return tensors;
}

void Effects::Add(const Effects &other) {
  for (const int tensor : other.read) AddRead(tensor, this);
  in_place.insert(other.in_place.begin(), other.in_place.end());
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
  if (statement.is_call()) {
    AddInPlace(statement.left.tensor, &effects);
    if (statement.kind != Statement::kSort) AddInPlace(statement.right.tensor, &effects);
  } else {
    ForEachNode(statement.value, [&effects](const Expr &node) {
      if (node->op != Op::kRead) return;
      IsInPlace(*node) ? AddInPlace(node->index, &effects) : AddRead(node->index, &effects);
      if (node->axes.is_picked()) AddRead(node->by, &effects);
    });
  }
  if (statement.saver != Saver::kSave) AddInPlace(statement.target, &effects);
  for (const int target : statement.targets()) effects.written.insert(target);
  return effects;
}

Effects EffectsOf(const std::vector<Statement> &body) {
  Effects effects;
  for (const Statement &statement : body) effects.Add(EffectsOf(statement));
  return effects;
}

bool AsksForExtent(const Expr &fitting) { return fitting->op == Op::kDim && fitting->dim != -1; }

std::set<int> FittingTensors(const Statement &statement) {
  std::set<int> tensors;
  for (const Expr &e : statement.fitting) {
    if (!AsksForExtent(e)) tensors.insert(e->index);
  }
  return tensors;
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

int ShapeOf(const Rule &rule, int tensor) {
  while (rule.params[tensor].shape_of >= 0) tensor = rule.params[tensor].shape_of;
  return tensor;
}

std::string Mention(const Rule &rule, int tensor) {
  const std::string name = "'" + rule.params[OwnerOf(rule, tensor)].name + "'";
  if (rule.params[tensor].Indices() >= 0) return "rows of " + name;
  if (!rule.params[tensor].is_part()) return name;
  const View &view = *rule.params[tensor].view;
  if (DiagonalIn(view)) return "the diagonal of " + name;
  return view.is_reshaped ? name + " in another shape" : "a slice of " + name;
}

}  // namespace mgen
