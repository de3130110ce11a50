// SPDX-License-Identifier: Apache-2.0
/// \file one_kernel.h
/// Whether the statements of two kernels may be in one: what the checks of a kernel would say of
/// it, asked before there is one.
#ifndef MSHADOW_GENERATOR_PASSES_ONE_KERNEL_H_
#define MSHADOW_GENERATOR_PASSES_ONE_KERNEL_H_

#include <set>
#include <vector>

#include "ir/rule.h"

namespace mgen {

/// More conditions than this give more variants of a kernel than anyone should compile.
constexpr int kMaxConditions = 4;

/// The statements of both in the order of the spec.
std::vector<Statement> Together(std::vector<Statement> first, std::vector<Statement> second);

/// Whether a kernel of both bodies goes over one shape, in one way, and is a kernel that nothing is
/// to be said against, if each of the bodies is one: neither reads elsewhere what the other writes,
/// no temporary gets memory by it, and there are at most kMaxConditions conditions.
/// \param rule whose statements they are; its stages do not matter
/// \param elsewhere the tensors that other stages use
bool FitOneKernel(const Rule &rule, const std::vector<Statement> &first,
                  const std::vector<Statement> &second, const std::set<int> &elsewhere);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ONE_KERNEL_H_
