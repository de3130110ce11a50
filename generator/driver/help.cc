// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "driver/exit_code.h"
#include "driver/option_table.h"
#include "driver/pipeline.h"

namespace mgen {
namespace {

constexpr size_t kWidth = 79;
constexpr size_t kColumn = 26;  // where descriptions start

/// `text` broken at spaces, starting at the current column and continuing at kColumn.
std::string Wrapped(const std::string &text) {
  std::string result;
  size_t column = kColumn;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (column > kColumn) {
      const bool fits = column + 1 + end - begin <= kWidth;
      result += fits ? " " : "\n" + std::string(kColumn, ' ');
      column = fits ? column + 1 : kColumn;
    }
    result += text.substr(begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return result + "\n";
}

/// A term and its description, as man pages set them.
std::string Entry(const std::string &term, const std::string &description) {
  std::string text = "    " + term;
  if (text.size() + 2 > kColumn) {
    text += "\n" + std::string(kColumn, ' ');
  } else {
    text.resize(kColumn, ' ');
  }
  return text + Wrapped(description);
}

/// "-o, --output-dir=DIR".
std::string Term(const OptionRow &row) {
  std::string term = row.flags;
  const size_t comma = term.find(',');
  if (comma != std::string::npos) term.insert(comma + 1, " ");
  if (row.metavar != nullptr) {
    const bool is_long = term.find("--") != std::string::npos;
    term += (is_long ? "=" : "") + std::string(row.metavar);
  }
  return term;
}

std::string OptionEntries(unsigned commands) {
  std::string text;
  for (const OptionRow &row : OptionTable()) {
    if (!(row.commands & commands)) continue;
    const std::string fallback = row.fallback;
    text += Entry(Term(row), row.help + (fallback.empty() ? "" : " [" + fallback + "]"));
  }
  return text;
}

std::string KindEntries() {
  std::string text;
  for (const EmitKind &kind : EmitKinds()) {
    std::string files;
    for (const std::string &suffix : kind.per_spec) files += " SPEC" + suffix;
    for (const std::string &suffix : kind.per_target) files += " BASE" + suffix;
    text += Entry(kind.name, kind.help + ":" + files);
  }
  return text;
}

std::string PassEntries() {
  std::string text;
  for (const std::string &name : PassNames()) text += Entry(name, PassReason(name));
  return text;
}

std::string Overview() {
  std::string text =
      "mshadow-gen - compile mshadow update rules into fused kernels at build time\n\n"
      "USAGE\n"
      "    mshadow-gen COMMAND [options] SPEC... [-- CXXFLAGS...]\n"
      "    mshadow-gen --help[=COMMAND] | --version | --print-config\n\n"
      "    Reads SPEC files (C++), finds update rules, and writes one fused loop or\n"
      "    kernel for each. CXXFLAGS are the -I, -D, ... that the specs need. @FILE\n"
      "    stands for the arguments in FILE.\n\n"
      "COMMANDS\n";
  for (const CommandRow &row : Commands()) text += Entry(row.name, row.help);
  text += "\nOPTIONS WITHOUT A COMMAND\n" + OptionEntries(Bit(Command::kNone));
  text += "\nEXIT STATUS\n";
  for (const ExitStatusRow &row : ExitStatuses()) {
    std::string code = std::to_string(row.code);
    code.resize(5, ' ');
    text += "    " + code + row.meaning + "\n";
  }
  text += "\nGenerated code belongs to the owner of the spec.\n";
  return text;
}

}  // namespace

std::string HelpText(const std::string &command) {
  if (command.empty()) return Overview();
  for (const CommandRow &row : Commands()) {
    if (command != row.name) continue;
    std::string text = "mshadow-gen " + command + " [options] SPEC... [-- CXXFLAGS...]\n\n    ";
    const std::string help = row.help;
    text += help + "\n\nOPTIONS\n" + OptionEntries(Bit(row.command));
    text += "\nKINDS OF OUTPUT (--emit)\n" + KindEntries();
    return text + "\nPASSES (--dump-after)\n" + PassEntries();
  }
  throw UsageError("unknown command '" + command + "'");
}

}  // namespace mgen
