// SPDX-License-Identifier: Apache-2.0
#include "optimizer.h"

#include <strings.h>

#include <stdexcept>

namespace demo {

using mshadow::ParamInfo;
using mshadow::Role;

const Rule *FindRule(const std::vector<Rule> &rules, const std::string &name) {
  for (const Rule &rule : rules) {
    if (strcasecmp(rule.info->name, name.c_str()) == 0) return &rule;
  }
  return nullptr;
}

Optimizer::Optimizer(const Rule &rule, const std::map<std::string, double> &hyper) : rule_(rule) {
  std::map<std::string, double> left = hyper;
  for (const ParamInfo &param : *rule.info) {
    if (param.is_tensor) continue;
    if (param.role == Role::kStep) step_index_ = static_cast<int>(scalars_.size());
    const auto changed = left.find(param.name);
    scalars_.push_back(changed == left.end() ? param.value : changed->second);
    if (changed != left.end()) left.erase(changed);
  }
  if (!left.empty()) {
    throw std::invalid_argument(std::string("optimizer ") + rule.info->name +
                                " has no hyper-parameter '" + left.begin()->first + "'");
  }
  if (step_index_ >= 0) scalars_[static_cast<size_t>(step_index_)] = 0.0;
}

void Optimizer::Add(Matrix weight, Matrix grad) {
  Slot slot{weight, grad, {}, {}};
  for (const ParamInfo &param : *rule_.info) {
    if (param.role != Role::kState) continue;
    const mshadow::Shape<2> shape = param.is_single ? mshadow::Shape2(1, 1) : weight.shape_;
    slot.states.emplace_back(shape, static_cast<float>(param.value));
  }
  for (Buffer &state : slot.states) slot.singles.push_back(state[0]);
  slots_.push_back(std::move(slot));
}

void Optimizer::Step() {
  if (step_index_ >= 0) scalars_[static_cast<size_t>(step_index_)] += 1.0;
  for (Slot &slot : slots_) Update(&slot);
}

void Optimizer::Update(Slot *slot) const {
  std::vector<void *> tensors;
  size_t state = 0;
  for (const ParamInfo &param : *rule_.info) {
    if (param.role == Role::kParameter) tensors.push_back(&slot->weight);
    if (param.role == Role::kGradient) tensors.push_back(&slot->grad);
    if (param.role == Role::kState) {
      tensors.push_back(param.is_single ? static_cast<void *>(&slot->singles[state])
                                        : static_cast<Matrix *>(&slot->states[state]));
      ++state;
    }
  }
  rule_.call(tensors.data(), scalars_.data());
}

}  // namespace demo
