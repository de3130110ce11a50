// SPDX-License-Identifier: Apache-2.0
/// \file check_expression.h
/// What an expression of the spec (MSHADOW_EXPRESSION) may consist of.
#ifndef MSHADOW_GENERATOR_FRONTEND_CHECK_EXPRESSION_H_
#define MSHADOW_GENERATOR_FRONTEND_CHECK_EXPRESSION_H_

#include "frontend/lower_tensor.h"

namespace mgen {

/// An element of an expression needs one element of each operand: these are expressions themselves,
/// of which nothing else is known, not even a shape. Throws Rejected after reporting.
void CheckExpression(RuleScalars &scalars);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_CHECK_EXPRESSION_H_
