// SPDX-License-Identifier: Apache-2.0
/// \file exit_code.h
/// How a run ends: the exit statuses, and the exceptions that carry a run to them.
#ifndef MSHADOW_GENERATOR_DRIVER_EXIT_CODE_H_
#define MSHADOW_GENERATOR_DRIVER_EXIT_CODE_H_

#include <stdexcept>
#include <string>
#include <system_error>

namespace mgen {

enum ExitCode {
  kExitSuccess = 0,
  kExitSpecErrors = 1,  ///< errors in specs, which the diagnostics report
  kExitUsage = 2,       ///< the command line is wrong
  kExitDiffers = 3,     ///< check: outputs are missing or differ
  kExitFile = 4,        ///< a file cannot be read or written
  kExitInternal = 70,   ///< our own bug
};

/// The command line is wrong.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file cannot be read or written. `error` is an errno value.
class FileError : public std::runtime_error {
 public:
  FileError(const std::string &action, const std::string &path, int error)
      : std::runtime_error("cannot " + action + " '" + path +
                           "': " + std::generic_category().message(error)) {}
  /// For an error that errno has no value for.
  explicit FileError(const std::string &message) : std::runtime_error(message) {}
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_EXIT_CODE_H_
