// SPDX-License-Identifier: Apache-2.0
/// \file verifier.h
/// Whether an IR is well-formed. A problem found here is a bug of the generator: the pass `check`
/// reports what a spec may not do.
#ifndef MSHADOW_GENERATOR_IR_VERIFIER_H_
#define MSHADOW_GENERATOR_IR_VERIFIER_H_

#include <string>
#include <vector>

#include "ir/plan.h"

namespace mgen {

/// One line for each thing that is wrong ("statement 2: read of 7, which does not exist").
std::vector<std::string> Problems(const Rule &rule);
std::vector<std::string> Problems(const Plan &plan);

/// \throws std::logic_error with all problems, if there are any.
void Verify(const Rule &rule);
void Verify(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_VERIFIER_H_
