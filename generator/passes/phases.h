// SPDX-License-Identifier: Apache-2.0
/// \file phases.h
/// The order in which a rule that reduces does its work on one row, or on everything: sweeps over
/// the elements, and between them what is done once.
#ifndef MSHADOW_GENERATOR_PASSES_PHASES_H_
#define MSHADOW_GENERATOR_PASSES_PHASES_H_

#include <functional>
#include <string>

#include "ir/plan.h"
#include "passes/variants.h"

namespace mgen {

/// Fills `plan->reductions` and `plan->phases` from the statements of `rule`, whose savers are
/// expanded and whose `conditions` these are. `plan->operands` are there already.
///
/// Every statement stands as early as what it reads allows, and sweeps do as much as they can at
/// once: reductions that do not depend on each other are one sweep. Elements are written in the
/// order of the statements.
/// \param hoist gives a value with its uniform parts as scalars; the second argument names them
void PlanPhases(const Rule &rule, const RuleConditions &conditions,
                const std::function<Expr(const Expr &, const std::string &)> &hoist, Plan *plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PHASES_H_
