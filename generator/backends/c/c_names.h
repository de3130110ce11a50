// SPDX-License-Identifier: Apache-2.0
/// \file c_names.h
/// The names of rules in C.
#ifndef MSHADOW_GENERATOR_BACKENDS_C_C_NAMES_H_
#define MSHADOW_GENERATOR_BACKENDS_C_C_NAMES_H_

#include <string>

#include "backends/common/plan_text.h"
#include "emit/names.h"

namespace mgen {

/// The functions of a rule in C.
struct CName {
  std::string function;  ///< "optim_AdamW"
  std::string packed;    ///< "optim_AdamW_packed", which takes the arguments in an array
};

/// Makes the C names of a target's rules, one at a time: "optim_AdamW" for optim::AdamW. The name
/// of a rule without a namespace begins with the target's name. A name that is taken gets an
/// underscore.
class CNames {
 public:
  explicit CNames(const std::string &base) : base_(base) {}

  CName Next(const PlanText &rule) {
    const NamespacePath &path = rule.spec_path();
    CName name;
    name.function = Take((path.empty() ? base_ : Join(path, "_")) + "_" + rule.rule());
    name.packed = Take(name.function + "_packed");
    return name;
  }

 private:
  /// Two underscores are reserved to the implementation.
  std::string Take(std::string name) {
    for (size_t at; (at = name.find("__")) != std::string::npos;) name.erase(at, 1);
    return scope_.Take(name);
  }

  std::string base_;
  Scope scope_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_C_C_NAMES_H_
