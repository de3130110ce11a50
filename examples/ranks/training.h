// SPDX-License-Identifier: Apache-2.0
/// \file training.h
/// Trains the demo's network on the ranks of an MPI program.
#ifndef EXAMPLES_RANKS_TRAINING_H_
#define EXAMPLES_RANKS_TRAINING_H_

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "../fashion_mnist/dataset.h"
#include "model.h"
#include "ranks.h"
#include "shards.h"

namespace demo {

/// What decides the weights. The number of ranks does not.
struct RankSettings {
  int64_t steps = 100;
  uint64_t seed = 1;
};

/// Where the time of a step goes, in seconds. Each is that of the step in which it was shortest; 0
/// before the first step.
struct StepSeconds {
  double compute = 0.0;  ///< forward and backward passes, and the sums of gradients
  double scatter = 0.0;  ///< sending gradients, and waiting for those of other ranks
  double update = 0.0;   ///< AdamW of this rank's parts
  double gather = 0.0;   ///< sending weights, and waiting for those of other ranks
};

/// Images that no file has, for tests: each class is a pattern of its own, and noise.
Dataset MakeDataset(int images, uint64_t seed);

class Training {
 public:
  /// \throws std::invalid_argument if there are not 1, 2 or 4 ranks, or less than a batch of images
  Training(const RankSettings &settings, const Dataset &data, Ranks *ranks);

  /// Makes a step: every rank computes gradients of its micro-batches, gets the sums for its parts,
  /// updates these, and sends their weights to all.
  void Step();
  int64_t step() const { return step_; }
  /// The mean cross entropy of the batch of the last step.
  float loss() const { return loss_; }
  const Model &model() const { return model_; }
  const StepSeconds &seconds() const { return seconds_; }
  /// What exchanges gradients and weights: "MPI" or "NCCL".
  const char *exchange() const { return shards_->exchange(); }
  /// The bytes that this rank has sent for gradients and for weights.
  int64_t gradient_bytes() const { return gradient_bytes_; }
  int64_t weight_bytes() const { return weight_bytes_; }

  /// Rank 0 writes the step and the checkpoints of all parts. An older file is replaced at once, so
  /// there is a whole one whenever a rank ends.
  /// \throws std::runtime_error if the file cannot be written
  void Save(const std::string &path);
  /// Every rank reads what it needs, so all must see the file.
  /// \throws std::runtime_error if there is no such file, or it is of other settings or damaged
  void Load(const std::string &path);

 private:
  void FindOrder();
  void FindGradients();
  void ShareGradients();
  void ShareWeights();

  const RankSettings settings_;
  const Dataset &data_;
  Ranks *const ranks_;
  const PartRange parts_;  ///< of this rank; its micro-batches have the same numbers
  Model model_;
  std::unique_ptr<Shards> shards_;
  int64_t step_ = 0;
  float loss_ = 0.0f;
  std::array<float, kParts> losses_{};  ///< of the micro-batches
  std::vector<int> order_;              ///< of the images in this epoch
  int64_t epoch_ = -1;                  ///< whose order it is
  Buffer images_, one_hot_;
  StepSeconds seconds_;
  int64_t gradient_bytes_ = 0, weight_bytes_ = 0;
};

}  // namespace demo

#endif  // EXAMPLES_RANKS_TRAINING_H_
