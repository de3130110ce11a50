// SPDX-License-Identifier: Apache-2.0
/// \file log.h
/// --verbose: the steps of a run and their times, on stderr.
#ifndef MSHADOW_GENERATOR_DRIVER_LOG_H_
#define MSHADOW_GENERATOR_DRIVER_LOG_H_

#include <llvm/ADT/ScopeExit.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

namespace mgen {

class Log {
 public:
  explicit Log(bool verbose) : verbose_(verbose) {}

  /// Runs `step`, and logs its name and how long it took. \returns what the step returns
  template <typename Step>
  auto Time(const std::string &name, Step &&step) const {
    const auto start = std::chrono::steady_clock::now();
    const auto says = llvm::make_scope_exit([&] {
      if (!verbose_) return;
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      std::fprintf(stderr, "mshadow-gen: %s: %.1f ms\n", name.c_str(), took.count());
    });
    return std::forward<Step>(step)();
  }

 private:
  bool verbose_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_LOG_H_
