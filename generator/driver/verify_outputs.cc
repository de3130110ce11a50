// SPDX-License-Identifier: Apache-2.0
#include "driver/verify_outputs.h"

#include <stdexcept>
#include <string_view>

#include "driver/exit_code.h"
#include "driver/outputs.h"
#include "driver/parallel.h"
#include "emit/names.h"
#include "verify/verify.h"

namespace mgen {
namespace {

/// The functions of the C library that a rule may call.
constexpr const char *kLibm[] = {
#define MGEN_LIBM_OP(name, op)
#define MGEN_LIBM_CALL(name, arity) #name,
#include "frontend/known_functions.def"
#undef MGEN_LIBM_CALL
#undef MGEN_LIBM_OP
};

/// What is declared of a rule, or a kernel of one, in no namespace.
void PermitGlobals(const Rule &rule, Permitted *permitted) {
  permitted->globals.insert({rule.name, rule.name + "Rule", rule.name + "Scalars"});
  for (const Param &param : rule.params) {
    if (param.view) permitted->globals.insert(rule.name + CamelCase(param.name) + "View");
  }
}

Permitted PermittedIn(const Options &options, const Compilation &compilation) {
  Permitted permitted;
  for (const std::string &name : OutputNames(options)) permitted.includes.insert(name);
  for (const char *name : kLibm) permitted.globals.insert({name, name + std::string("f")});
  if (!options.wrap.empty()) permitted.globals.insert(options.wrap.front());
  for (const SpecUnit &spec : compilation.specs) {
    permitted.includes.insert(spec.name);
    for (const RuleUnit &unit : spec.rules) {
      const Rule &rule = unit.plan.rule;
      for (const Param &param : rule.params) {
        if (!param.view) continue;
        permitted.includes.insert(param.view->headers.begin(), param.view->headers.end());
      }
      if (!rule.namespaces.empty()) {
        permitted.globals.insert(rule.namespaces.front());
        continue;
      }
      PermitGlobals(rule, &permitted);
      for (const RuleUnit &kernel : unit.kernels) PermitGlobals(kernel.rule, &permitted);
    }
  }
  return permitted;
}

}  // namespace

void VerifyOutputs(const Options &options, const Compilation &compilation,
                   const std::string &license, const std::vector<OutputFile> &outputs) {
  if (!IsOnlyComments(license)) {
    throw UsageError("'" + options.license_header +
                     "' stands at the top of every output, so it must be a comment; with "
                     "--verify=off it may be anything");
  }
  const Permitted permitted = PermittedIn(options, compilation);
  const auto is_cpp = [](const std::string &name) { return name.rfind(".py") == name.npos; };
  ForEachIndex(outputs.size(), [&](size_t i) {
    if (!is_cpp(outputs[i].name)) return;
    std::string_view text = outputs[i].text;
    if (text.substr(0, license.size()) == license) text.remove_prefix(license.size());
    const Findings findings = Verify(text, permitted);
    if (findings.empty()) return;
    throw std::logic_error("'" + outputs[i].name + "' is not what may be emitted, in " +
                           findings.front());
  });
}

}  // namespace mgen
