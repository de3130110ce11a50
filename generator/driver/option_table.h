// SPDX-License-Identifier: Apache-2.0
/// \file option_table.h
/// Every command and every flag of mshadow-gen, one row each.
#ifndef MSHADOW_GENERATOR_DRIVER_OPTION_TABLE_H_
#define MSHADOW_GENERATOR_DRIVER_OPTION_TABLE_H_

#include <functional>
#include <string>
#include <vector>

#include "driver/commands.h"

namespace mgen {

struct CommandRow {
  Command command;
  const char *name;
  ExitCode (*run)(const Options &, Diagnostics *, const Log &);
  const char *help;
};
const std::vector<CommandRow> &Commands();
/// The row of a command other than kNone.
const CommandRow &RowOf(Command command);

/// Which commands take a flag: a bit for each Command.
constexpr unsigned Bit(Command command) { return 1u << static_cast<int>(command); }

/// What a flag does.
struct Effect {
  /// Puts the flag's value ("" for a switch) into the options; called again for a repeated flag.
  /// \throws UsageError
  std::function<void(Options *, const std::string &value)> apply;
  std::vector<std::string> values = {};  ///< the values that it takes; empty: any
  bool repeatable = false;
};

/// A row of options.def.
struct OptionRow {
  const char *flags;
  const char *metavar;
  unsigned commands;
  const char *help;
  const char *fallback;
  Effect effect;
};
const std::vector<OptionRow> &OptionTable();

/// "-o,--output-dir" → {"-o", "--output-dir"}.
std::vector<std::string> Spellings(const OptionRow &row);

struct ExitStatusRow {
  int code;
  const char *meaning;
};
const std::vector<ExitStatusRow> &ExitStatuses();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_OPTION_TABLE_H_
