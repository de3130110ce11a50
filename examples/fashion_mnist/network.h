// SPDX-License-Identifier: Apache-2.0
/// \file network.h
/// A perceptron of 784 - 256 - 128 - 10 with ReLU, trained on the cross entropy of a softmax.
#ifndef EXAMPLES_FASHION_MNIST_NETWORK_H_
#define EXAMPLES_FASHION_MNIST_NETWORK_H_

#include <cstdint>
#include <vector>

#include "kernels.h"

namespace demo {

/// The network with all its buffers, for batches of up to \p max_batch images. Matrix products go
/// through BLAS; everything else but the sums of rows is a rule of `kernels`.
class Network {
 public:
  /// \param seed of the initial weights: He's uniform distribution, biases zero (He et al. 2015)
  Network(const Kernels &kernels, int max_batch, uint64_t seed);

  /// Adds the weights and biases with their gradients to a group.
  void AddTo(const AddTensors &add);

  /// Scores of the classes for \p images, one row each, whose softmax are their probabilities;
  /// valid until the next call.
  Matrix Forward(Matrix images);
  /// Gradients of \p scale times the mean cross entropy of the images that Forward saw last.
  /// \param one_hot their labels
  /// \returns the cross entropy of each image; valid until the next call
  Vector Backward(Matrix images, Matrix one_hot, float scale);

  /// Moves each weight and bias by \p share of the way to that of \p other; 1 copies them.
  void MoveTowards(Network *other, float share);

  /// FNV-1a over the bits of all weights and biases.
  uint64_t Hash() const;

 private:
  /// One dense layer, and for its outputs of a batch the activations and their gradients.
  struct Layer {
    Buffer weight, weight_grad;  ///< inputs x outputs
    Buffer bias, bias_grad;      ///< 1 x outputs
    Buffer out, out_grad;        ///< batch x outputs
  };

  const Kernels &kernels_;
  std::vector<Layer> layers_;
  Buffer losses_;  ///< 1 x batch
};

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_NETWORK_H_
