// SPDX-License-Identifier: Apache-2.0
/// \file check_expression.h
/// Pass `check_expression`: what an MSHADOW_EXPRESSION may consist of.
#ifndef MSHADOW_GENERATOR_PASSES_CHECK_EXPRESSION_H_
#define MSHADOW_GENERATOR_PASSES_CHECK_EXPRESSION_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// An element of an expression needs one element of each operand: these are expressions themselves,
/// of which nothing else is known, not even a shape. Other rules may do anything.
/// \param rule it has one stage
/// \returns false after reporting the first thing that needs more
bool CheckExpression(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CHECK_EXPRESSION_H_
