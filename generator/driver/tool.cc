// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "backends/backends.h"
#include "backends/emit_options.h"
#include "diag/printers.h"
#include "driver/commands.h"
#include "driver/limits.h"
#include "driver/manual.h"
#include "driver/option_table.h"
#include "driver/pipeline.h"
#include "driver/rule_json.h"
#include "driver/version.h"
#include "frontend/parse_spec.h"

namespace mgen {
namespace {

bool UsesColor(ColorMode mode) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  const char *no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && isatty(STDERR_FILENO);
}

Json VersionJson() {
  return {{"name", "mshadow-gen"},
          {"version", kVersion},
          {"protocol", kProtocol},
          {"code_revision", kCodeRevision}};
}

Json ConfigJson() {
  Json json = VersionJson();
  json["clang"] = ClangVersion();
  json["isa"] = IsaNames();
  for (const OutputKind &kind : OutputKinds()) json["emit"].push_back(kind.name);
  json["passes"] = PassNames();
  return json;
}

/// "key: value" lines; lists with spaces.
std::string ConfigText(const Json &config) {
  std::string text;
  for (const auto &[key, value] : config.items()) {
    text += key + ":";
    for (const Json &item : value.is_array() ? value : Json::array({value})) {
      text += " " + TextOf(item);
    }
    text += "\n";
  }
  return text;
}

ExitCode Answer(const Options &options) {
  const bool is_json = options.format == OutputFormat::kJson;
  std::string text;
  if (options.help) {
    text = HelpText(options.help_command);
  } else if (options.print_man) {
    text = ManualPage();
  } else if (options.print_completion) {
    text = BashCompletion();
  } else if (options.print_resource_dir) {
    text = ClangResourceDir() + "\n";
  } else if (options.print_config) {
    text = is_json ? ToText(ConfigJson()) : ConfigText(ConfigJson());
  } else {
    text = is_json ? ToText(VersionJson())
                   : std::string("mshadow-gen ") + kVersion + " (code revision " +
                         std::to_string(kCodeRevision) + ")\n";
  }
  std::fputs(text.c_str(), stdout);
  return kExitSuccess;
}

ExitCode RunCommand(const Options &options) {
  Diagnostics diagnostics(options.diagnostics);
  ExitCode code = kExitInternal;
  try {
    code = RowOf(options.command).run(options, &diagnostics, Log(options.verbose));
  } catch (...) {
    PrintDiagnostics(options, diagnostics);
    throw;
  }
  PrintDiagnostics(options, diagnostics);
  return code;
}

int Fail(ExitCode code, const std::string &message) {
  std::fprintf(stderr, "mshadow-gen: error: %s\n", message.c_str());
  return code;
}

}  // namespace

void PrintDiagnostics(const Options &options, const Diagnostics &diagnostics) {
  if (diagnostics.all().empty()) return;
  const std::string text = options.diagnostics_format == OutputFormat::kJson
                               ? FormatJson(diagnostics)
                               : FormatText(diagnostics, UsesColor(options.color));
  std::fputs(text.c_str(), stderr);
}

int RunTool(const std::vector<std::string> &args) {
  // A file that exceeds a limit is an error that is reported, not a signal.
  signal(SIGXFSZ, SIG_IGN);
  HandleLackOfMemoryInLlvm();
  try {
    const Options options = ParseCommandLine(args);
    const ExitCode code = options.is_question() ? Answer(options) : RunCommand(options);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
      return Fail(kExitFile, "cannot write to the standard output");
    }
    return code;
  } catch (const UsageError &error) {
    return Fail(kExitUsage, error.what());
  } catch (const FileError &error) {
    return Fail(kExitFile, error.what());
  } catch (const std::bad_alloc &) {
    return Fail(kExitInternal, kOutOfMemory);
  } catch (const std::exception &error) {
    return Fail(kExitInternal,
                std::string("internal error: ") + error.what() +
                    "; nothing was written. Please report it with the spec and the output of "
                    "mshadow-gen --print-config");
  }
}

}  // namespace mgen
