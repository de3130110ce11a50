// SPDX-License-Identifier: Apache-2.0
// Trains the demo's network with data-parallel ranks: mpirun -n 4 train_on_ranks. The weights have
// the same bits for 1, 2 and 4 ranks, also after a rank was lost and the training was resumed.
#include <mshadow/parallel.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>

#include "training.h"

// OpenBLAS has threads of its own; other BLAS libraries lack the function.
extern "C" void openblas_set_num_threads(int count) __attribute__((weak));

namespace demo {
namespace {

struct RankOptions {
  RankSettings settings;
  std::string data = "/usr/share/datasets/fashion-mnist";
  int synthetic = 0;  ///< images; 0: those of `data`
  std::string checkpoint = "ranks.checkpoint";
  int save_every = 50;
  bool resume = false;
  double timeout = 60.0;
  std::string report;
  int kill_rank = -1, stop_rank = -1;
  int64_t kill_step = 0, stop_step = 0;
};

std::optional<int> ParseOptions(int argc, char **argv, RankOptions *options) {
  CLI::App app("Trains a perceptron of 784 - 256 - 128 - 10 with 1, 2 or 4 ranks of MPI.");
  app.add_option("--steps", options->settings.steps, "in all")->capture_default_str();
  app.add_option("--seed", options->settings.seed)->capture_default_str();
  app.add_option("--data", options->data, "directory of the four idx files")->capture_default_str();
  app.add_option("--synthetic", options->synthetic, "train on so many made images instead");
  app.add_option("--checkpoint", options->checkpoint, "the file to write")->capture_default_str();
  app.add_option("--save-every", options->save_every, "steps; also at the end")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--resume", options->resume, "begin with what the checkpoint has");
  app.add_option("--timeout", options->timeout, "seconds to wait for another rank")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--report", options->report, "write bytes and times as JSON to this file");
  app.add_option("--kill-rank", options->kill_rank, "to try it out: this rank is killed …");
  app.add_option("--kill-step", options->kill_step, "… in this step");
  app.add_option("--stop-rank", options->stop_rank, "to try it out: this rank hangs …");
  app.add_option("--stop-step", options->stop_step, "… in this step");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

/// What a rank says when mpirun ends it because another rank is gone. Made beforehand: a signal
/// handler may not allocate. Two of them, since a signal may come while one is written.
char last_words[2][512];
std::atomic<const char *> current_words{last_words[0]};

void SayLastWords(int) {
  const char *const words = current_words;
  size_t length = 0;
  while (words[length] != '\0') ++length;
  if (write(STDERR_FILENO, words, length) < 0) _exit(2);
  _exit(1);
}

/// \param saved the step of the last checkpoint; -1: there is none
std::string HowToResume(int64_t saved, const std::string &checkpoint) {
  if (saved < 0) return "there is no checkpoint yet";
  return "--resume begins after step " + std::to_string(saved) + " with '" + checkpoint + "'";
}

void PrepareLastWords(int rank, int64_t step, const std::string &how_to_resume) {
  char *const words = last_words[step % 2];
  std::snprintf(words, sizeof(last_words[0]),
                "error: rank %d ends in step %lld, because another rank has ended; %s\n", rank,
                static_cast<long long>(step), how_to_resume.c_str());
  current_words = words;
}

/// The bytes and times of all ranks. Rank 0 writes them.
void WriteReport(const std::string &path, const Training &training, int64_t steps, Ranks *ranks) {
  const StepSeconds &s = training.seconds();
  char row[200];
  std::snprintf(row, sizeof(row),
                "{\"gradient_bytes\": %lld, \"weight_bytes\": %lld, \"compute\": %.6f, "
                "\"scatter\": %.6f, \"update\": %.6f, \"gather\": %.6f}",
                static_cast<long long>(training.gradient_bytes()),
                static_cast<long long>(training.weight_bytes()), s.compute, s.scatter, s.update,
                s.gather);
  const std::vector<std::string> rows = ranks->Collect(row, "reports");
  if (ranks->rank() != 0) return;
  std::ofstream file(path);
  file << "{\"steps\": " << steps << ", \"parameters\": " << training.model().size()
       << ", \"padded\": " << kParts * training.model().part() << ", \"ranks\": [";
  for (size_t i = 0; i < rows.size(); ++i) file << (i > 0 ? ",\n" : "\n") << rows[i];
  file << "]}\n";
  if (!file) throw std::runtime_error("cannot write '" + path + "'");
}

/// What the options want to go wrong in a step.
void Misbehave(const RankOptions &options, int rank, int64_t step) {
  if (options.kill_rank == rank && options.kill_step == step) raise(SIGKILL);
  if (options.stop_rank != rank || options.stop_step != step) return;
  std::fprintf(stderr, "rank %d hangs in step %lld\n", rank, static_cast<long long>(step));
  while (true) pause();
}

void MakeStep(const RankOptions &options, int64_t saved, int rank, Training *training) {
  const int64_t step = training->step() + 1;
  const std::string how_to_resume = HowToResume(saved, options.checkpoint);
  PrepareLastWords(rank, step, how_to_resume);
  Misbehave(options, rank, step);
  try {
    training->Step();
  } catch (const RankError &error) {
    throw RankError("step " + std::to_string(step) + ": " + error.what() + "; " + how_to_resume);
  }
}

void Train(const RankOptions &options, const Dataset &data, Ranks *ranks) {
  Training training(options.settings, data, ranks);
  if (ranks->rank() == 0) std::printf("exchange by %s\n", training.exchange());
  int64_t saved = -1;
  if (options.resume) {
    training.Load(options.checkpoint);
    saved = training.step();
    if (ranks->rank() == 0) std::printf("resumes after step %lld\n", static_cast<long long>(saved));
  }
  const int64_t begin = training.step();
  while (training.step() < options.settings.steps) {
    MakeStep(options, saved, ranks->rank(), &training);
    const bool is_last = training.step() == options.settings.steps;
    if (training.step() % options.save_every == 0 || is_last) {
      training.Save(options.checkpoint);
      saved = training.step();
      if (ranks->rank() == 0) {
        std::printf("step %lld: loss %.4f\n", static_cast<long long>(saved), training.loss());
        std::fflush(stdout);
      }
    }
  }
  if (!options.report.empty()) {
    WriteReport(options.report, training, training.step() - begin, ranks);
  }
}

}  // namespace
}  // namespace demo

int main(int argc, char **argv) {
  demo::RankOptions options;
  if (const std::optional<int> code = demo::ParseOptions(argc, argv, &options)) return *code;
  demo::Ranks ranks(&argc, &argv);
  ranks.set_timeout(options.timeout);
  signal(SIGTERM, demo::SayLastWords);
  // The same shapes and threads on every rank: BLAS may round differently with others.
  mshadow::SetNumThreads(1);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  try {
    demo::PrepareLastWords(ranks.rank(), 0, demo::HowToResume(-1, options.checkpoint));
    const demo::Dataset data = options.synthetic > 0
                                   ? demo::MakeDataset(options.synthetic, options.settings.seed)
                                   : demo::ReadDataset(options.data, "train");
    demo::Train(options, data, &ranks);
  } catch (const std::exception &error) {
    signal(SIGTERM, SIG_DFL);  // this rank has said why
    std::fprintf(stderr, "error: rank %d: %s\n", ranks.rank(), error.what());
    std::fflush(stderr);
    demo::Ranks::Abort(1);
  }
  return 0;
}
