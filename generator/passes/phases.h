// SPDX-License-Identifier: Apache-2.0
/// \file phases.h
/// Plans the phases of a rule that reduces, for one row, or for everything: passes over the
/// elements, and epilogues between them.
#ifndef MSHADOW_GENERATOR_PASSES_PHASES_H_
#define MSHADOW_GENERATOR_PASSES_PHASES_H_

#include <functional>
#include <string>

#include "ir/plan.h"
#include "passes/variants.h"

namespace mgen {

/// Fills `plan->reductions` and `plan->phases`.
///
/// Every statement is in the first phase that what it reads allows. Reductions that do not depend
/// on each other share a pass. Elements are written in the order of the statements.
/// \param rule after expand_savers
/// \param conditions those of \p rule (ConditionsOf)
/// \param hoist replaces scalar parts of a value (Hoister::Hoist); the second argument names them
/// \param plan has its operands
void PlanPhases(const Rule &rule, const RuleConditions &conditions,
                const std::function<Expr(const Expr &, const std::string &)> &hoist, Plan *plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PHASES_H_
