// SPDX-License-Identifier: Apache-2.0
/// \file check_expression.h
/// Pass `check_expression`: checks the body of an MSHADOW_EXPRESSION.
#ifndef MSHADOW_GENERATOR_PASSES_CHECK_EXPRESSION_H_
#define MSHADOW_GENERATOR_PASSES_CHECK_EXPRESSION_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Checks that an element of the result needs only one element of each operand. Operands are
/// expressions themselves, of which even the shape is unknown. Accepts any rule that is not an
/// expression.
/// \param rule has one stage
/// \returns false after it reports the first construct that needs more
bool CheckExpression(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CHECK_EXPRESSION_H_
