// SPDX-License-Identifier: Apache-2.0
/// \file parse_spec.h
/// The front end: a spec file becomes RuleIR. Clang stays behind this header.
#ifndef MSHADOW_GENERATOR_FRONTEND_PARSE_SPEC_H_
#define MSHADOW_GENERATOR_FRONTEND_PARSE_SPEC_H_

#include <atomic>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

struct ParseOptions {
  /// Compiler flags for the spec, after `--` on the command line. -I, -isystem, -iquote, -include,
  /// -D, -U and -std= are used; flags that cannot matter to a parse (-W…, -O…, -g…, -m…, -f…) are
  /// ignored; others are errors.
  std::vector<std::string> flags;
  std::string resource_dir;  ///< Clang's resource directory; empty: the embedded headers
  std::string runtime_dir;   ///< directory that holds mshadow/kernel.h; empty: the embedded copy
  /// Gets the line that is being parsed, for other threads; null: nobody asks.
  std::atomic<int> *line = nullptr;
  std::string path_base;  ///< what Rule::spec is relative to; empty: the spec's directory
};

/// The files that a parse read from disk, in the order of their first use: for depfiles.
struct Dependencies {
  std::vector<std::string> files;
};

/// Parses one spec. Environment variables are ignored, nothing is executed, and nothing outside the
/// directories of the spec, the path base and the -I flags is read but the system's headers. May be
/// called in several threads at once, with diagnostics and dependencies of their own.
///
/// \param path the spec; must be a regular file
/// \param diagnostics receives every message, Clang's too; the sources that they quote
/// \param dependencies receives the files read; may be null
/// \returns for each rule, in source order, one Rule per instance, in the order of
///     MSHADOW_INSTANTIATE; a rule with errors is left out
/// \throws std::runtime_error if Clang crashes
std::vector<std::vector<Rule>> ParseSpec(const ParseOptions &options, const std::string &path,
                                         Diagnostics &diagnostics, Dependencies *dependencies);

/// The version of the Clang that the front end is built on: "19.1.7".
std::string ClangVersion();
/// The resource directory of that Clang where the front end was built; its headers are embedded.
std::string ClangResourceDir();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_PARSE_SPEC_H_
