// SPDX-License-Identifier: Apache-2.0
/// \file model.h
/// The demo's network with its weights in four parts, which the ranks share out.
#ifndef EXAMPLES_RANKS_MODEL_H_
#define EXAMPLES_RANKS_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "../fashion_mnist/network.h"

namespace demo {

/// Into how many micro-batches every batch is cut, and into how many parts the weights; so the
/// number of ranks is 1, 2 or 4, and no result depends on it.
constexpr int kParts = 4;
constexpr int kMicroBatch = 32;  ///< images

/// A network whose weights lie one behind the other in one vector of kParts equal parts, the last
/// one padded with zeros. Each part has an optimizer of its own, with the states of that part, so a
/// part and its checkpoint do not depend on the number of ranks.
class Model {
 public:
  /// \param first the first part that this rank updates
  /// \param count how many
  Model(const Kernels &kernels, uint64_t seed, int first, int count);

  /// Writes into gradients(micro) a quarter of the gradients of the mean cross entropy of the
  /// images. The sum over kParts micro-batches is then that of the whole batch.
  /// \param micro which micro-batch of this rank, from 0
  /// \param images kMicroBatch rows of kPixels
  /// \param one_hot their labels: kMicroBatch rows of kClasses
  /// \returns the sum of the images' cross entropies
  float FindGradients(int micro, Matrix images, Matrix one_hot);
  /// The gradients of micro-batch \p micro of this rank, part by part.
  float *gradients(int micro) { return gradients_[micro].dptr_; }
  /// The sums of gradients for parts [first, first + count), which Update reads.
  float *sums() { return sums_.dptr_; }
  /// All weights, part by part.
  float *weights() { return weights_.dptr_; }
  /// Elements of a part.
  mshadow::index_t part() const { return part_; }
  /// Elements that the network has.
  mshadow::index_t size() const { return size_; }

  /// Updates the parts of this rank by AdamW, with the sums of gradients.
  void Update();
  /// Copies weights() into the network.
  void UseWeights();

  /// The checkpoints of this rank's parts: weights and states.
  std::vector<std::string> Save() const;
  /// Reads the checkpoint of part first + \p i.
  /// \throws mshadow::Error if it is damaged or is none of this part
  void Load(int i, const std::string &checkpoint);

 private:
  void AddPart(const Kernels &kernels, int part);

  struct Weight {
    Matrix weight, grad;      ///< in the network
    mshadow::index_t offset;  ///< in weights()
  };

  Network network_;
  int first_;
  mshadow::index_t size_ = 0, part_ = 0;
  std::vector<Weight> layout_;
  mshadow::TensorContainer<mshadow::cpu, 1, float> weights_, sums_;
  Buffer gradients_;  ///< a row for each micro-batch of this rank
  std::vector<std::unique_ptr<mshadow::Optimizer>> optimizers_;  ///< of this rank's parts
};

/// Adds some vectors, which lie one behind the other, into the first one, in pairs:
/// (0 + 1) + (2 + 3). Overwrites the others.
/// \param count of vectors: 1, 2 or 4
/// \param size of a vector, in elements
void AddInPairs(const Kernels &kernels, float *vectors, int count, mshadow::index_t size);

}  // namespace demo

#endif  // EXAMPLES_RANKS_MODEL_H_
