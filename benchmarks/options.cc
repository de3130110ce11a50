// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace mshadow_bench {

Options ParseOptions(int argc, char **argv) {
  Options options;
  CLI::App app(
      "Times each rule or expression and what others have for it, in turn in one process, and "
      "prints ratios: above 1 this project is faster.");
  app.add_option("--filter", options.filter,
                 "only those whose name contains this; bench_rules: matches this");
  app.add_option("--json", options.json, "write the rows to this file");
  app.add_option("--size", options.sizes, "element counts");
  app.add_option("--rounds", options.rounds, "how often each contender runs")
      ->check(CLI::PositiveNumber);
  app.add_option("--again", options.again,
                 "repeat what is below this ratio, in ten times the rounds");
  app.add_option("--threads", options.threads, "threads of every contender; 0: the default")
      ->check(CLI::NonNegativeNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

}  // namespace mshadow_bench
