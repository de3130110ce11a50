// SPDX-License-Identifier: Apache-2.0
/// \file commands.h
/// The commands. Each prints what was asked for on stdout and returns the exit status; diagnostics
/// are collected, for the caller to print.
#ifndef MSHADOW_GENERATOR_DRIVER_COMMANDS_H_
#define MSHADOW_GENERATOR_DRIVER_COMMANDS_H_

#include "driver/exit_code.h"
#include "driver/log.h"
#include "driver/options.h"

namespace mgen {

ExitCode RunGenerate(const Options &options, Diagnostics *diagnostics, const Log &log);
ExitCode RunCheck(const Options &options, Diagnostics *diagnostics, const Log &log);
ExitCode RunList(const Options &options, Diagnostics *diagnostics, const Log &log);
ExitCode RunExplain(const Options &options, Diagnostics *diagnostics, const Log &log);
ExitCode RunHelp(const Options &options, Diagnostics *diagnostics, const Log &log);

/// Prints the diagnostics to stderr, in the format that the options name.
void PrintDiagnostics(const Options &options, const Diagnostics &diagnostics);

/// Runs the whole tool, but for the process around it. \returns the exit status
/// \param args the command line without the program's name
int RunTool(const std::vector<std::string> &args);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_COMMANDS_H_
