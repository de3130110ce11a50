// SPDX-License-Identifier: Apache-2.0
/// \file shards.h
/// The parts of the weights that a rank updates, in the memory of its device.
#ifndef EXAMPLES_RANKS_SHARDS_H_
#define EXAMPLES_RANKS_SHARDS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "model.h"
#include "ranks.h"

namespace demo {

/// Sums of gradients, optimizer states and updates of this rank's parts, and their exchange with
/// other ranks. A step is the calls AddMicroBatches, ShareGradients, Update and ShareWeights. Each
/// returns when it is done.
class Shards {
 public:
  virtual ~Shards() = default;

  /// What exchanges blocks: "MPI" or "NCCL".
  virtual const char *exchange() const = 0;
  /// The gradients of micro-batch \p micro of this rank, part by part, in memory of the host.
  virtual float *gradients(int micro) = 0;
  /// All weights, part by part, in memory of the host, as of the last ShareWeights.
  virtual const float *weights() const = 0;
  /// The bytes that this rank has sent.
  virtual int64_t sent() const = 0;

  /// Adds the gradients of this rank's micro-batches.
  virtual void AddMicroBatches() = 0;
  /// Adds the gradients of all ranks. A rank gets the sums for its parts.
  virtual void ShareGradients() = 0;
  /// Updates this rank's parts by AdamW.
  /// \param step the number of this update, from 1
  virtual void Update(int64_t step) = 0;
  /// Every rank gets the weights of all parts.
  virtual void ShareWeights() = 0;

  /// The weights and states of this rank's part \p i, as bytes.
  virtual std::string Save(int i) const = 0;
  /// Reads what Save wrote. ShareWeights then gives the weights to all ranks.
  /// \throws std::runtime_error if the text has another length
  virtual void Load(int i, const std::string &text) = 0;
};

/// The parts that a rank updates.
struct PartRange {
  int first, count;
};

/// Shards in the memory of the host, which MPI exchanges.
std::unique_ptr<Shards> MakeCpuShards(const Model &model, PartRange parts, Ranks *ranks);
/// Shards in the memory of GPUs, which NCCL exchanges, if the program is built with both and every
/// rank has a GPU of its own; in the memory of the host if no rank has one.
/// \throws std::runtime_error if only some ranks have a GPU, or two of them have the same
std::unique_ptr<Shards> MakeShards(const Model &model, PartRange parts, Ranks *ranks);

}  // namespace demo

#endif  // EXAMPLES_RANKS_SHARDS_H_
