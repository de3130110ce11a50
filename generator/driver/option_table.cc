// SPDX-License-Identifier: Apache-2.0
#include "driver/option_table.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include "backends/backends.h"
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

/// \param names the names of the enumeration's values, in its order
template <typename Enum>
Effect SetOneOf(Enum Options::*member, const char *what, const Words &names) {
  const auto apply = [member, what, names](Options *o, const std::string &value) {
    o->*member = static_cast<Enum>(Choose(what, value, names));
  };
  return {apply, names};
}

/// \param least the least number that the flag takes
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
  for (const OutputKind &kind : OutputKinds()) names.push_back(kind.name);
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
  std::set<size_t> chosen = {0};  // the baseline is always there
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
       "Write the outputs. Unchanged files keep their modification time. On any error nothing is "
       "written."},
      {Command::kCheck, "check", RunCheck,
       "Generate in memory and compare with what is on disk: a unified diff on stdout, status 3 if "
       "they differ."},
      {Command::kList, "list", RunList,
       "Print the output files (--outputs), the kernels (--kernels) or the files read (--deps)."},
      {Command::kExplain, "explain", RunExplain,
       "Print for each kernel what was fused, the bytes that it moves per element, and what slows "
       "it down."},
      {Command::kHelp, "help", RunHelp,
       "Explain a message: what it means, why the generator refuses the spec, a wrong example and "
       "a right one. ID is what the message ends with, as in const-write."},
  };
  return rows;
}

const CommandRow &RowOf(Command command) {
  return *llvm::find_if(Commands(), [=](const CommandRow &row) { return row.command == command; });
}

const std::vector<OptionRow> &OptionTable() {
  static const std::vector<OptionRow> rows = {
#define MGEN_OPTION(flags, metavar, commands, help, fallback, ...) \
  {flags, metavar, commands, help, fallback, __VA_ARGS__},
#include "driver/options.def"
#undef MGEN_OPTION
  };
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
