// SPDX-License-Identifier: Apache-2.0
#include "driver/option_table.h"

#include <algorithm>
#include <charconv>

#include "driver/exit_code.h"
#include "driver/pipeline.h"
#include "driver/suggest.h"
#include "emit/names.h"
#include "frontend/library_names.h"

namespace mgen {
namespace {

constexpr unsigned kNone = Bit(Command::kNone);
constexpr unsigned kGenerate = Bit(Command::kGenerate);
constexpr unsigned kCheck = Bit(Command::kCheck);
constexpr unsigned kList = Bit(Command::kList);
constexpr unsigned kExplain = Bit(Command::kExplain);
constexpr unsigned kWriting = kGenerate | kCheck;
constexpr unsigned kCommands = kWriting | kList | kExplain;

std::vector<std::string> SplitList(const std::string &value) {
  std::vector<std::string> items;
  size_t begin = 0;
  while (true) {
    const size_t comma = std::min(value.find(',', begin), value.size());
    items.push_back(value.substr(begin, comma - begin));
    if (comma == value.size()) return items;
    begin = comma + 1;
  }
}

/// \returns the position of `value` in `names`.
size_t Choose(const char *what, const std::string &value, const std::vector<std::string> &names) {
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    throw UsageError(std::string("unknown ") + what + " '" + value +
                     "' (known: " + Join(names, ", ") + ")" + DidYouMean(value, names));
  }
  return static_cast<size_t>(found - names.begin());
}

std::vector<std::string> EmitNames() {
  std::vector<std::string> names;
  for (const EmitKind &kind : EmitKinds()) names.push_back(kind.name);
  return names;
}

constexpr Numerics kNumericsModes[] = {Numerics::kStrict, Numerics::kContract, Numerics::kFast};

constexpr Determinism kLevels[] = {Determinism::kRunToRun, Determinism::kEverywhere};
std::vector<std::string> DeterminismNames() {
  std::vector<std::string> names;
  for (const Determinism level : kLevels) names.emplace_back(NameOf(level));
  return names;
}

std::vector<std::string> IsaList() { return IsaNames(); }
std::vector<std::string> NumericsNames() {
  std::vector<std::string> names;
  for (const Numerics mode : kNumericsModes) names.emplace_back(NameOf(mode));
  return names;
}
std::vector<std::string> OnOffNames() { return {"on", "off"}; }
std::vector<std::string> FormatNames() { return {"text", "json"}; }
std::vector<std::string> ColorNames() { return {"auto", "always", "never"}; }

/// The element types, f32 first.
std::vector<std::string> DtypeNames() {
  std::vector<std::string> names;
#define MGEN_SCALAR_KIND(id, ir_name, cpp_name, bytes, category) \
  if (IsElementKind(ScalarKind::id)) names.push_back(ir_name);
#include "ir/scalar_kinds.def"
#undef MGEN_SCALAR_KIND
  return names;
}

void SetEmit(Options *options, const std::string &value) {
  const std::vector<std::string> names = EmitNames();
  options->emit.clear();
  for (const std::string &item : SplitList(value)) {
    Choose("kind of output", item, names);
    options->emit.insert(item);
  }
}

void SetNamespace(Options *options, const std::string &value) {
  options->wrap.clear();
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find("::", begin), value.size());
    options->wrap.push_back(value.substr(begin, end - begin));
    if (!IsIdentifier(options->wrap.back())) {
      throw UsageError("--namespace takes identifiers with '::' between them, not '" + value + "'");
    }
    const std::string &name = options->wrap.back();
    const std::string why =
        IsLibraryMacro(name) ? "it is a macro of some systems" : WhyNoNamespace(name, begin == 0);
    if (!why.empty()) throw UsageError("--namespace cannot take '" + name + "': " + why);
    begin = end + 2;
  }
}

void SetIsa(Options *options, const std::string &value) {
  std::set<size_t> chosen = {0};  // the baseline is always there: the last resort
  for (const std::string &item : SplitList(value)) {
    chosen.insert(Choose("instruction set", item, IsaNames()));
  }
  options->isa.clear();
  for (const size_t i : chosen) options->isa.push_back(IsaNames()[i]);
}

void SetDtypes(Options *options, const std::string &value) {
  std::vector<ScalarKind> kinds;
#define MGEN_SCALAR_KIND(id, ir_name, cpp_name, bytes, category) \
  if (IsElementKind(ScalarKind::id)) kinds.push_back(ScalarKind::id);
#include "ir/scalar_kinds.def"
#undef MGEN_SCALAR_KIND
  const std::vector<std::string> names = DtypeNames();
  for (const std::string &item : SplitList(value)) {
    options->dtypes.push_back(kinds[Choose("element type", item, names)]);
  }
}

/// A number of at least `least`.
int Number(const char *flag, const std::string &value, int least) {
  int n = 0;
  const char *end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, n);
  if (error != std::errc() || stop != end || n < least) {
    throw UsageError(std::string(flag) + " takes a number from " + std::to_string(least) +
                     ", not '" + value + "'");
  }
  return n;
}

