// SPDX-License-Identifier: Apache-2.0
/// \file options.h
/// Command line of the benchmarks.
#ifndef MSHADOW_BENCHMARKS_OPTIONS_H_
#define MSHADOW_BENCHMARKS_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace mshadow_bench {

struct Options {
  std::string filter;  ///< only those whose name contains this; bench_rules: matches it
  std::string json;    ///< file for the rows; "": none
  std::vector<int64_t> sizes = {16 << 10, 1 << 20, 32 << 20};  ///< elements
  int rounds = 15;
  double again = 0;  ///< ratios below it are measured again, in ten times the rounds
  int threads = 0;   ///< 0: the default of the runtime
};

/// Prints a message and exits with 2 on a mistake, with 0 after --help.
Options ParseOptions(int argc, char **argv);

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_OPTIONS_H_
