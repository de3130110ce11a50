// SPDX-License-Identifier: Apache-2.0
#include "driver/option_table.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

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

using Words = std::vector<std::string>;

Words Split(llvm::StringRef text, llvm::StringRef separator) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, separator);
  return {parts.begin(), parts.end()};
}

/// \returns the position of `value` in `names`.
size_t Choose(const char *what, const std::string &value, const Words &names) {
  const auto found = llvm::find(names, value);
  if (found == names.end()) {
    throw UsageError(std::string("unknown ") + what + " '" + value +
                     "' (known: " + Join(names, ", ") + ")" + DidYouMean(value, names));
  }
  return static_cast<size_t>(found - names.begin());
}

Effect Set(bool Options::*member) {
  return {[member](Options *o, const std::string &) { o->*member = true; }, {}};
}

Effect Set(std::string Options::*member) {
  return {[member](Options *o, const std::string &value) { o->*member = value; }, {}};
}

Effect SetOnOff(bool Options::*member, const char *what) {
  const Words names = {"on", "off"};
  const auto apply = [member, what, names](Options *o, const std::string &value) {
    o->*member = Choose(what, value, names) == 0;
  };
  return {apply, names};
}

/// `names` are those of an enumeration's values, in its order.
template <typename Enum>
Effect SetOneOf(Enum Options::*member, const char *what, const Words &names) {
  const auto apply = [member, what, names](Options *o, const std::string &value) {
    o->*member = static_cast<Enum>(Choose(what, value, names));
  };
  return {apply, names};
}

/// The number that `member` gets is at least `least`.
Effect SetNumber(int &(*member)(Options *), const char *flag, int least) {
  const auto apply = [member, flag, least](Options *o, const std::string &value) {
    int &number = member(o);
    if (llvm::StringRef(value).getAsInteger(10, number) || number < least) {
      throw UsageError(std::string(flag) + " takes a number from " + std::to_string(least) +
                       ", not '" + value + "'");
    }
  };
  return {apply, {}};
}

Effect SetEmit() {
  Words names;
  for (const EmitKind &kind : EmitKinds()) names.push_back(kind.name);
  const auto apply = [names](Options *o, const std::string &value) {
    o->emit.clear();
    for (const std::string &item : Split(value, ",")) {
      o->emit.insert(names[Choose("kind of output", item, names)]);
    }
  };
  return {apply, names};
}

void ApplyNamespace(Options *options, const std::string &value) {
  options->wrap = Split(value, "::");
  for (const std::string &name : options->wrap) {
    if (!IsIdentifier(name)) {
      throw UsageError("--namespace takes identifiers with '::' between them, not '" + value + "'");
    }
    const std::string why = IsLibraryMacro(name)
                                ? "it is a macro of some systems"
                                : WhyNoNamespace(name, &name == &options->wrap.front());
    if (!why.empty()) throw UsageError("--namespace cannot take '" + name + "': " + why);
  }
}

void ApplyIsa(Options *options, const std::string &value) {
  std::set<size_t> chosen = {0};  // the baseline is always there: the last resort
  for (const std::string &item : Split(value, ",")) {
    chosen.insert(Choose("instruction set", item, IsaNames()));
  }
  options->isa.clear();
  for (const size_t i : chosen) options->isa.push_back(IsaNames()[i]);
}

Effect SetDtypes() {
  std::vector<ScalarKind> kinds;
#define MGEN_SCALAR_KIND(id, ir_name, cpp_name, bytes, category) \
  if (IsElementKind(ScalarKind::id)) kinds.push_back(ScalarKind::id);
#include "ir/scalar_kinds.def"
#undef MGEN_SCALAR_KIND
  Words names;  // f32 first
  for (const ScalarKind kind : kinds) names.emplace_back(IrName(kind));
  const auto apply = [kinds, names](Options *o, const std::string &value) {
    for (const std::string &item : Split(value, ",")) {
      o->dtypes.push_back(kinds[Choose("element type", item, names)]);
    }
  };
  return {apply, names};
}

