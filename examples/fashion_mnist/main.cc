// SPDX-License-Identifier: Apache-2.0
// Trains a classifier with generated kernels, checks that they compute what the specs say, and
// shows what fusing is worth.
#include <mshadow/isa.h>
#include <mshadow/parallel.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>

#include "idx_file.h"
#include "options.h"
#include "pipeline.h"
#include "progress_bar.h"
#include "report.h"

// OpenBLAS has threads of its own; other BLAS libraries lack the function.
extern "C" void openblas_set_num_threads(int count) __attribute__((weak));

namespace demo {
namespace {

constexpr int kCheckedSteps = 100;

/// The hash of the weights after the first steps, made with the unfused rules.
uint64_t UnfusedHash(const Settings &settings, const Dataset &train) {
  Trainer trainer(UnfusedKernels(), settings, train);
  int steps = 0;
  trainer.Run([&](const Progress &) { return ++steps < kCheckedSteps; });
  return trainer.Hash();
}

/// Trains with the fused rules.
/// \return the hash of the weights after the first steps
uint64_t Train(Trainer *trainer, int epochs) {
  ProgressBar bar(epochs);
  int steps = 0;
  uint64_t hash = 0;
  const auto begin = std::chrono::steady_clock::now();
  trainer->Run([&](const Progress &progress) {
    if (++steps == kCheckedSteps) hash = trainer->Hash();
    bar.Update(progress);
    return true;
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("trained in %.1f s\n", taken.count());
  return hash;
}

/// Whether fused and unfused rules gave the same weights, to the bit.
bool CheckBits(uint64_t fused, uint64_t unfused) {
  std::printf("weights after %d steps: %016" PRIx64 " fused, %016" PRIx64 " unfused: %s\n",
              kCheckedSteps, fused, unfused, fused == unfused ? "the same bits" : "DIFFERENT");
  if (fused != unfused) std::fprintf(stderr, "error: fused and unfused rules differ\n");
  return fused == unfused;
}

/// Whether enough of the test images were recognised.
bool CheckAccuracy(const Confusion &confusion, double bar) {
  const double accuracy = Accuracy(confusion);
  std::printf("accuracy on the test images: %.4f (at least %.2f is expected)\n", accuracy, bar);
  if (accuracy < bar) {
    std::fprintf(stderr, "error: the test accuracy is %.4f, expected at least %.2f\n", accuracy,
                 bar);
  }
  return accuracy >= bar;
}

int Run(const Options &options) {
  if (options.list) {
    PrintOptimizers(FusedKernels());
    return kSuccess;
  }
  mshadow::SetNumThreads(options.threads);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(mshadow::NumThreads());
  const Dataset train = ReadDataset(options.data, "train");
  const Dataset test = ReadDataset(options.data, "t10k");
  const int threads = mshadow::NumThreads();
  std::printf("%d training and %d test images; %s; %s kernels, %d thread%s\n", train.size(),
              test.size(),
              options.settings.pipeline ? "pipeline" : options.settings.optimizer.c_str(),
              mshadow::IsaName(mshadow::ActiveIsa()), threads, threads == 1 ? "" : "s");
  const uint64_t unfused = UnfusedHash(options.settings, train);
  Trainer trainer(FusedKernels(), options.settings, train);
  const bool same_bits = CheckBits(Train(&trainer, options.settings.epochs), unfused);
  const Confusion confusion = trainer.Test(test);
  const bool accurate = CheckAccuracy(confusion, options.bar());
  PrintClasses(confusion);
  PrintSpeedUps(options.settings.optimizer);
  if (options.settings.pipeline) PrintPipeline();
  return same_bits && accurate ? kSuccess : kFailure;
}

}  // namespace
}  // namespace demo

int main(int argc, char **argv) {
  demo::Options options;
  if (const std::optional<int> code = demo::ParseOptions(argc, argv, &options)) return *code;
  try {
    return demo::Run(options);
  } catch (const demo::DataError &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return demo::kBadData;
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return demo::kUsage;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return demo::kFailure;
  }
}
