// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>
#include <iostream>

namespace demo {
namespace {

/// "lr=0.01" as an entry of \p hyper.
void AddHyper(const std::string &text, std::map<std::string, double> *hyper) {
  const size_t equal = text.find('=');
  double value;
  if (equal == 0 || equal == std::string::npos ||
      !CLI::detail::lexical_cast(text.substr(equal + 1), value)) {
    throw CLI::ValidationError("--set", "expected NAME=NUMBER, got '" + text + "'");
  }
  (*hyper)[text.substr(0, equal)] = value;
}

}  // namespace

std::optional<int> ParseOptions(int argc, char **argv, Options *options) {
  CLI::App app(
      "Trains a perceptron of 784 - 256 - 128 - 10 on Fashion-MNIST with kernels that were "
      "generated "
      "from the shipped specs, and compares them with the same specs unfused.");
  Settings &settings = options->settings;
  std::vector<std::string> hyper;
  app.add_option("--optimizer", settings.optimizer, "any that --list names")->capture_default_str();
  app.add_flag("--list", options->list, "name the optimizers and their hyper-parameters");
  app.add_option("--set", hyper, "a hyper-parameter of the optimizer, as in lr=0.01; repeatable")
      ->type_name("NAME=NUMBER");
  app.add_flag(
         "--pipeline", settings.pipeline,
         "AdamW in two passes over memory that also unscale, check, clip, convert and average")
      ->excludes("--optimizer")
      ->excludes("--set");
  CLI::Option *epochs = app.add_option("--epochs", settings.epochs, "passes over the training set")
                            ->check(CLI::Range(1, 10000))
                            ->capture_default_str();
  app.add_flag("--quick", options->quick, "one epoch, with a lower bar for the accuracy");
  app.add_option("--seed", settings.seed, "of the initial weights and the order of the images")
      ->capture_default_str();
  app.add_option("--threads", options->threads,
                 "more pay only for larger networks; 0: as many as there are cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--data", options->data, "directory of the four idx files")->capture_default_str();
  try {
    app.parse(argc, argv);
    for (const std::string &text : hyper) AddHyper(text, &settings.hyper);
  } catch (const CLI::ParseError &error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kSuccess : kUsage;
  }
  if (options->quick && epochs->count() == 0) settings.epochs = 1;
  return std::nullopt;
}

}  // namespace demo