void SetWarning(Options *options, const std::string &value) {
  const std::string wrong = ApplyWarningFlag("-W" + value, &options->diagnostics);
  if (!wrong.empty()) throw UsageError(wrong);
}

void SetDumpAfter(Options *options, const std::string &value) {
  Choose("pass", value, PassNames());
  options->dump_after = value;
}

bool OnOff(const char *flag, const std::string &value) {
  return Choose(flag, value, OnOffNames()) == 0;
}

OutputFormat Format(const std::string &value) {
  return Choose("format", value, FormatNames()) == 0 ? OutputFormat::kText : OutputFormat::kJson;
}

}  // namespace

const std::vector<CommandRow> &Commands() {
  static const std::vector<CommandRow> rows = {
      {Command::kGenerate, "generate",
       "Write the outputs. Unchanged files keep their time. On any error nothing is written."},
      {Command::kCheck, "check",
       "Generate in memory and compare with what is on disk: a unified diff on stdout, status 3 if "
       "they differ."},
      {Command::kList, "list",
       "Print the output files (--outputs), the kernels (--kernels) or the files read (--deps)."},
      {Command::kExplain, "explain",
       "Say for each kernel what was fused, what it moves per element and what slows it down."},
  };
  return rows;
}

namespace {

/// What is written, and where.
std::vector<OptionRow> OutputOptions() {
  return {
      {"--name", "BASE", kWriting | kList, "base name of the outputs", "required to write",
       [](Options *o, const std::string &v) { o->name = v; }},
      {"-o,--output-dir", "DIR", kWriting, "where the outputs go", "required",
       [](Options *o, const std::string &v) { o->output_dir = v; }},
      {"--namespace", "NS", kWriting, "wrap the outputs in a namespace, as in a::b", "none",
       SetNamespace},
      {"--path-base", "DIR", kCommands,
       "paths in outputs are relative to DIR; no absolute path is ever written",
       "directory of the first SPEC", [](Options *o, const std::string &v) { o->path_base = v; }},
      {"--emit", "LIST", kWriting | kList, "kinds of output", "header,cpu,manifest", SetEmit, false,
       EmitNames},
      {"--cuda", "on|off", kWriting | kList, "short for adding cuda to --emit", "off",
       [](Options *o, const std::string &v) { o->cuda = OnOff("value of --cuda", v); }, false,
       OnOffNames},
      {"--isa", "LIST", kWriting, "instruction sets of the CPU code, chosen from at run time",
       "baseline", SetIsa, false, IsaList},
      {"--dtypes", "LIST", kCommands, "only the instances over these element types",
       "as instantiated", SetDtypes, false, DtypeNames},
      {"--numerics", "strict|contract|fast", kWriting | kExplain,
       "strict: the unfused rule's bits everywhere; contract: a product and a sum may round once; "
       "fast: also quotients and square roots within 3 ULP",
       "strict",
       [](Options *o, const std::string &v) {
         o->numerics = kNumericsModes[Choose("numerics mode", v, NumericsNames())];
       },
       false, NumericsNames},
      {"--determinism", "run-to-run|everywhere", kCommands,
       "refuse rules whose bits are the same less far", "run-to-run",
       [](Options *o, const std::string &v) {
         o->determinism = kLevels[Choose("level of determinism", v, DeterminismNames())];
       },
       false, DeterminismNames},
      {"--standalone", nullptr, kWriting | kList,
       "outputs include no header of mshadow: what they need of it is written beside them", "",
       [](Options *o, const std::string &) { o->standalone = true; }},
      {"--license-header", "FILE", kWriting, "put FILE at the top of every output", "",
       [](Options *o, const std::string &v) { o->license_header = v; }},
      {"--verify", "on|off", kWriting,
       "examine the outputs, independently of what wrote them, before they are used", "on",
       [](Options *o, const std::string &v) { o->verify = OnOff("value of --verify", v); }, false,
       OnOffNames},
      {"--depfile", "FILE", kGenerate, "write what was read as a Makefile rule for the stamp", "",
       [](Options *o, const std::string &v) { o->depfile = v; }},
      {"--stamp", "FILE", kGenerate, "write FILE after the outputs, changed or not", "",
       [](Options *o, const std::string &v) { o->stamp = v; }},
      {"--depfile-list-outputs", nullptr, kGenerate,
       "list the outputs as prerequisites, for Makefiles", "",
       [](Options *o, const std::string &) { o->depfile_list_outputs = true; }},
      {"--dry-run", nullptr, kGenerate,
       "print 'create|update|keep|delete PATH' for each output and write nothing", "",
       [](Options *o, const std::string &) { o->dry_run = true; }},
      {"--strict", nullptr, kCheck, "the manifest's tool version must match too", "",
       [](Options *o, const std::string &) { o->strict = true; }},
  };
}

/// What is printed.
std::vector<OptionRow> PrintOptions() {
  return {
      {"--outputs", nullptr, kList, "list the output files, which needs no parse", "default",
       [](Options *o, const std::string &) { o->list_outputs = true; }},
      {"--kernels", nullptr, kList, "list the kernels with their parameters", "",
       [](Options *o, const std::string &) { o->list_kernels = true; }},
      {"--deps", nullptr, kList, "list the files that the specs read", "",
       [](Options *o, const std::string &) { o->list_deps = true; }},
      {"--kernel", "NAME", kExplain, "explain only this one", "",
       [](Options *o, const std::string &v) { o->kernel = v; }},
      {"--format", "text|json", kNone | kCheck | kList | kExplain, "form of what is printed",
       "text", [](Options *o, const std::string &v) { o->format = Format(v); }, false, FormatNames},
      {"--dump-after", "PASS", kCommands, "print each rule's IR after a pass to stderr", "",
       SetDumpAfter, false, PassNames},
  };
}

/// How specs are parsed, and what is said about them.
std::vector<OptionRow> CommonOptions() {
  return {
      {"--runtime-dir", "DIR", kCommands, "the mshadow headers for the parse", "embedded copy",
       [](Options *o, const std::string &v) { o->runtime_dir = v; }},
      {"--resource-dir", "DIR", kCommands, "Clang's resource directory", "embedded copy",
       [](Options *o, const std::string &v) { o->resource_dir = v; }},
      {"--werror", nullptr, kCommands, "warnings are errors", "",
       [](Options *o, const std::string &) { SetWarning(o, "error"); }},
      {"-W", "[no-]NAME", kCommands, "turn a message on or off; -Werror=NAME makes it an error", "",
       SetWarning, true},
      {"--max-errors", "N", kCommands, "show at most N errors; 0 shows all", "20",
       [](Options *o, const std::string &v) {
         o->diagnostics.max_errors = Number("--max-errors", v, 0);
       }},
      {"--max-seconds", "N", kCommands, "processor time that the parse of a spec may take", "60",
       [](Options *o, const std::string &v) { o->max_seconds = Number("--max-seconds", v, 1); }},
      {"--max-memory", "MIB", kCommands, "memory that a run may take", "2048",
       [](Options *o, const std::string &v) { o->max_memory = Number("--max-memory", v, 64); }},
      {"--diagnostics-format", "text|json", kCommands, "form of the diagnostics", "text",
       [](Options *o, const std::string &v) { o->diagnostics_format = Format(v); }, false,
       FormatNames},
      {"--color", "auto|always|never", kCommands, "colours in diagnostics; NO_COLOR is honoured",
       "auto",
       [](Options *o, const std::string &v) {
         o->color = static_cast<ColorMode>(Choose("colour mode", v, ColorNames()));
       },
       false, ColorNames},
      {"-v,--verbose", nullptr, kCommands, "log each step and its time to stderr", "",
       [](Options *o, const std::string &) { o->verbose = true; }},
      {"-q,--quiet", nullptr, kCommands, "errors only", "",
       [](Options *o, const std::string &) { o->quiet = true; }},
  };
}

/// Questions about the tool.
std::vector<OptionRow> ToolOptions() {
  return {
      {"--version", nullptr, kNone, "print the version and the code revision", "",
       [](Options *o, const std::string &) { o->version = true; }},
      {"--print-config", nullptr, kNone, "print what this build can do", "",
       [](Options *o, const std::string &) { o->print_config = true; }},
      {"--print-resource-dir", nullptr, kNone,
       "print the directory whose headers of Clang are embedded, as --resource-dir takes it", "",
       [](Options *o, const std::string &) { o->print_resource_dir = true; }},
      {"--print-man", nullptr, kNone, "print the manual page, for man", "",
       [](Options *o, const std::string &) { o->print_man = true; }},
      {"--print-completion", nullptr, kNone, "print the completion of this command line for bash",
       "", [](Options *o, const std::string &) { o->print_completion = true; }},
  };
}

}  // namespace

const std::vector<OptionRow> &OptionTable() {
  static const std::vector<OptionRow> rows = [] {
    std::vector<OptionRow> all;
    for (auto *part : {OutputOptions, PrintOptions, CommonOptions, ToolOptions}) {
      for (OptionRow &row : part()) all.push_back(row);
    }
    return all;
  }();
  return rows;
}

std::vector<std::string> Spellings(const OptionRow &row) { return SplitList(row.flags); }

const std::vector<ExitStatusRow> &ExitStatuses() {
  static const std::vector<ExitStatusRow> rows = {
      {kExitSuccess, "success (check: up to date)"},
      {kExitSpecErrors, "the spec has errors"},
      {kExitUsage, "the command line is wrong"},
      {kExitDiffers, "check: outputs are missing or differ"},
      {kExitFile, "a file cannot be read or written"},
      {kExitInternal, "internal error, or out of memory; outputs are untouched"},
  };
  return rows;
}

}  // namespace mgen
