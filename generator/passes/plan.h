// SPDX-License-Identifier: Apache-2.0
/// \file plan.h
/// Pass `plan`: makes a PlanIR of a RuleIR. Decides the operands with their loads and stores, the
/// scalars that are computed before the launch, the variants, which tensors may alias, and the
/// figures for messages (bytes, passes). The last pass that sees statements; `share` then works on
/// the steps.
///
///     1: mean = add(mul(beta1, mean), mul(sub(1.0f32, beta1), grad))
///   →
///     scalar beta1 = beta1
///     scalar one_minus_beta1 = sub(1.0f32, beta1)
///     1: mean = add(mul(beta1, mean), mul(one_minus_beta1, grad))
#ifndef MSHADOW_GENERATOR_PASSES_PLAN_H_
#define MSHADOW_GENERATOR_PASSES_PLAN_H_

#include "ir/plan.h"

namespace mgen {

/// \param rule has one stage, after check and expand_savers
/// \param forwarded ForwardTemporaries of \p rule
/// \throws std::invalid_argument if `rule` is not such a rule
Plan MakePlan(const Rule &rule, const Rule &forwarded);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PLAN_H_