void ApplyWarning(Options *options, const std::string &value) {
  const std::string wrong = ApplyWarningFlag("-W" + value, &options->diagnostics);
  if (!wrong.empty()) throw UsageError(wrong);
}

Effect SetDumpAfter() {
  const auto apply = [](Options *o, const std::string &value) {
    o->dump_after = PassNames()[Choose("pass", value, PassNames())];
  };
  return {apply, PassNames()};
}

}  // namespace

const std::vector<CommandRow> &Commands() {
  static const std::vector<CommandRow> rows = {
      {Command::kGenerate, "generate", RunGenerate,
       "Write the outputs. Unchanged files keep their time. On any error nothing is written."},
      {Command::kCheck, "check", RunCheck,
       "Generate in memory and compare with what is on disk: a unified diff on stdout, status 3 if "
       "they differ."},
      {Command::kList, "list", RunList,
       "Print the output files (--outputs), the kernels (--kernels) or the files read (--deps)."},
      {Command::kExplain, "explain", RunExplain,
       "Say for each kernel what was fused, what it moves per element and what slows it down."},
  };
  return rows;
}

const CommandRow &RowOf(Command command) {
  return *llvm::find_if(Commands(), [=](const CommandRow &row) { return row.command == command; });
}

namespace {

/// What is written, and where.
std::vector<OptionRow> OutputOptions() {
  return {
      {"--name", "BASE", kWriting | kList, "base name of the outputs", "required to write",
       Set(&Options::name)},
      {"-o,--output-dir", "DIR", kWriting, "where the outputs go", "required",
       Set(&Options::output_dir)},
      {"--namespace",
       "NS",
       kWriting,
       "wrap the outputs in a namespace, as in a::b",
       "none",
       {ApplyNamespace, {}}},
      {"--path-base", "DIR", kCommands,
       "paths in outputs are relative to DIR; no absolute path is ever written",
       "directory of the first SPEC", Set(&Options::path_base)},
      {"--emit", "LIST", kWriting | kList, "kinds of output", "header,cpu,manifest", SetEmit()},
      {"--cuda", "on|off", kWriting | kList, "short for adding cuda to --emit", "off",
       SetOnOff(&Options::cuda, "value of --cuda")},
      {"--isa",
       "LIST",
       kWriting,
       "instruction sets of the CPU code, chosen from at run time",
       "baseline",
       {ApplyIsa, IsaNames()}},
      {"--dtypes", "LIST", kCommands, "only the instances over these element types",
       "as instantiated", SetDtypes()},
      {"--numerics", "strict|contract|fast", kWriting | kExplain,
       "strict: the unfused rule's bits everywhere; contract: a product and a sum may round once; "
       "fast: also quotients and square roots within 3 ULP",
       "strict",
       SetOneOf(&Options::numerics, "numerics mode",
                {NameOf(Numerics::kStrict), NameOf(Numerics::kContract), NameOf(Numerics::kFast)})},
      {"--determinism", "run-to-run|everywhere", kCommands,
       "refuse rules whose bits are the same less far", "run-to-run",
       SetOneOf(&Options::determinism, "level of determinism",
                {NameOf(Determinism::kRunToRun), NameOf(Determinism::kEverywhere)})},
      {"--standalone", nullptr, kWriting | kList,
       "outputs include no header of mshadow: what they need of it is written beside them", "",
       Set(&Options::standalone)},
      {"--license-header", "FILE", kWriting, "put FILE at the top of every output", "",
       Set(&Options::license_header)},
      {"--verify", "on|off", kWriting,
       "examine the outputs, independently of what wrote them, before they are used", "on",
       SetOnOff(&Options::verify, "value of --verify")},
      {"--depfile", "FILE", kGenerate, "write what was read as a Makefile rule for the stamp", "",
       Set(&Options::depfile)},
      {"--stamp", "FILE", kGenerate, "write FILE after the outputs, changed or not", "",
       Set(&Options::stamp)},
      {"--depfile-list-outputs", nullptr, kGenerate,
       "list the outputs as prerequisites, for Makefiles", "", Set(&Options::depfile_list_outputs)},
      {"--dry-run", nullptr, kGenerate,
       "print 'create|update|keep|delete PATH' for each output and write nothing", "",
       Set(&Options::dry_run)},
      {"--strict", nullptr, kCheck, "the manifest's tool version must match too", "",
       Set(&Options::strict)},
  };
}

/// What is printed.
std::vector<OptionRow> PrintOptions() {
  return {
      {"--outputs", nullptr, kList, "list the output files, which needs no parse", "default",
       Set(&Options::list_outputs)},
      {"--kernels", nullptr, kList, "list the kernels with their parameters", "",
       Set(&Options::list_kernels)},
      {"--deps", nullptr, kList, "list the files that the specs read", "",
       Set(&Options::list_deps)},
      {"--kernel", "NAME", kExplain, "explain only this one", "", Set(&Options::kernel)},
      {"--format", "text|json", kNone | kCheck | kList | kExplain, "form of what is printed",
       "text", SetOneOf(&Options::format, "format", {"text", "json"})},
      {"--dump-after", "PASS", kCommands, "print each rule's IR after a pass to stderr", "",
       SetDumpAfter()},
  };
}

/// How specs are parsed, and what is said about them.
std::vector<OptionRow> CommonOptions() {
  return {
      {"--runtime-dir", "DIR", kCommands, "the mshadow headers for the parse", "embedded copy",
       Set(&Options::runtime_dir)},
      {"--resource-dir", "DIR", kCommands, "Clang's resource directory", "embedded copy",
       Set(&Options::resource_dir)},
      {"--werror",
       nullptr,
       kCommands,
       "warnings are errors",
       "",
       {[](Options *o, const std::string &) { ApplyWarning(o, "error"); }, {}}},
      {"-W",
       "[no-]NAME",
       kCommands,
       "turn a message on or off; -Werror=NAME makes it an error",
       "",
       {ApplyWarning, {}},
       true},
      {"--max-errors", "N", kCommands, "show at most N errors; 0 shows all", "20",
       SetNumber([](Options *o) -> int & { return o->diagnostics.max_errors; }, "--max-errors", 0)},
      {"--max-seconds", "N", kCommands, "processor time that the parse of a spec may take", "60",
       SetNumber([](Options *o) -> int & { return o->max_seconds; }, "--max-seconds", 1)},
      {"--max-memory", "MIB", kCommands, "memory that a run may take", "2048",
       SetNumber([](Options *o) -> int & { return o->max_memory; }, "--max-memory", 64)},
      {"--diagnostics-format", "text|json", kCommands, "form of the diagnostics", "text",
       SetOneOf(&Options::diagnostics_format, "format", {"text", "json"})},
      {"--color", "auto|always|never", kCommands, "colours in diagnostics; NO_COLOR is honoured",
       "auto", SetOneOf(&Options::color, "colour mode", {"auto", "always", "never"})},
      {"-v,--verbose", nullptr, kCommands, "log each step and its time to stderr", "",
       Set(&Options::verbose)},
      {"-q,--quiet", nullptr, kCommands, "errors only", "", Set(&Options::quiet)},
  };
}

/// Questions about the tool.
std::vector<OptionRow> ToolOptions() {
  return {
      {"--version", nullptr, kNone, "print the version and the code revision", "",
       Set(&Options::version)},
      {"--print-config", nullptr, kNone, "print what this build can do", "",
       Set(&Options::print_config)},
      {"--print-resource-dir", nullptr, kNone,
       "print the directory whose headers of Clang are embedded, as --resource-dir takes it", "",
       Set(&Options::print_resource_dir)},
      {"--print-man", nullptr, kNone, "print the manual page, for man", "",
       Set(&Options::print_man)},
      {"--print-completion", nullptr, kNone, "print the completion of this command line for bash",
       "", Set(&Options::print_completion)},
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

std::vector<std::string> Spellings(const OptionRow &row) { return Split(row.flags, ","); }

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
