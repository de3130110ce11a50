// SPDX-License-Identifier: Apache-2.0
/// \file lower_reducer.h
/// Reducers of the spec's own, structs with Reduce, SetInitValue and perhaps Merge: their bodies
/// become formulas of two operands.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_REDUCER_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_REDUCER_H_

#include <string>
#include <vector>

#include "frontend/lower_scalar.h"
#include "ir/rule.h"

namespace mgen {

class ReducerLowering {
 public:
  /// \param reducers those of the rule, to which others are added
  ReducerLowering(ScalarLowering &scalars, std::vector<Reducer> *reducers)
      : scalars_(scalars), front_(scalars.front()), reducers_(*reducers) {}

  /// Adds `reducer`, which accumulates in `kind`, and gives its number among the rule's: one for
  /// each reduction, since in another instance two that are one here may accumulate in two types.
  /// \param reduction the expression that uses it. Throws Rejected after reporting what cannot be
  /// lowered.
  int Add(clang::QualType reducer, ScalarKind kind, const clang::Expr *reduction);

 private:
  [[noreturn]] void Reject(const std::string &name, const std::string &what, ScalarKind kind,
                           const clang::Expr *reduction);

  ScalarLowering &scalars_;
  FrontEnd &front_;
  std::vector<Reducer> &reducers_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_REDUCER_H_
