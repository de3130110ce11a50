// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "driver/commands.h"
#include "driver/exit_code.h"
#include "driver/files.h"
#include "driver/limits.h"
#include "driver/parallel.h"
#include "driver/report.h"
#include "emit/names.h"
#include "frontend/parse_spec.h"
#include "ir/printer.h"
#include "ir/stages.h"
#include "ir/verifier.h"
#include "passes/assign_workspaces.h"
#include "passes/bind_axes.h"
#include "passes/buffer.h"
#include "passes/check.h"
#include "passes/check_expression.h"
#include "passes/check_extents.h"
#include "passes/distribute.h"
#include "passes/expand_args.h"
#include "passes/expand_savers.h"
#include "passes/flatten.h"
#include "passes/forward.h"
#include "passes/fuse_kernels.h"
#include "passes/fuse_sweeps.h"
#include "passes/index_reads.h"
#include "passes/isolate_reductions.h"
#include "passes/isolate_slices.h"
#include "passes/lift_reductions.h"
#include "passes/merge_instances.h"
#include "passes/performance.h"
#include "passes/plan.h"
#include "passes/schedule.h"
#include "passes/share.h"
#include "passes/split_stages.h"
#include "passes/stages.h"
#include "passes/unswitch.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

/// The form of a rule after a pass.
enum class Form { kInstances, kRule, kForwarded, kPlan };
/// Whether a pass takes a staged rule, each of its kernels, or all of its kernels together.
enum class Unit { kRule, kKernel, kKernels };

/// A row of passes.def.
struct PassRow {
  const char *name;
  Form form;
  Unit unit;
  bool (*run)(RuleUnit *, Diagnostics *);  ///< \returns false after errors
  const char *reason;
};

// Functions that run passes, one for each kind of argument.

template <bool (*kPass)(const Rule &, Diagnostics &)>
bool Run(RuleUnit *unit, Diagnostics *diagnostics) {
  return kPass(unit->rule, *diagnostics);
}

template <bool (*kPass)(const Plan &, Diagnostics &)>
bool Run(RuleUnit *unit, Diagnostics *diagnostics) {
  return kPass(unit->plan, *diagnostics);
}

template <bool (*kPass)(Rule *, Diagnostics &)>
bool Run(RuleUnit *unit, Diagnostics *diagnostics) {
  return kPass(&unit->rule, *diagnostics);
}

template <void (*kPass)(Rule *)>
bool Run(RuleUnit *unit, Diagnostics *) {
  kPass(&unit->rule);
  return true;
}

template <Rule (*kPass)(Rule)>
bool Run(RuleUnit *unit, Diagnostics *) {
  unit->rule = kPass(std::move(unit->rule));
  return true;
}

template <Plan (*kPass)(Plan)>
bool Run(RuleUnit *unit, Diagnostics *) {
  unit->plan = kPass(std::move(unit->plan));
  return true;
}

bool RunMergeInstances(RuleUnit *unit, Diagnostics *diagnostics) {
  std::optional<Rule> rule = MergeInstances(unit->instances, *diagnostics);
  if (rule) unit->rule = std::move(*rule);
  return rule.has_value();
}

void FuseAndName(Rule *rule) {
  FuseKernels(rule);
  NameParts(rule);
}

bool RunSplit(RuleUnit *unit, Diagnostics *diagnostics) {
  if (!CheckStages(unit->rule, *diagnostics)) return false;
  for (Rule &kernel : KernelsOf(unit->rule)) {
    unit->kernels.push_back({{}, std::move(kernel), {}, {}, {}});
  }
  return true;
}

bool RunForwardTemporaries(RuleUnit *unit, Diagnostics *) {
  unit->forwarded = ForwardTemporaries(unit->rule);
  return true;
}

bool RunPlan(RuleUnit *unit, Diagnostics *) {
  unit->plan = MakePlan(unit->rule, unit->forwarded);
  return true;
}

/// Fuses the sweeps of neighbouring kernels. A rule of a single kernel has none.
bool RunFuseSweeps(RuleUnit *unit, Diagnostics *) {
  if (!IsStaged(unit->rule)) return true;
  size_t next = 0;
  Plan *previous = nullptr;
  for (const Stage &stage : unit->rule.stages) {
    Plan *const kernel = CallOf(stage) == nullptr ? &unit->kernels[next++].plan : nullptr;
    if (previous != nullptr && kernel != nullptr) FuseSweeps(previous, kernel);
    previous = kernel;
  }
  return true;
}

