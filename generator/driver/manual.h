// SPDX-License-Identifier: Apache-2.0
/// \file manual.h
/// The help, the manual page and the completion of the program, made from the same tables as the
/// parser of the command line.
#ifndef MSHADOW_GENERATOR_DRIVER_MANUAL_H_
#define MSHADOW_GENERATOR_DRIVER_MANUAL_H_

#include <string>

#include "driver/options.h"

namespace mgen {

/// What --help prints for a command; for Command::kNone, the overview.
std::string HelpText(Command command);

/// mshadow-gen(1), in the man macros of roff.
std::string ManualPage();

/// Completion of the command line for bash.
std::string BashCompletion();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_MANUAL_H_
