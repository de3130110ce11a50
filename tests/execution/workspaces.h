// SPDX-License-Identifier: Apache-2.0
/// \file workspaces.h
/// Temporaries with memory, for the interpreter.
#ifndef MSHADOW_TESTS_EXECUTION_WORKSPACES_H_
#define MSHADOW_TESTS_EXECUTION_WORKSPACES_H_

#include "interpreter.h"

namespace mshadow_test {

/// Adds what a rule keeps from one stage to the next: undecided before a statement gives it values.
void AddWorkspaces(const mgen::Rule &rule, size_t instance, Arrays *arrays);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_WORKSPACES_H_
