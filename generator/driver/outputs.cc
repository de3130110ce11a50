// SPDX-License-Identifier: Apache-2.0
#include "driver/outputs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "backends/backends.h"
#include "driver/exit_code.h"
#include "driver/files.h"
#include "driver/manifest.h"
#include "driver/parallel.h"
#include "driver/report.h"
#include "driver/sha256.h"
#include "driver/standalone.h"
#include "emit/names.h"
#include "emit/rule_mark.h"
#include "ir/printer.h"
#include "verify/verify.h"

namespace mgen {
namespace {

EmitOptions MakeEmitOptions(const Options &options) {
  EmitOptions emit;
  emit.base = options.name;
  emit.wrap = options.wrap;
  emit.isa = options.isa;
  emit.numerics = options.numerics;
  emit.cuda = options.cuda;
  if (!options.license_header.empty()) {
    emit.license = NormalizeNewlines(ReadFile(options.license_header));
    if (!emit.license.empty() && emit.license.back() != '\n') emit.license += '\n';
  }
  return emit;
}

std::string IrText(const Compilation &compilation) {
  std::string text;
  for (const RuleUnit *unit : compilation.Units()) {
    text += Print(unit->rule) + "\n" + Print(unit->plan) + "\n";
  }
  return text;
}

/// The kind that comes last, since it has the fingerprints of the others.
constexpr char kManifest[] = "manifest";

void ReplaceAll(const std::string &from, const std::string &to, std::string *text) {
  for (size_t i = 0; (i = text->find(from, i)) != std::string::npos; i += to.size()) {
    text->replace(i, from.size(), to);
  }
}

bool IsOf(const SpecUnit &spec, const OutputFile &output) {
  return output.name.rfind(spec.stem + ".", 0) == 0;
}

/// Replaces the marks in the outputs of one spec by a hash.
/// \param rules the outputs that the hash is computed from, without the licence at their top
void MarkRules(const SpecUnit &spec, const std::string &license,
               const std::vector<OutputFile> &rules, std::vector<OutputFile> *outputs) {
  std::string all;
  for (const OutputFile &rule : rules) {
    if (!IsOf(spec, rule)) continue;
    const bool is_licensed = rule.text.compare(0, license.size(), license) == 0;
    all += rule.name + "\n" + rule.text.substr(is_licensed ? license.size() : 0);
  }
  const std::string hash = "r" + Sha256(all).substr(0, std::size(kRuleMark) - 2);
  for (OutputFile &output : *outputs) {
    if (!IsOf(spec, output)) continue;
    ReplaceAll(kRuleMark, hash, &output.text);
    ReplaceAll(kGuardMark, llvm::StringRef(hash).upper(), &output.text);
  }
}

/// Runs the back ends of the outputs that the options name, all on the same Plans. The hash in
/// names is that of header, loops and kernels. It does not depend on which other outputs there are.
std::vector<OutputFile> RunBackends(const Options &options, const Compilation &compilation,
                                    const std::vector<Plan> &plans, const EmitOptions &emit) {
  const std::vector<OutputKind> &kinds = OutputKinds();
  const auto is_asked = [&](size_t i) { return options.emits(kinds[i].name); };
  const auto is_rule = [&](size_t i) {
    const std::string &kind = kinds[i].name;
    return kind == "cpu" ? options.emits("header")
                         : (kind == "header" || kind == "cuda") && is_asked(i);
  };
  std::vector<std::vector<OutputFile>> files(kinds.size());
  ForEachIndex(kinds.size(), [&](size_t i) {
    if (kinds[i].emit && (is_asked(i) || is_rule(i))) files[i] = kinds[i].emit(plans, emit);
  });
  std::vector<OutputFile> rules, all;
  for (size_t i = 0; i < files.size(); ++i) {
    if (is_rule(i)) llvm::append_range(rules, files[i]);
    if (is_asked(i)) llvm::append_range(all, files[i]);
  }
  for (const SpecUnit &spec : compilation.specs) MarkRules(spec, emit.license, rules, &all);
  return all;
}

/// The emitted loops of each spec, by its name, for report_html.
std::map<std::string, std::string> LoopTexts(const Compilation &compilation,
                                             const std::vector<Plan> &plans,
                                             const EmitOptions &emit) {
  std::map<std::string, std::string> texts;
  for (const OutputFile &file : EmitHeader(plans, emit)) {
    for (const SpecUnit &spec : compilation.specs) {
      if (file.name == spec.stem + ".map.inc") texts[spec.name] = file.text;
    }
  }
  return texts;
}

/// The functions of the C library that a rule may call.
constexpr const char *kLibm[] = {
#define MGEN_LIBM_OP(name, op)
#define MGEN_LIBM_CALL(name, arity) #name,
#include "frontend/known_functions.def"
#undef MGEN_LIBM_CALL
#undef MGEN_LIBM_OP
};

/// Permits the names that emitted code declares for a rule, or a kernel, outside of namespaces.
void PermitGlobals(const Rule &rule, Permitted *permitted) {
  permitted->globals.insert(
      {rule.name, rule.cpp_name(), rule.name + "Rule", rule.name + "Scalars"});
  for (const Param &param : rule.params) {
    if (param.view) permitted->globals.insert(rule.name + CamelCase(param.name) + "View");
  }
}

Permitted PermittedIn(const Options &options, const Compilation &compilation) {
  Permitted permitted;
  for (const std::string &name : OutputNames(options)) permitted.includes.insert(name);
  for (const char *name : kLibm) permitted.globals.insert({name, name + std::string("f")});
  if (!options.wrap.empty()) permitted.globals.insert(options.wrap.front());
  for (const SpecUnit &spec : compilation.specs) permitted.includes.insert(spec.name);
  for (const RuleUnit *unit : compilation.Units()) {
    const Rule &rule = unit->plan.rule;
    for (const Param &param : rule.params) {
      if (!param.view) continue;
      permitted.includes.insert(param.view->headers.begin(), param.view->headers.end());
    }
    if (!rule.namespaces.empty()) {
      permitted.globals.insert(rule.namespaces.front());
      continue;
    }
    PermitGlobals(rule, &permitted);
    for (const RuleUnit &kernel : unit->kernels) PermitGlobals(kernel.rule, &permitted);
  }
  return permitted;
}

/// Whether a file is not C++.
bool IsText(const std::string &name) {
  const auto ends = [&name](const std::string &suffix) {
    return name.size() >= suffix.size() &&
           name.compare(name.size() - suffix.size(), suffix.npos, suffix) == 0;
  };
  return llvm::any_of(OutputKinds(), [&ends](const OutputKind &kind) {
    if (kind.language == Language::kCpp) return false;
    return llvm::any_of(kind.per_spec, ends) || llvm::any_of(kind.per_target, ends);
  });
}

/// --verify: verify/ examines the texts of the back ends before they are written.
/// \param license the text of --license-header, which every output begins with
/// \throws UsageError if the licence is code, std::logic_error if there is a finding
void VerifyOutputs(const Options &options, const Compilation &compilation,
                   const std::string &license, const std::vector<OutputFile> &outputs) {
  if (!IsOnlyComments(license)) {
    throw UsageError("'" + options.license_header +
                     "' goes to the top of emitted files, so it must be a comment "
                     "(--verify=off allows anything)");
  }
  const Permitted permitted = PermittedIn(options, compilation);
  ForEachIndex(outputs.size(), [&](size_t i) {
    if (IsText(outputs[i].name)) return;
    std::string_view text = outputs[i].text;
    if (text.substr(0, license.size()) == license) text.remove_prefix(license.size());
    const Findings findings = Verify(text, permitted);
    if (findings.empty()) return;
    throw std::logic_error("'" + outputs[i].name + "' has what must not be emitted, in " +
                           findings.front());
  });
}

/// Whether a kernel of these Plans reads views.
bool ReadViews(const std::vector<Plan> &plans) {
  return llvm::any_of(plans, [](const Plan &plan) {
    return plan.uses_views || llvm::any_of(plan.stages, [](const PlanStage &stage) {
             return !stage.call && stage.kernel[0].uses_views;
           });
  });
}

}  // namespace

std::vector<std::string> OutputNames(const Options &options) {
  std::vector<std::string> names;
  const std::vector<SpecUnit> specs = ListSpecs(options);
  for (const OutputKind &kind : OutputKinds()) {
    if (kind.name == kManifest && options.standalone) {
      for (std::string &name : StandaloneNames(options.name, options.emit)) {
        names.push_back(std::move(name));
      }
    }
    if (!options.emits(kind.name)) continue;
    for (const SpecUnit &spec : specs) {
      for (const std::string &suffix : kind.per_spec) names.push_back(spec.stem + suffix);
    }
    for (const std::string &suffix : kind.per_target) names.push_back(options.name + suffix);
  }
  return names;
}

std::vector<OutputFile> MakeOutputs(const Options &options, const Compilation &compilation) {
  std::vector<Plan> plans = compilation.Plans();
  if (options.standalone) {
    // The nodes of expressions are mshadow's, which standalone outputs do not have. So only the
    // rule that assigns an expression is emitted.
    for (Plan &plan : plans) plan.rule.is_expression = false;
  }
  const EmitOptions emit = MakeEmitOptions(options);
  std::vector<OutputFile> files = RunBackends(options, compilation, plans, emit);
  if (options.verify) VerifyOutputs(options, compilation, emit.license, files);
  const std::string &base = options.name;
  if (options.emits("ir")) files.push_back({base + ".ir", IrText(compilation)});
  if (options.emits("report_json")) {
    files.push_back({base + ".report.json", ReportJson(compilation, options.numerics, "")});
  }
  if (options.emits("report_html")) {
    files.push_back({base + ".report.html", ReportHtml(compilation, options.numerics, base,
                                                       LoopTexts(compilation, plans, emit))});
  }
  if (options.standalone) {
    files = MakeStandalone(std::move(files), base, options.emit, ReadViews(plans));
  }

  std::map<std::string, std::string> texts;
  for (OutputFile &file : files) {
    if (texts.emplace(file.name, std::move(file.text)).second) continue;
    throw std::logic_error("two texts for output '" + file.name + "'");
  }
  std::vector<OutputFile> outputs;
  for (const std::string &name : OutputNames(options)) {
    if (name == base + ".manifest") continue;
    auto text = texts.extract(name);
    outputs.push_back(
        {name, text ? std::move(text.mapped()) : emit.license + "// " + name + ": no rules.\n"});
  }
  if (!texts.empty()) throw std::logic_error("unexpected output '" + texts.begin()->first + "'");
  if (options.emits(kManifest)) {
    outputs.push_back({base + ".manifest", MakeManifest(options, compilation, outputs)});
  }
  return outputs;
}

}  // namespace mgen
