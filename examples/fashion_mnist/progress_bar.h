// SPDX-License-Identifier: Apache-2.0
/// \file progress_bar.h
/// Shows a training on the terminal: one line for each epoch, redrawn while the epoch runs. Where
/// the output is no terminal, only the finished lines.
#ifndef EXAMPLES_FASHION_MNIST_PROGRESS_BAR_H_
#define EXAMPLES_FASHION_MNIST_PROGRESS_BAR_H_

#include <chrono>

#include "trainer.h"

namespace demo {

class ProgressBar {
 public:
  explicit ProgressBar(int epochs);

  void Update(const Progress &progress);

 private:
  using Clock = std::chrono::steady_clock;

  int epochs_;
  bool terminal_;
  Clock::time_point epoch_begin_, last_drawn_;
};

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_PROGRESS_BAR_H_
