// SPDX-License-Identifier: Apache-2.0
/// \file options.h
/// The command line of mshadow-gen: what was asked for, checked. One table (option_table.cc) feeds
/// the parser, --help and the suggestions for misspelt flags.
#ifndef MSHADOW_GENERATOR_DRIVER_OPTIONS_H_
#define MSHADOW_GENERATOR_DRIVER_OPTIONS_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "emit/determinism.h"
#include "emit/numerics.h"
#include "ir/type.h"

namespace mgen {

enum class Command { kNone, kGenerate, kCheck, kList, kExplain, kHelp };
enum class OutputFormat { kText, kJson };
enum class ColorMode { kAuto, kAlways, kNever };

/// The instruction sets that --isa can name, lowest first.
const std::vector<std::string> &IsaNames();

struct Options {
  Command command = Command::kNone;
  std::vector<std::string> specs;
  std::vector<std::string> cxx_flags;  ///< what follows `--`

  std::string name;
  std::string output_dir;
  std::vector<std::string> wrap;  ///< --namespace, outermost first
  std::string path_base;          ///< "": the directory of the first spec
  std::set<std::string> emit = {"header", "cpu", "manifest"};
  bool cuda = false;
  std::vector<std::string> isa = {"baseline", "avx2", "avx512"};
  std::vector<ScalarKind> dtypes;  ///< empty: as instantiated
  Numerics numerics = Numerics::kStrict;
  Determinism determinism = Determinism::kRunToRun;  ///< the least that a rule must give
  bool standalone = false;
  bool verify = true;
  std::string license_header;
  std::string runtime_dir;
  std::string resource_dir;
  int max_seconds = 60;   ///< processor time that the parse of a spec may take
  int max_memory = 2048;  ///< MiB that the process may use
  std::string depfile;
  std::string stamp;
  bool depfile_list_outputs = false;
  bool dry_run = false;
  bool strict = false;

  bool list_outputs = false, list_kernels = false, list_deps = false;
  std::string kernel;
  std::string topic;  ///< of the command help: the id of a message, or a command; may be ""
  std::string dump_after;

  OutputFormat format = OutputFormat::kText;
  OutputFormat diagnostics_format = OutputFormat::kText;
  ColorMode color = ColorMode::kAuto;
  DiagnosticOptions diagnostics;
  bool verbose = false, quiet = false;

  // Questions about the tool itself; no command then.
  bool help = false, version = false, print_config = false;
  bool print_resource_dir = false, print_man = false, print_completion = false;
  Command help_command = Command::kNone;

  bool emits(const std::string &kind) const { return emit.count(kind) > 0; }
  bool is_question() const {
    return help || version || print_config || print_resource_dir || print_man || print_completion;
  }
};

/// Reads a command line (without the program's name). `@FILE` before `--` is replaced by the
/// arguments in FILE (response_file.h).
/// \throws UsageError, FileError for an @FILE that cannot be read.
Options ParseCommandLine(const std::vector<std::string> &args);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_OPTIONS_H_
