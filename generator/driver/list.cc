// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "driver/commands.h"
#include "driver/outputs.h"
#include "driver/report.h"
#include "driver/rule_json.h"

namespace mgen {
namespace {

void PrintLines(const std::vector<std::string> &lines) {
  for (const std::string &line : lines) std::printf("%s\n", line.c_str());
}

}  // namespace

ExitCode RunList(const Options &options, Diagnostics *diagnostics, const Log &log) {
  // Without a selection JSON has everything that the command line allows.
  const bool is_json = options.format == OutputFormat::kJson;
  const bool all = is_json && !options.list_outputs && !options.list_kernels && !options.list_deps;
  const bool lists_outputs = options.list_outputs || (all && !options.name.empty());
  const bool lists_deps = options.list_deps || all;
  const bool lists_rules = options.list_kernels || all;

  std::vector<std::string> outputs;
  if (lists_outputs) outputs = OutputNames(options);
  Compilation compilation;
  if (lists_deps || lists_rules) {
    compilation = Compile(options, diagnostics, log);
    if (diagnostics->has_errors()) return kExitSpecErrors;
  }
  if (is_json) {
    Json json = Json::object();
    if (lists_outputs) json["outputs"] = outputs;
    if (lists_deps) json["deps"] = compilation.deps;
    if (lists_rules) json["rules"] = Json::array();
    for (const RuleUnit *unit : compilation.Units()) {
      if (lists_rules) json["rules"].push_back(RuleJson(unit->plan));
    }
    std::fputs(ToText(json).c_str(), stdout);
    return kExitSuccess;
  }
  PrintLines(outputs);
  if (lists_rules) std::fputs(ListText(compilation).c_str(), stdout);
  if (lists_deps) PrintLines(compilation.deps);
  return kExitSuccess;
}

ExitCode RunExplain(const Options &options, Diagnostics *diagnostics, const Log &log) {
  const Compilation compilation = Compile(options, diagnostics, log);
  if (diagnostics->has_errors()) return kExitSpecErrors;
  const std::string text = options.format == OutputFormat::kJson
                               ? ReportJson(compilation, options.numerics, options.kernel)
                               : ReportText(compilation, options.numerics, options.kernel);
  std::fputs(text.c_str(), stdout);
  return kExitSuccess;
}

}  // namespace mgen
