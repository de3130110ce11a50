// SPDX-License-Identifier: Apache-2.0
/// \file options.h
/// The command line.
#ifndef EXAMPLES_FASHION_MNIST_OPTIONS_H_
#define EXAMPLES_FASHION_MNIST_OPTIONS_H_

#include <optional>
#include <string>

#include "trainer.h"

namespace demo {

enum ExitCode {
  kSuccess = 0,
  kFailure = 1,  ///< too many images not recognised, or fused and unfused bits differ
  kUsage = 2,    ///< the command line
  kBadData = 3,  ///< a data file
};

struct Options {
  Settings settings;
  std::string data = "/usr/share/datasets/fashion-mnist";
  bool list = false;
  bool quick = false;
  int threads = 1;  ///< 0: as many as there are cores

  /// The test accuracy below which the program fails.
  double bar() const { return quick ? 0.80 : 0.87; }
};

/// The options in \p argv; or, after a message or help was printed, the exit code.
std::optional<int> ParseOptions(int argc, char **argv, Options *options);

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_OPTIONS_H_
