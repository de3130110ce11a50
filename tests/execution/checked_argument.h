// SPDX-License-Identifier: Apache-2.0
/// \file checked_argument.h
/// Whether the arguments of an interpreted rule are those that it declares.
#ifndef MSHADOW_TESTS_EXECUTION_CHECKED_ARGUMENT_H_
#define MSHADOW_TESTS_EXECUTION_CHECKED_ARGUMENT_H_

#include "interpreter.h"

namespace mshadow_test {

/// \param kind of the parameter's type in the instance
/// \throws std::invalid_argument if the argument is missing or of another kind or size
void CheckArgument(const mgen::Param &param, mgen::ScalarKind kind, const Scalars &scalars,
                   const Arrays &arrays);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_CHECKED_ARGUMENT_H_
