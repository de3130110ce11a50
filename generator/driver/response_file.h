// SPDX-License-Identifier: Apache-2.0
/// \file response_file.h
/// Arguments from files: @FILE.
#ifndef MSHADOW_GENERATOR_DRIVER_RESPONSE_FILE_H_
#define MSHADOW_GENERATOR_DRIVER_RESPONSE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

namespace mgen {

/// Splits the text of a response file at white space. Quotes, '' or "", keep white space, and a
/// backslash keeps the next character.
/// \throws UsageError for a quote that is not closed
std::vector<std::string> SplitArguments(std::string_view text);

/// Replaces every @FILE before `--` by the arguments in FILE. Response files do not nest.
/// \throws UsageError, FileError
std::vector<std::string> ExpandResponseFiles(const std::vector<std::string> &args);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_RESPONSE_FILE_H_
