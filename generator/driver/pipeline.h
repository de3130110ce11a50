// SPDX-License-Identifier: Apache-2.0
/// \file pipeline.h
/// Specs → Plans: the front end, then every pass of passes.def.
#ifndef MSHADOW_GENERATOR_DRIVER_PIPELINE_H_
#define MSHADOW_GENERATOR_DRIVER_PIPELINE_H_

#include <string>
#include <vector>

#include "driver/log.h"
#include "driver/options.h"
#include "ir/plan.h"

namespace mgen {

/// One rule on its way through the passes.
struct RuleUnit {
  std::vector<Rule> instances;    ///< from the front end: one for each element-type tuple
  Rule rule;                      ///< from merge_instances on
  std::vector<RuleUnit> kernels;  ///< of a staged rule, from split on
  Rule forwarded;                 ///< of a kernel, from forward_temporaries on
  Plan plan;                      ///< from plan on; of a staged rule from join on
};

struct SpecUnit {
  std::string path;  ///< as given
  std::string name;  ///< relative to the path base, with '/'
  std::string stem;  ///< the beginning of its outputs' names
  std::vector<RuleUnit> rules;
};

struct Compilation {
  std::vector<SpecUnit> specs;    ///< sorted by name, so their order in the command does not matter
  std::vector<std::string> deps;  ///< absolute paths of the files read, specs first
  std::vector<const RuleUnit *> Units() const;  ///< of all specs
  std::vector<Plan> Plans() const;
};

/// The path base: --path-base, or the directory of the first spec.
std::string PathBase(const Options &options);

/// The specs of a command line, not yet parsed.
/// \throws UsageError for two specs of one stem, or a stem that cannot name files
std::vector<SpecUnit> ListSpecs(const Options &options);

/// Runs everything up to the Plans; stops after the first step that reports errors.
/// \throws FileError for a spec that cannot be read; std::logic_error for a bug of ours
Compilation Compile(const Options &options, Diagnostics *diagnostics, const Log &log);

/// The passes, for --dump-after and --help.
std::vector<std::string> PassNames();
std::string PassReason(const std::string &name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_PIPELINE_H_
