// SPDX-License-Identifier: Apache-2.0
#include "optimizer.h"

#include <strings.h>

#include <algorithm>
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

AddTensors MakeGroup(const Rule &rule, const std::map<std::string, double> &hyper,
                     mshadow::Optimizer *optimizer) {
  AddTensors add = rule.group(optimizer);
  for (const auto &[name, value] : hyper) {
    const auto is_it = [name = name](const ParamInfo &param) {
      return param.role == Role::kHyper && name == param.name;
    };
    if (std::none_of(rule.info->begin(), rule.info->end(), is_it)) {
      throw std::invalid_argument(std::string("optimizer ") + rule.info->name +
                                  " has no hyper-parameter '" + name + "'");
    }
    optimizer->Set(name.c_str(), value);
  }
  return add;
}

}  // namespace demo