bool RunJoin(RuleUnit *unit, Diagnostics *) {
  std::vector<Plan> plans;
  for (RuleUnit &kernel : unit->kernels) plans.push_back(std::move(kernel.plan));
  if (IsStaged(unit->rule)) unit->plan = JoinStages(unit->rule, std::move(plans));
  return true;
}

constexpr char kParse[] = "parse";

constexpr PassRow kPasses[] = {
#define MGEN_PASS(name, form, unit, run, reason) {#name, Form::form, Unit::unit, run, reason},
#include "driver/passes.def"
#undef MGEN_PASS
};

std::string PrintUnit(const RuleUnit &unit, Form form) {
  if (form == Form::kPlan) return Print(unit.plan);
  if (form == Form::kRule) return Print(unit.rule);
  if (form == Form::kForwarded) return Print(unit.forwarded);
  std::string text;
  for (const Rule &instance : unit.instances) text += Print(instance);
  return text;
}

/// Checks that a pass has left well-formed IR; otherwise it has a bug.
void VerifyUnit(const RuleUnit &unit, const PassRow &pass) {
  const std::vector<std::string> wrong = pass.form == Form::kPlan        ? Problems(unit.plan)
                                         : pass.form == Form::kForwarded ? Problems(unit.forwarded)
                                                                         : Problems(unit.rule);
  if (wrong.empty()) return;
  throw std::logic_error("rule '" + unit.rule.name + "' is malformed after " + pass.name + ": " +
                         Join(wrong, "; "));
}

/// The diagnostics of the passes for one rule, and the text of --dump-after.
struct Passed {
  Diagnostics diagnostics;
  std::string dump;
};

/// The rule or the kernels that a pass changes.
std::vector<RuleUnit *> UnitsOf(const PassRow &pass, RuleUnit *unit) {
  if (pass.unit == Unit::kRule || !IsStaged(unit->rule)) return {unit};
  std::vector<RuleUnit *> kernels;
  for (RuleUnit &kernel : unit->kernels) kernels.push_back(&kernel);
  return kernels;
}

Passed RunPasses(const Options &options, RuleUnit *unit) {
  Passed passed{Diagnostics(options.diagnostics), ""};
  for (const PassRow &pass : kPasses) {
    bool is_right = pass.unit != Unit::kKernels || pass.run(unit, &passed.diagnostics);
    for (RuleUnit *part : UnitsOf(pass, unit)) {
      if (pass.unit != Unit::kKernels) is_right = pass.run(part, &passed.diagnostics) && is_right;
      if (!is_right) continue;
      VerifyUnit(*part, pass);
      if (options.dump_after == pass.name) passed.dump += PrintUnit(*part, pass.form);
    }
    if (!is_right) break;
  }
  return passed;
}

/// Runs the passes on all rules, several at a time. The diagnostics are in the order of the rules.
void RunAllPasses(const Options &options, std::vector<SpecUnit> *specs, Diagnostics *diagnostics) {
  std::vector<RuleUnit *> units;
  for (SpecUnit &spec : *specs) {
    for (RuleUnit &unit : spec.rules) units.push_back(&unit);
  }
  std::vector<std::optional<Passed>> all(units.size());
  ForEachIndex(units.size(), [&](size_t i) { all[i] = RunPasses(options, units[i]); });
  for (std::optional<Passed> &passed : all) {
    diagnostics->Take(std::move(passed->diagnostics));
    std::fputs(passed->dump.c_str(), stderr);
  }
}

/// --dtypes: keeps only instances all of whose element types are named.
void RestrictInstances(const Options &options, std::vector<std::vector<Rule>> *rules) {
  if (options.dtypes.empty()) return;
  const std::set<ScalarKind> wanted(options.dtypes.begin(), options.dtypes.end());
  const auto unwanted = [&](const Rule &instance) {
    const std::vector<ScalarKind> &kinds = instance.instances.at(0);
    return llvm::any_of(kinds, [&](ScalarKind kind) { return !wanted.count(kind); });
  };
  for (std::vector<Rule> &instances : *rules) llvm::erase_if(instances, unwanted);
  llvm::erase_if(*rules, [](const std::vector<Rule> &instances) { return instances.empty(); });
}

