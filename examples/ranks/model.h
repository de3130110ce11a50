// SPDX-License-Identifier: Apache-2.0
/// \file model.h
/// The demo's network with its weights in four parts, which the ranks share out.
#ifndef EXAMPLES_RANKS_MODEL_H_
#define EXAMPLES_RANKS_MODEL_H_

#include <vector>

#include "../fashion_mnist/network.h"

namespace demo {

/// Into how many micro-batches every batch is cut, and into how many parts the weights; so the
/// number of ranks is 1, 2 or 4, and no result depends on it.
constexpr int kParts = 4;
constexpr int kMicroBatch = 32;  ///< images

/// The rules that the network runs, of those that this program links.
const Kernels &NetworkKernels();

/// A network, on the CPU, whose weights are copied to and from vectors: there they lie one behind
/// the other in kParts equal parts, the last one padded.
class Model {
 public:
  explicit Model(uint64_t seed);

  /// Writes into \p gradients a quarter of the gradients of the mean cross entropy of the images.
  /// The sum over kParts micro-batches is then that of the whole batch.
  /// \param images kMicroBatch rows of kPixels
  /// \param one_hot their labels: kMicroBatch rows of kClasses
  /// \param gradients a vector of all parts; its padding stays as it is
  /// \returns the sum of the images' cross entropies
  float FindGradients(Matrix images, Matrix one_hot, float *gradients);

  /// Copies the weights to a vector of all parts, whose padding stays as it is.
  void CopyWeights(float *to) const;
  void SetWeights(const float *from);

  /// Elements that lie side by side in a vector: those of one weight or bias in one part.
  struct Piece {
    mshadow::index_t begin, end;
  };
  std::vector<Piece> Pieces(int part) const;
  /// Elements of a part.
  mshadow::index_t part() const { return part_; }
  /// Elements that the network has.
  mshadow::index_t size() const { return size_; }

 private:
  struct Weight {
    Matrix weight, grad;      ///< in the network
    mshadow::index_t offset;  ///< in a vector
    mshadow::index_t end() const { return offset + weight.size(0) * weight.size(1); }
  };

  Network network_;
  mshadow::index_t size_ = 0, part_ = 0;
  std::vector<Weight> layout_;
};

}  // namespace demo

#endif  // EXAMPLES_RANKS_MODEL_H_
