// SPDX-License-Identifier: Apache-2.0
#include "driver/manual.h"

#include "backends/backends.h"
#include "driver/help.h"
#include "driver/option_table.h"
#include "driver/pipeline.h"
#include "driver/version.h"
#include "emit/comment.h"
#include "emit/names.h"

namespace mgen {
namespace {

/// The description of a kind of output, and its files.
std::string Description(const OutputKind &kind) {
  std::string text = kind.help + ":";
  for (const std::string &suffix : kind.per_spec) text += " SPEC" + suffix;
  for (const std::string &suffix : kind.per_target) text += " BASE" + suffix;
  return text;
}

// --help.

constexpr int kWidth = 79;
constexpr size_t kColumn = 26;  // where descriptions start

/// A term and its description, in the layout of man pages.
std::string Entry(const std::string &term, const std::string &description) {
  const std::string margin(kColumn, ' ');
  std::string head = "    " + term;
  if (head.size() + 2 > kColumn) {
    return head + "\n" + WrapComment(description, margin, margin, kWidth) + "\n";
  }
  head.resize(kColumn, ' ');
  return WrapComment(description, head, margin, kWidth) + "\n";
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

std::string Overview() {
  std::string text =
      "mshadow-gen - compile mshadow update rules into fused kernels at build time\n\n"
      "USAGE\n"
      "    mshadow-gen COMMAND [options] SPEC... [-- CXXFLAGS...]\n"
      "    mshadow-gen help [ID|COMMAND]\n"
      "    mshadow-gen --help[=COMMAND] | --version | --print-config\n\n"
      "    Reads SPEC files (C++), finds rules, and writes fused loops for CPUs and\n"
      "    kernels for GPUs. CXXFLAGS are the -I, -D, ... that the specs need. @FILE\n"
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
  text += "\nGenerated code belongs to the owner of the spec, except files of the runtime that "
          "--standalone adds.\n";
  return text;
}

std::string HelpOfMessages() {
  const std::string margin(4, ' ');
  return "mshadow-gen help [ID|COMMAND]\n\n" +
         WrapComment(RowOf(Command::kHelp).help, margin, margin, kWidth) +
         "\n\n    A message ends with [mshadow-ID]. mshadow-gen help COMMAND is the same as\n"
         "    mshadow-gen --help=COMMAND.\n\nIDS\n" +
         WrapComment(Join(ExplainedIds(), ", "), margin, margin, kWidth) + "\n";
}

// The manual page.

/// Text for roff: '-' must be a minus, and a leading '.' or '\'' must not be a request.
std::string EscapeRoff(const std::string &text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += std::string("\\&") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string Bold(const std::string &text) { return "\\fB" + EscapeRoff(text) + "\\fR"; }
std::string Italic(const std::string &text) { return "\\fI" + EscapeRoff(text) + "\\fR"; }
std::string Heading(const char *title) { return std::string(".SH ") + title + "\n"; }

/// A paragraph with a hanging tag. Both are already escaped for roff.
std::string Tagged(const std::string &tag, const std::string &text) {
  return ".TP\n" + tag + "\n" + text + "\n";
}

/// "\fB-o\fR, \fB--output-dir\fR=\fIDIR\fR".
std::string OptionTag(const OptionRow &row) {
  std::string tag;
  for (const std::string &spelling : Spellings(row)) {
    tag += (tag.empty() ? "" : ", ") + Bold(spelling);
  }
  if (row.metavar == nullptr) return tag;
  const bool is_long = std::string(row.flags).find("--") != std::string::npos;
  return tag + (is_long ? "=" : "") + Italic(row.metavar);
}

std::string OptionText(const OptionRow &row) {
  std::string text = EscapeRoff(row.help);
  const std::vector<std::string> &values = row.effect.values;
  if (!values.empty()) text += "; known: " + EscapeRoff(Join(values, ", "));
  if (*row.fallback != '\0') text += " [" + EscapeRoff(row.fallback) + "]";
  std::string commands;
  for (const CommandRow &command : Commands()) {
    if (row.commands & Bit(command.command)) commands += std::string(" ") + command.name;
  }
  return commands.empty() ? text : text + " (" + commands.substr(1) + ")";
}

std::string Synopsis() {
  std::string text = Heading("SYNOPSIS");
  for (const CommandRow &command : Commands()) {
    if (command.command == Command::kHelp) continue;  // takes no SPEC
    text += ".B mshadow\\-gen " + std::string(command.name) +
            "\n[\\fIoptions\\fR] \\fISPEC\\fR... [\\-\\- \\fICXXFLAGS\\fR...]\n.br\n";
  }
  return text +
         ".B mshadow\\-gen help\n[\\fIID\\fR|\\fICOMMAND\\fR]\n.br\n"
         ".B mshadow\\-gen\n\\fB\\-\\-help\\fR[=\\fICOMMAND\\fR] | \\fB\\-\\-version\\fR | "
         "\\fB\\-\\-print\\-config\\fR\n";
}

std::string ManualDescription() {
  return Heading("DESCRIPTION") +
         EscapeRoff(
             "mshadow-gen reads SPEC files (C++), finds rules, and writes fused loops for CPUs "
             "and kernels for GPUs.\n"
             "It reads only the given files and what they include. It writes only the outputs, "
             "the stamp and the depfile. It needs no compile_commands.json, and it ignores "
             "CPATH, C_INCLUDE_PATH, CPLUS_INCLUDE_PATH and clang.cfg.\n"
             "CXXFLAGS are the -I, -D, ... that the specs need.\n"
             "@FILE stands for the arguments in FILE.\n");
}

std::string Tail() {
  return Heading("OUTPUT") +
         EscapeRoff(
             "stdout carries only what was asked for. Diagnostics go to stderr as\n"
             "FILE:LINE:COL: error|warning|performance|note: TEXT [mshadow-ID].\n"
             "mshadow-gen help ID explains a message.\n"
             "A successful generate is silent.\n") +
         Heading("FILES") +
         Tagged(Italic("BASE.manifest"),
                "text, sorted: format, revision, tool version, options, SHA\\-256 of inputs and "
                "outputs") +
         Heading("ENVIRONMENT") +
         Tagged(Bold("NO_COLOR"), "no colours, unless \\fB\\-\\-color=always\\fR") +
         Heading("NOTES") +
         "Generated code belongs to the owner of the spec, except files of the runtime that\n"
         "--standalone adds.\n";
}

// The completion.

/// "generate) flags='…' ;;": the flags of each command, those with a value ending in '='.
std::string CompletionFlags(Command command) {
  std::vector<std::string> flags = {"--help"};
  for (const OptionRow &row : OptionTable()) {
    if (!(row.commands & Bit(command))) continue;
    for (const std::string &spelling : Spellings(row)) {
      const bool is_long = spelling.compare(0, 2, "--") == 0;
      flags.push_back(spelling + (row.metavar != nullptr && is_long ? "=" : ""));
    }
  }
  return Join(flags, " ");
}

std::string CompletionValues() {
  std::string text;
  for (const OptionRow &row : OptionTable()) {
    const std::vector<std::string> &values = row.effect.values;
    if (values.empty()) continue;
    text += "    " + Join(Spellings(row), "|") + ") values='" + Join(values, " ") + "' ;;\n";
  }
  return text;
}

}  // namespace

std::string HelpText(Command command) {
  if (command == Command::kNone) return Overview();
  if (command == Command::kHelp) return HelpOfMessages();
  const CommandRow &row = RowOf(command);
  std::string text = std::string("mshadow-gen ") + row.name +
                     " [options] SPEC... [-- CXXFLAGS...]\n\n    " + row.help + "\n\nOPTIONS\n" +
                     OptionEntries(Bit(command)) + "\nKINDS OF OUTPUT (--emit)\n";
  for (const OutputKind &kind : OutputKinds()) text += Entry(kind.name, Description(kind));
  text += "\nPASSES (--dump-after)\n";
  for (const std::string &name : PassNames()) text += Entry(name, PassReason(name));
  return text;
}

std::string ManualPage() {
  std::string text = std::string(".TH MSHADOW\\-GEN 1 \"\" \"mshadow\\-gen ") + kVersion + "\"\n" +
                     Heading("NAME") +
                     "mshadow\\-gen \\- compile mshadow update rules into fused kernels at build "
                     "time\n" +
                     Synopsis() + ManualDescription() + Heading("COMMANDS");
  for (const CommandRow &command : Commands()) {
    text += Tagged(Bold(command.name), EscapeRoff(command.help));
  }
  text += Heading("OPTIONS");
  for (const OptionRow &row : OptionTable()) text += Tagged(OptionTag(row), OptionText(row));
  text += Heading("KINDS OF OUTPUT");
  for (const OutputKind &kind : OutputKinds()) {
    text += Tagged(Bold(kind.name), EscapeRoff(Description(kind)));
  }
  text += Heading("PASSES");
  for (const std::string &pass : PassNames())
    text += Tagged(Bold(pass), EscapeRoff(PassReason(pass)));
  text += Heading("EXIT STATUS");
  for (const ExitStatusRow &row : ExitStatuses()) {
    text += Tagged(Bold(std::to_string(row.code)), EscapeRoff(row.meaning));
  }
  return text + Tail();
}

std::string BashCompletion() {
  std::string names, cases;
  for (const CommandRow &command : Commands()) {
    names += std::string(command.name) + " ";
    cases +=
        std::string("    ") + command.name + ") flags='" + CompletionFlags(command.command) + "'";
    if (command.command == Command::kHelp) cases += " values='" + Join(ExplainedIds(), " ") + "'";
    cases += " ;;\n";
  }
  return "# Completion of mshadow-gen for bash; written by mshadow-gen --print-completion.\n"
         "_mshadow_gen() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} flag= values= flags= head=\n"
         "  # bash splits --flag=value into three words.\n"
         "  if [[ $cur == = ]]; then\n"
         "    cur= flag=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then\n"
         "    flag=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  case $flag in\n" +
         CompletionValues() +
         "  esac\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases + "    *) flags='" + names + CompletionFlags(Command::kNone) +
         "' ;;\n"
         "  esac\n"
         "  if [[ -n $values ]]; then\n"
         "    [[ $cur == *,* ]] && head=${cur%,*},\n"
         "    mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$values\" -- \"${cur##*,}\")\n"
         "  elif [[ -z $flag && ( $COMP_CWORD -eq 1 || $cur == -* ) ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$cur\")\n"
         "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _mshadow_gen mshadow-gen\n";
}

}  // namespace mgen