/// --determinism: checks that every rule has this level.
void CheckDeterminism(const Options &options, const Compilation &compilation,
                      Diagnostics *diagnostics) {
  if (options.determinism == Determinism::kRunToRun) return;  // every rule has this level
  for (const RuleUnit *unit : compilation.Units()) {
    const std::optional<DeterminismLimit> limit = LimitOf(unit->rule, options.numerics);
    if (!limit) continue;
    diagnostics->Report(DiagId::kDeterminism, limit->location, unit->rule.name, limit->reason)
        .Note(DiagId::kDeterminismNote, limit->location, limit->remedy);
  }
}

/// Checks that no two rules of all specs have one name: the umbrella header includes them all.
void CheckNames(const Compilation &compilation, Diagnostics *diagnostics) {
  std::map<std::string, const Rule *> seen;
  for (const RuleUnit *unit : compilation.Units()) {
    const Rule &rule = unit->instances.front();
    const auto [other, is_new] = seen.emplace(QualifiedName(rule), &rule);
    if (is_new) continue;
    diagnostics->Report(DiagId::kDuplicateRule, rule.location, rule.name)
        .Note(DiagId::kPreviousHere, other->second->location)
        .Note(DiagId::kDuplicateRuleNote, rule.location);
  }
}

/// Checks that no rule has the name of a kernel of another rule.
void CheckKernelNames(const Compilation &compilation, Diagnostics *diagnostics) {
  const std::vector<const RuleUnit *> units = compilation.Units();
  std::map<std::string, const Rule *> rules;
  for (const RuleUnit *unit : units) rules.emplace(QualifiedName(unit->rule), &unit->rule);
  for (const RuleUnit *unit : units) {
    for (const RuleUnit &kernel : unit->kernels) {
      const auto other = rules.find(QualifiedName(kernel.rule));
      if (other == rules.end()) continue;
      const Rule &rule = *other->second;
      diagnostics
          ->Report(DiagId::kReservedName, rule.location, rule.name,
                   "it is the name of a generated kernel of '" + unit->rule.name + "'")
          .Note(DiagId::kRenameNote, rule.location, rule.name + "_");
    }
  }
}

/// The result of parsing one spec.
struct Parsed {
  std::vector<std::vector<Rule>> rules;
  Dependencies read;
  Diagnostics diagnostics;
};

Parsed Parse(const Options &options, const SpecUnit &spec, std::atomic<int> *line, const Log &log) {
  ParseOptions parse;
  parse.flags = options.cxx_flags;
  parse.resource_dir = options.resource_dir;
  parse.runtime_dir = options.runtime_dir;
  parse.path_base = PathBase(options);
  parse.line = line;
  ReadFile(spec.path);  // a spec that cannot be read is not a mistake in a spec
  Parsed parsed{{}, {}, Diagnostics(options.diagnostics)};
  parsed.rules = log.Time("parse " + spec.name, [&] {
    return ParseSpec(parse, spec.path, parsed.diagnostics, &parsed.read);
  });
  return parsed;
}

/// The specs that are being parsed. If a limit is exceeded, these are reported.
class Unfinished {
 public:
  explicit Unfinished(const std::vector<SpecUnit> &specs) : specs_(specs), now_(specs.size()) {}
  void Begin(size_t i) { now_[i] = 1; }
  void End(size_t i) { now_[i] = 0; }
  /// The line that a parse is at.
  std::atomic<int> *LineOf(size_t i) { return &now_[i]; }

  [[noreturn]] void GiveUp(const Options &options, const std::string &limit) const {
    Diagnostics diagnostics(options.diagnostics);
    for (size_t i = 0; i < specs_.size(); ++i) {
      const int line = now_[i];
      if (line == 0) continue;
      const SourceLocation where{specs_[i].path, line, 1};
      diagnostics.AddSource(specs_[i].path, ReadFile(specs_[i].path));
      diagnostics.Report(DiagId::kTooLarge, where, "parsing this spec takes", limit)
          .Note(DiagId::kParseLimitNote, where);
    }
    PrintDiagnostics(options, diagnostics);
    _exit(kExitSpecErrors);
  }

 private:
  const std::vector<SpecUnit> &specs_;
  std::vector<std::atomic<int>> now_;  // 0: not being parsed
};

