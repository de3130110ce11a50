// SPDX-License-Identifier: Apache-2.0
/// \file trainer.h
/// Trains a network by mini-batches and tests it.
#ifndef EXAMPLES_FASHION_MNIST_TRAINER_H_
#define EXAMPLES_FASHION_MNIST_TRAINER_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dataset.h"
#include "network.h"
#include "pipeline.h"

namespace demo {

constexpr int kBatch = 128;

/// What decides the course of a training; two runs with equal settings make the same steps.
struct Settings {
  std::string optimizer = "AdamW";
  std::map<std::string, double> hyper;  ///< where it shall differ from the rule's defaults
  int epochs = 8;
  int train_images = 0;  ///< how many of the training images to use; 0: all
  uint64_t seed = 1;
  bool pipeline = false;  ///< AdamW in a pipeline instead of `optimizer`
};

/// The tested network is the mean of those after each step of the last part of the training, which
/// evens out the noise of single steps (Polyak & Juditsky 1992), whatever the optimizer.
constexpr double kAveragedPart = 0.25;

/// Where a training stands, once per step.
struct Progress {
  int epoch = 0;          ///< from 1
  int step = 0;           ///< of the epoch, from 1
  int steps = 0;          ///< in an epoch
  double loss = 0.0;      ///< mean over the epoch so far
  double accuracy = 0.0;  ///< on the training images of the epoch so far
};

/// How many images of class i were taken for class j.
using Confusion = std::array<std::array<int, kClasses>, kClasses>;

class Trainer {
 public:
  /// \throws std::invalid_argument if there is no such optimizer or hyper-parameter
  Trainer(const Kernels &kernels, const Settings &settings, const Dataset &train);

  /// Makes all steps, or those until \p observe returns false.
  void Run(const std::function<bool(const Progress &)> &observe);
  /// Tests the mean of the last steps' networks.
  Confusion Test(const Dataset &test);
  /// Of the network as it is after the last step.
  uint64_t Hash() const { return network_.Hash(); }

 private:
  void Step(int begin, int size, Progress *progress);
  void Average();

  Settings settings_;
  const Dataset &train_;
  Network network_;
  Network average_;
  int averaged_ = 0;  ///< how many steps are in it
  mshadow::Optimizer optimizer_;
  Pipeline pipeline_;  ///< if the settings ask for it
  std::vector<int> order_;
  Buffer images_, one_hot_;
};

/// The share of images on the diagonal.
double Accuracy(const Confusion &confusion);

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_TRAINER_H_
