// SPDX-License-Identifier: Apache-2.0
/// \file pieces.h
/// The pieces of adamw.gen.cu: each function returns one rule's part.
#ifndef MSHADOW_GENERATOR_BACKENDS_CUDA_PIECES_H_
#define MSHADOW_GENERATOR_BACKENDS_CUDA_PIECES_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"
#include "backends/common/skeleton.h"

namespace mgen {
namespace cuda {

/// Whether the numbers of Plan::schedule decide how the kernel is launched.
bool IsTuned(const Plan &plan);
/// kAdamWTuning, and `constexpr mshadow::cuda::Tuning kAdamWTuning = {…};`
std::string Tuning(const PlanText &rule);
std::string TuningText(const PlanText &rule);
/// AdamWKernel, in the device region.
std::string KernelText(const PlanText &rule);
/// `const auto kernel = [](auto call) { return device::AdamWKernel<…, decltype(call)>; };`: the
/// kernel for one call or for those of a list. If the rule has conditions, they choose a variant of
/// the kernel.
/// \param sizes the template arguments before the element types: {"N", "V"}
std::string ChosenKernel(const PlanText &rule, const std::vector<std::string> &sizes);
/// The same function for the kernel of this name, as an expression.
std::string ChosenKernelOf(const PlanText &rule, const std::string &name,
                           const std::vector<std::string> &sizes);
/// The template parameters of a kernel after `first`: the last is the type of its parameter, which
/// is one call or those of a list.
std::string KernelTemplate(const PlanText &rule, const std::vector<std::string> &first);
/// The first line of a kernel, without its return type, and of a function that launches it.
std::string KernelSignature(const std::string &name);
std::string StartSignature(const PlanText &rule, const std::string &name);
/// Whether a kernel has two variants: for vectors of elements, and for single ones.
bool TakesVectors(const Plan &plan);
/// StartAdamW: launches the variant for vectors of N elements, of a kernel that has one.
std::string StartText(const PlanText &rule);
/// For a rule that reduces everything: a kernel for each phase, and the statements that launch the
/// kernels.
std::string AllKernelsText(const PlanText &rule);
std::string LaunchAllText(const PlanText &rule);
/// LaunchAdamWKernel for each instance: what adamw.gen.cc calls.
std::string EntryText(const PlanText &rule);

}  // namespace cuda
}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CUDA_PIECES_H_