/// Parses the specs, several at a time. The results are as if they were parsed in order.
void ParseAll(const Options &options, Compilation *compilation, Diagnostics *diagnostics,
              const Log &log) {
  std::vector<SpecUnit> &specs = compilation->specs;
  std::vector<std::optional<Parsed>> all(specs.size());
  {
    const EndsWithoutMemory ends;
    Unfinished unfinished(specs);
    const Watchdog watchdog(
        static_cast<double>(options.max_seconds) * static_cast<double>(specs.size()),
        static_cast<uint64_t>(options.max_memory) << 20,
        [&](const std::string &limit) { unfinished.GiveUp(options, limit); });
    ForEachIndex(specs.size(), [&](size_t i) {
      unfinished.Begin(i);
      all[i] = Parse(options, specs[i], unfinished.LineOf(i), log);
      unfinished.End(i);
    });
  }
  std::set<std::string> seen;
  for (size_t i = 0; i < specs.size(); ++i) {
    Parsed &parsed = *all[i];
    diagnostics->Take(std::move(parsed.diagnostics));
    RestrictInstances(options, &parsed.rules);
    for (std::vector<Rule> &instances : parsed.rules) {
      specs[i].rules.push_back({std::move(instances), {}, {}, {}, {}});
      if (options.dump_after == kParse) {
        std::fputs(PrintUnit(specs[i].rules.back(), Form::kInstances).c_str(), stderr);
      }
    }
    for (const std::string &file : parsed.read.files) {
      const std::string path = Absolute(file).string();
      if (seen.insert(path).second) compilation->deps.push_back(path);
    }
  }
}

}  // namespace

std::vector<const RuleUnit *> Compilation::Units() const {
  std::vector<const RuleUnit *> units;
  for (const SpecUnit &spec : specs) {
    for (const RuleUnit &unit : spec.rules) units.push_back(&unit);
  }
  return units;
}

std::vector<Plan> Compilation::Plans() const {
  std::vector<Plan> plans;
  for (const RuleUnit *unit : Units()) plans.push_back(unit->plan);
  return plans;
}

std::string PathBase(const Options &options) {
  if (!options.path_base.empty()) return options.path_base;
  const fs::path directory = fs::path(options.specs.at(0)).parent_path();
  return directory.empty() ? "." : directory.string();
}

std::vector<SpecUnit> ListSpecs(const Options &options) {
  const fs::path base = Absolute(PathBase(options));
  std::vector<SpecUnit> specs;
  for (const std::string &path : options.specs) {
    const std::string name = Absolute(path).lexically_relative(base).generic_string();
    specs.push_back({path, name, Stem(name), {}});
  }
  llvm::sort(specs, [](const SpecUnit &a, const SpecUnit &b) { return a.name < b.name; });
  std::map<std::string, std::string> stems;  // in lower case, since some file systems ignore case
  for (const SpecUnit &spec : specs) {
    if (!IsIdentifier(spec.stem)) {
      throw UsageError("'" + spec.path + "': outputs are named after the spec, so '" + spec.stem +
                       "' must be an identifier");
    }
    const auto [other, is_new] = stems.emplace(llvm::StringRef(spec.stem).lower(), spec.path);
    if (!is_new) {
      throw UsageError("'" + other->second + "' and '" + spec.path + "' would both write '" +
                       spec.stem + ".gen.h'; rename one of them");
    }
  }
  return specs;
}

Compilation Compile(const Options &options, Diagnostics *diagnostics, const Log &log) {
  Compilation compilation;
  compilation.specs = ListSpecs(options);
  ParseAll(options, &compilation, diagnostics, log);
  CheckNames(compilation, diagnostics);
  // Rules that were lowered are checked even if others were not: a user sees all mistakes at once.
  log.Time("passes", [&] { RunAllPasses(options, &compilation.specs, diagnostics); });
  if (!diagnostics->has_errors()) CheckKernelNames(compilation, diagnostics);
  if (!diagnostics->has_errors()) CheckDeterminism(options, compilation, diagnostics);
  return compilation;
}

std::vector<std::string> PassNames() {
  std::vector<std::string> names = {kParse};
  for (const PassRow &pass : kPasses) names.push_back(pass.name);
  return names;
}

std::string PassReason(const std::string &name) {
  for (const PassRow &pass : kPasses) {
    if (name == pass.name) return pass.reason;
  }
  return "the front end's result, one rule for each instance";
}

}  // namespace mgen
