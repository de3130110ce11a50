// SPDX-License-Identifier: Apache-2.0
// The network runs rules that it is given. Here they are those of this program's own library, which
// may have GPU kernels.
#include <axpby.gen.h>
#include <bias.gen.h>
#include <softmax_cross_entropy.gen.h>

#include "model.h"

namespace demo {

const Kernels &NetworkKernels() {
  static const Kernels kernels = [] {
    Kernels rules{};
    rules.bias_add = [](Matrix out, Matrix in, Vector bias) { activation::BiasAdd(out, in, bias); };
    rules.bias_relu = [](Matrix out, Matrix in, Vector bias) {
      activation::BiasRelu(out, in, bias);
    };
    rules.bias_relu_grad = [](Matrix in_grad, Vector bias_grad, Matrix out_grad, Matrix out) {
      activation::BiasReluGrad(in_grad, bias_grad, out_grad, out);
    };
    rules.softmax_cross_entropy = [](Vector loss, Matrix in_grad, Matrix in, Matrix label,
                                     float scale) {
      loss::SoftmaxCrossEntropyTrain(loss, in_grad, in, label, scale);
    };
    rules.axpby = [](Matrix y, Matrix x, float a, float b) { blas1::Axpby(y, x, a, b); };
    return rules;
  }();
  return kernels;
}

}  // namespace demo
