// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.h"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace demo {
namespace {

constexpr int kWidth = 24;

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

ProgressBar::ProgressBar(int epochs)
    : epochs_(epochs), terminal_(isatty(STDOUT_FILENO) != 0), epoch_begin_(Clock::now()) {}

void ProgressBar::Update(const Progress &progress) {
  const Clock::time_point now = Clock::now();
  if (progress.step == 1) last_drawn_ = Clock::time_point();
  const bool done = progress.step == progress.steps;
  if (!done && (!terminal_ || Seconds(now - last_drawn_) < 0.1)) return;
  last_drawn_ = now;
  const int filled = kWidth * progress.step / progress.steps;
  const std::string bar = std::string(static_cast<size_t>(filled), '#') +
                          std::string(static_cast<size_t>(kWidth - filled), '.');
  const double rate = progress.step * kBatch / Seconds(now - epoch_begin_);
  std::printf("%sepoch %2d/%d [%s] loss %.4f  accuracy %.4f  %7.0f images/s%s",
              terminal_ ? "\r" : "", progress.epoch, epochs_, bar.c_str(), progress.loss,
              progress.accuracy, rate, done ? "\n" : "");
  std::fflush(stdout);
  if (done) epoch_begin_ = Clock::now();
}

}  // namespace demo
