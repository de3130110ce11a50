// SPDX-License-Identifier: Apache-2.0
/// \file pipeline.h
/// What specs/optim/pipeline.h needs besides weights and gradients: a few values of one element,
/// and for each weight a copy in 16 bits and a running average.
#ifndef EXAMPLES_FASHION_MNIST_PIPELINE_H_
#define EXAMPLES_FASHION_MNIST_PIPELINE_H_

#include <mshadow/optim.h>

#include <list>
#include <vector>

#include "kernels.h"

namespace demo {

/// A step of AdamW on gradients that are unscaled, checked, and clipped by their global norm and by
/// value, in two passes over memory. Tensors stay where they are, so a Pipeline is not copied.
struct Pipeline {
  /// A tensor to update.
  struct Layer {
    Matrix weight, grad;
    Buffer average;
    mshadow::TensorContainer<mshadow::cpu, 2, mshadow::bfloat::bf16_t> copy;
  };

  std::list<Layer> layers;
  std::vector<float> squares;  ///< an element for each layer
  float factor = 0.0f, taken = 0.0f, norm = 0.0f, inv_bias1 = 0.0f, inv_bias2 = 0.0f;
  mshadow::Tensor<mshadow::cpu, 1> scale;  ///< the factor of the next step's loss, one element

  Pipeline() = default;
  Pipeline(const Pipeline &) = delete;
  Pipeline &operator=(const Pipeline &) = delete;

  void Add(Matrix weight, Matrix grad);
};

/// Bytes and milliseconds of a step of the pipeline, and of single calls that do the same one after
/// the other, with the network's tensors and with a large one.
void PrintPipeline();

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_PIPELINE_H_
