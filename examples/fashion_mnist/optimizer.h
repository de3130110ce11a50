// SPDX-License-Identifier: Apache-2.0
/// \file optimizer.h
/// Finds rules that are optimizers. Nothing here knows one optimizer from another.
#ifndef EXAMPLES_FASHION_MNIST_OPTIMIZER_H_
#define EXAMPLES_FASHION_MNIST_OPTIMIZER_H_

#include <map>
#include <string>
#include <vector>

#include "kernels.h"

namespace demo {

/// Whether a rule is an optimizer: one parameter, one gradient, all other tensors states, and every
/// scalar a step or a hyper-parameter with a default.
constexpr bool IsOptimizer(const mshadow::RuleInfo &info) {
  using mshadow::Role;
  int parameters = 0, gradients = 0;
  for (int i = 0; i < info.num_params; ++i) {
    const mshadow::ParamInfo &param = info.params[i];
    parameters += param.role == Role::kParameter;
    gradients += param.role == Role::kGradient;
    if (param.role == Role::kNone) return false;
    if (param.role == Role::kHyper && !param.has_value) return false;
  }
  return parameters == 1 && gradients == 1;
}

/// The rule called \p name, in any case of letters; null if there is none.
const Rule *FindRule(const std::vector<Rule> &rules, const std::string &name);

/// Makes a group of a rule.
/// \param rule one for which IsOptimizer holds
/// \param hyper hyper-parameters that shall differ from their defaults
/// \throws std::invalid_argument if the rule has no hyper-parameter of such a name
AddTensors MakeGroup(const Rule &rule, const std::map<std::string, double> &hyper,
                     mshadow::Optimizer *optimizer);

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_OPTIMIZER_H_
