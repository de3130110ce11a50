// SPDX-License-Identifier: Apache-2.0
/// \file can_fuse.h
/// Tells whether two kernels can be fused.
#ifndef MSHADOW_GENERATOR_PASSES_CAN_FUSE_H_
#define MSHADOW_GENERATOR_PASSES_CAN_FUSE_H_

#include <set>
#include <vector>

#include "ir/rule.h"

namespace mgen {

/// Merges the statements of two bodies, in the order of the spec.
std::vector<Statement> Together(std::vector<Statement> first, std::vector<Statement> second);

/// Whether the kernels of two bodies can be fused: the fused kernel is legal (legality.h), both go
/// over one shape in the same way, neither writes memory that the other uses by another name, and
/// no temporary needs memory that did not before.
/// \param rule the rule of the statements; its stages do not matter
/// \param elsewhere the tensors that other stages use
bool CanFuse(const Rule &rule, const std::vector<Statement> &first,
             const std::vector<Statement> &second, const std::set<int> &elsewhere);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CAN_FUSE_H_
