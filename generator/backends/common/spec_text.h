// SPDX-License-Identifier: Apache-2.0
/// \file spec_text.h
/// The rules of one spec, which are in one set of emitted files.
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
  /// The kernels: the rules that are one kernel, and the stages of the others, except calls.
  std::vector<PlanText> kernels;
  Numerics numerics = Numerics::kStrict;
  /// The namespace of the regions, which have the loops of all rules. It is that of the rules or,
  /// if they are in several, the namespaces around all of them.
  NamespacePath home;

  std::string ScalarNamespace() const;  ///< "adamw_scalar"
  std::string ScalarRegion() const;     ///< the same, qualified: "::optim::fused_…::adamw_scalar"
  std::string Guard(const std::string &file) const;        ///< the guard of "adamw.gen.h"
  std::vector<std::string> RuleNames() const;              ///< {"AdamW"}
  bool HasRowBuffers() const;                              ///< whether a kernel does
  bool ReadsViews() const;                                 ///< whether a kernel does
  bool ReadsRankedViews() const;                           ///< whether a view is for any rank
  const PlanText &KernelOf(const PlanStage &stage) const;  ///< of a stage that is not a call
  bool HasCalls(Statement::Kind kind) const;               ///< whether a rule has such a stage
  bool HasExpressions() const;                             ///< whether a rule is one
};

/// The specs of a target, in the order of their first Plans. The Plans must outlive the result.
std::vector<SpecText> GroupBySpec(const std::vector<Plan> &plans, const EmitOptions &options);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_SPEC_TEXT_H_
