// SPDX-License-Identifier: Apache-2.0
#include "network.h"

#include <cmath>
#include <cstring>

#include "random.h"

namespace demo {

using mshadow::Shape2;
using mshadow::expr::dot;
using mshadow::expr::sum_rows;

namespace {

constexpr int kWidths[] = {784, 256, 128, 10};
constexpr int kLayers = 3;

uint64_t HashBits(uint64_t hash, Matrix matrix) {
  for (mshadow::index_t y = 0; y < matrix.size(0); ++y) {
    for (mshadow::index_t x = 0; x < matrix.size(1); ++x) {
      uint32_t bits;
      std::memcpy(&bits, &matrix[y][x], sizeof(bits));
      for (int shift = 0; shift < 32; shift += 8) {
        hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3u;
      }
    }
  }
  return hash;
}

}  // namespace

Network::Network(const Kernels &kernels, int max_batch, uint64_t seed)
    : kernels_(kernels), layers_(kLayers), losses_(Shape2(1, max_batch), 0.0f) {
  Random random(seed);
  for (int i = 0; i < kLayers; ++i) {
    const int inputs = kWidths[i], outputs = kWidths[i + 1];
    Layer &layer = layers_[i];
    layer.weight.Resize(Shape2(inputs, outputs));
    layer.weight_grad.Resize(Shape2(inputs, outputs), 0.0f);
    layer.bias.Resize(Shape2(1, outputs), 0.0f);
    layer.bias_grad.Resize(Shape2(1, outputs), 0.0f);
    layer.out.Resize(Shape2(max_batch, outputs), 0.0f);
    layer.out_grad.Resize(Shape2(max_batch, outputs), 0.0f);
    const float bound = std::sqrt(6.0f / static_cast<float>(inputs));
    for (int y = 0; y < inputs; ++y) {
      for (int x = 0; x < outputs; ++x) layer.weight[y][x] = bound * random.Symmetric();
    }
  }
}

void Network::AddTo(const AddTensors &add) {
  for (Layer &layer : layers_) {
    add(layer.weight, layer.weight_grad);
    add(layer.bias, layer.bias_grad);
  }
}

Matrix Network::Forward(Matrix images) {
  Matrix in = images;
  for (int i = 0; i < kLayers; ++i) {
    Layer &layer = layers_[i];
    Matrix out = layer.out.Slice(0, images.size(0));
    out = dot(in, layer.weight);
    const auto activate = i + 1 < kLayers ? kernels_.bias_relu : kernels_.bias_add;
    activate(out, out, layer.bias[0]);
    in = out;
  }
  return in;
}

Vector Network::Backward(Matrix images, Matrix one_hot, float scale) {
  const mshadow::index_t batch = images.size(0);
  Matrix grad = layers_.back().out_grad.Slice(0, batch);
  const Vector losses = losses_[0].Slice(0, batch);
  kernels_.softmax_cross_entropy(losses, grad, layers_.back().out.Slice(0, batch), one_hot,
                                 scale / static_cast<float>(batch));
  Vector top_bias_grad = layers_.back().bias_grad[0];
  top_bias_grad = sum_rows(grad);
  for (int i = kLayers - 1; i >= 0; --i) {
    Layer &layer = layers_[i];
    const Matrix in = i > 0 ? layers_[i - 1].out.Slice(0, batch) : images;
    layer.weight_grad = dot(in.T(), grad);
    if (i == 0) break;
    Matrix in_grad = layers_[i - 1].out_grad.Slice(0, batch);
    in_grad = dot(grad, layer.weight.T());
    kernels_.bias_relu_grad(in_grad, layers_[i - 1].bias_grad[0], in_grad, in);
    grad = in_grad;
  }
  return losses;
}

void Network::MoveTowards(Network *other, float share) {
  for (size_t i = 0; i < layers_.size(); ++i) {
    Layer &to = layers_[i], &from = other->layers_[i];
    kernels_.axpby(to.weight, from.weight, share, 1.0f - share);
    kernels_.axpby(to.bias, from.bias, share, 1.0f - share);
  }
}

uint64_t Network::Hash() const {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const Layer &layer : layers_) {
    hash = HashBits(hash, layer.weight);
    hash = HashBits(hash, layer.bias);
  }
  return hash;
}

}  // namespace demo
