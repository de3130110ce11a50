// SPDX-License-Identifier: Apache-2.0
/// \file manual.h
/// What the program says about itself, and what is installed beside it, made of the tables that the
/// parser is made of.
#ifndef MSHADOW_GENERATOR_DRIVER_MANUAL_H_
#define MSHADOW_GENERATOR_DRIVER_MANUAL_H_

#include <string>

#include "driver/options.h"

namespace mgen {

/// What --help prints; of no command the overview.
std::string HelpText(Command command);

/// mshadow-gen(1), in the man macros of roff.
std::string ManualPage();

/// Completion of the command line for bash.
std::string BashCompletion();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_MANUAL_H_
