// SPDX-License-Identifier: Apache-2.0
/// \file variables.h
/// The scalar variables of code that is run symbolically: names for expressions.
#ifndef MSHADOW_GENERATOR_FRONTEND_VARIABLES_H_
#define MSHADOW_GENERATOR_FRONTEND_VARIABLES_H_

#include <vector>

#include "frontend/front_end.h"
#include "ir/expr.h"

namespace mgen {

/// What each variable in scope holds now; in the order of declaration, so that walks over it do not
/// depend on addresses. A null value: declared, but not yet assigned.
class Variables {
 public:
  struct Slot {
    const clang::VarDecl *variable;
    Expr value;
  };
  Slot *Find(const clang::VarDecl *variable);
  bool Knows(const clang::VarDecl *variable) const;
  void Set(const clang::VarDecl *variable, Expr value);
  std::vector<Slot> &slots() { return slots_; }
  const std::vector<Slot> &slots() const { return slots_; }

 private:
  std::vector<Slot> slots_;
};

/// Variables after an `if`: they have the values of `then_values` where the condition holds. Those
/// that only one branch knows are dropped.
Variables Merge(const Expr &condition, const Variables &then_values, const Variables &else_values);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_VARIABLES_H_
