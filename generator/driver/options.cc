// SPDX-License-Identifier: Apache-2.0
#include "driver/options.h"

#include <llvm/ADT/STLExtras.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "backends/backends.h"
#include "driver/exit_code.h"
#include "driver/option_table.h"
#include "driver/response_file.h"
#include "driver/suggest.h"
#include "emit/names.h"

namespace mgen {
namespace {

const CommandRow &RequireCommand(const std::string &name) {
  std::vector<std::string> names;
  for (const CommandRow &row : Commands()) {
    if (name == row.name) return row;
    names.push_back(row.name);
  }
  throw UsageError("unknown command '" + name + "'" + DidYouMean(name, names) +
                   "; 'mshadow-gen --help' lists the commands");
}

/// Throws, and says why the parser did not expect `argument`.
[[noreturn]] void RejectArgument(const std::string &argument, Command command) {
  const std::string flag = argument.substr(0, argument.find('='));
  std::vector<std::string> known = {"--help"};
  std::string owners;  // the commands that have this flag
  for (const OptionRow &row : OptionTable()) {
    for (const std::string &spelling : Spellings(row)) {
      if (row.commands & Bit(command)) known.push_back(spelling);
      if (spelling != flag) continue;
      for (const CommandRow &other : Commands()) {
        if (row.commands & Bit(other.command)) owners += std::string(" ") + other.name;
      }
    }
  }
  const std::string where =
      command == Command::kNone ? "without a command" : std::string("by ") + RowOf(command).name;
  if (!owners.empty()) {
    throw UsageError("'" + flag + "' is not taken " + where + ", only by:" + owners);
  }
  throw UsageError("unknown argument '" + argument + "'" + DidYouMean(flag, known));
}

/// Builds the parser of one command from its rows of the table.
void AddOptions(Command command, Options *options, CLI::App *app) {
  app->set_help_flag();
  for (const OptionRow &row : OptionTable()) {
    if (!(row.commands & Bit(command))) continue;
    if (row.metavar == nullptr) {
      app->add_flag_callback(row.flags, [&row, options] { row.effect.apply(options, ""); });
      continue;
    }
    CLI::Option *option = app->add_option_function<std::vector<std::string>>(
        row.flags, [&row, options](const std::vector<std::string> &values) {
          for (const std::string &value : values) row.effect.apply(options, value);
        });
    // Each use takes one value, so that the SPECs after it are not swallowed.
    option->allow_extra_args(false)->type_size(1)->expected(1);
    option->multi_option_policy(row.effect.repeatable ? CLI::MultiOptionPolicy::TakeAll
                                                      : CLI::MultiOptionPolicy::Throw);
  }
  if (command == Command::kHelp) {
    app->add_option("ID", options->topic);
  } else if (command != Command::kNone) {
    app->add_option("SPEC", options->specs);
  }
}

void RunParser(CLI::App *app, std::vector<std::string> args, Command command) {
  std::reverse(args.begin(), args.end());  // the order that CLI11 needs
  try {
    app->parse(args);
  } catch (const CLI::ExtrasError &) {
    RejectArgument(app->remaining().front(), command);
  } catch (const CLI::ParseError &error) {
    throw UsageError(error.what());
  }
}

/// Finds --help and --help=COMMAND at any position.
bool ParseHelp(const std::vector<std::string> &args, Options *options) {
  for (const std::string &arg : args) {
    if (arg == "--help" || arg == "-h") {
      options->help = true;
      options->help_command = options->command;
    } else if (arg.rfind("--help=", 0) == 0) {
      options->help = true;
      options->help_command = RequireCommand(arg.substr(7)).command;
    }
  }
  return options->help;
}

void CheckComplete(Options *options) {
  if (options->command == Command::kHelp) return;
  if (options->specs.empty()) throw UsageError("no SPEC given");
  const Command command = options->command;
  const bool writes = command == Command::kGenerate || command == Command::kCheck;
  if (command == Command::kList && options->format == OutputFormat::kText &&
      !options->list_kernels && !options->list_deps) {
    options->list_outputs = true;
  }
  if (options->name.empty()) {
    if (writes) throw UsageError("--name=BASE is missing: give the base name of the outputs");
    if (options->list_outputs) {
      throw UsageError(
          "--name=BASE is missing: give the base name of the outputs, or --kernels or --deps");
    }
  }
  if (writes && options->output_dir.empty()) {
    throw UsageError("--output-dir=DIR is missing: give the directory of the outputs");
  }
  if (options->depfile_list_outputs && options->depfile.empty()) {
    throw UsageError("--depfile-list-outputs needs --depfile=FILE");
  }
  if (!options->depfile.empty() && options->stamp.empty()) {
    throw UsageError("--depfile needs --stamp=FILE, the target of its rule");
  }
  if (!options->name.empty() && !IsIdentifier(options->name)) {
    throw UsageError("--name takes a C++ identifier of at most 64 letters, not '" + options->name +
                     "'");
  }
}

/// Adds the kinds that other kinds need.
void AddBrought(std::set<std::string> *emit) {
  for (auto kind = OutputKinds().rbegin(); kind != OutputKinds().rend(); ++kind) {
    if (!kind->brings.empty() && emit->count(kind->name) != 0) emit->insert(kind->brings);
  }
}

}  // namespace

const std::vector<std::string> &IsaNames() {
  static const std::vector<std::string> names = {"baseline", "avx2", "avx512"};
  return names;
}

Options ParseCommandLine(const std::vector<std::string> &args) {
  std::vector<std::string> rest = ExpandResponseFiles(args);
  Options options;
  const auto separator = llvm::find(rest, "--");
  if (separator != rest.end()) options.cxx_flags.assign(separator + 1, rest.end());
  rest.erase(separator, rest.end());

  if (!rest.empty() && rest[0].rfind('-', 0) != 0) {
    options.command = RequireCommand(rest[0]).command;
    rest.erase(rest.begin());
  }
  if (ParseHelp(rest, &options)) return options;
  CLI::App app;
  AddOptions(options.command, &options, &app);
  RunParser(&app, rest, options.command);
  if (options.command != Command::kNone) {
    CheckComplete(&options);
  } else if (!options.is_question()) {
    throw UsageError("no command given; mshadow-gen --help lists them");
  }
  if (options.cuda) options.emit.insert("cuda");
  AddBrought(&options.emit);
  options.cuda = options.emits("cuda");
  options.diagnostics.errors_only = options.quiet;
  return options;
}

}  // namespace mgen
