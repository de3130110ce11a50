// SPDX-License-Identifier: Apache-2.0
/// \file optimizer.h
/// Runs any rule that says which of its tensors is the parameter, which the gradient, and how its
/// states begin. Nothing here knows one optimizer from another.
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

/// An optimizer with the states of all the tensors that it updates.
class Optimizer {
 public:
  /// \param rule one for which IsOptimizer holds
  /// \param hyper hyper-parameters that shall differ from their defaults
  /// \throws std::invalid_argument if the rule has no hyper-parameter of such a name
  Optimizer(const Rule &rule, const std::map<std::string, double> &hyper);

  /// Adds a tensor to update; its states are allocated and initialised as the rule declares.
  void Add(Matrix weight, Matrix grad);
  /// Updates every tensor once.
  void Step();

 private:
  struct Slot {
    Matrix weight, grad;
    std::vector<Buffer> states;
    std::vector<Vector> singles;  ///< row 0 of each state, for states of one element
  };
  void Update(Slot *slot) const;

  Rule rule_;
  std::vector<double> scalars_;
  int step_index_ = -1;  ///< of the scalars, the one that counts updates
  std::vector<Slot> slots_;
};

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_OPTIMIZER_H_
