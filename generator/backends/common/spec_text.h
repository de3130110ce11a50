// SPDX-License-Identifier: Apache-2.0
/// \file spec_text.h
/// The rules of one spec: what one set of emitted files holds.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_SPEC_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_SPEC_TEXT_H_

#include <string>
#include <vector>

#include "backends/common/namespaces.h"
#include "backends/common/plan_text.h"
#include "backends/emit_options.h"
#include "ir/plan.h"

namespace mgen {

struct SpecText {
  std::string path;             ///< "specs/optim/adamw.h"
  std::string stem;             ///< "adamw": outputs are adamw.gen.h, …
  std::vector<PlanText> rules;  ///< in the order of the spec
  /// What has a loop and a kernel: rules, and each stage of a staged one that is no product.
  std::vector<PlanText> kernels;
  Numerics numerics = Numerics::kStrict;
  /// The namespace whose regions hold the loops of all rules: the rules' own, or if they are in
  /// several, what these have in common.
  NamespacePath home;

  std::string ScalarNamespace() const;  ///< "adamw_scalar"
  std::string ScalarRegion() const;  ///< the same from anywhere: "::optim::fused_…::adamw_scalar"
  std::string Guard(const std::string &file) const;        ///< of "adamw.gen.h"
  std::vector<std::string> RuleNames() const;              ///< {"AdamW"}
  bool HasRowBuffers() const;                              ///< whether a kernel does
  bool ReadsViews() const;                                 ///< whether a kernel does
  bool ReadsRankedViews() const;                           ///< some whose rank is its rule's
  const PlanText &KernelOf(const PlanStage &stage) const;  ///< of a stage that is no product
  bool HasProducts() const;                                ///< whether a rule has one
  bool HasExpressions() const;                             ///< whether a rule is one
};

/// The specs of a target in the order of their first Plans, which must outlive the result.
std::vector<SpecText> GroupBySpec(const std::vector<Plan> &plans, const EmitOptions &options);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_SPEC_TEXT_H_
