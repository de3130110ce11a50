// SPDX-License-Identifier: Apache-2.0
/// \file can_fuse.h
/// Whether the statements of two kernels may be in one.
#ifndef MSHADOW_GENERATOR_PASSES_CAN_FUSE_H_
#define MSHADOW_GENERATOR_PASSES_CAN_FUSE_H_

#include <set>
#include <vector>

#include "ir/rule.h"

namespace mgen {

/// The statements of both in the order of the spec.
std::vector<Statement> Together(std::vector<Statement> first, std::vector<Statement> second);

/// Whether both bodies can be one kernel, if each of them is one: the check of kernels says so
/// (legality.h), they go over one shape in one way, neither writes what the other uses by another
/// name, and no temporary gets memory by it.
/// \param rule whose statements they are; its stages do not matter
/// \param elsewhere the tensors that other stages use
bool CanFuse(const Rule &rule, const std::vector<Statement> &first,
             const std::vector<Statement> &second, const std::set<int> &elsewhere);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CAN_FUSE_H_
