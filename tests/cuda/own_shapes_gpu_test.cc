// SPDX-License-Identifier: Apache-2.0
// The shipped rules whose tensors have shapes of their own: a GPU's kernels give the bits of the
// CPU's, which tests/execution/own_shapes_test.cc compares with the unfused rules.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <memory>
#include <vector>

#include "cpu_and_gpu.h"
#include "embedding.gen.h"
#include "group_norm.gen.h"
#include "images.gen.h"
#include "physics.gen.h"
#include "routing.gen.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

template <typename DType = float, int dim>
Tensor<cpu, dim, DType> Kept(const Shape<dim> &shape, int first) {
  static std::vector<std::unique_ptr<TensorContainer<cpu, dim, DType>>> kept;
  kept.push_back(
      std::make_unique<TensorContainer<cpu, dim, DType>>(Filled<dim, DType>(shape, first)));
  return *kept.back();
}

/// On a stream of its own: the default stream keeps its workspace to the end of the program.
template <typename xpu>
void Upsample(const TensorContainer<xpu, 2, float> &out, const TensorContainer<xpu, 2, float> &in) {
  Stream<xpu> *const stream = NewStream<xpu>(0);
  Tensor<xpu, 2, float> large = out, small = in;
  large.stream_ = small.stream_ = stream;
  vision::UpsampleBilinear2x(large, small);
  stream->Wait();
  DeleteStream(stream);
}

/// The gate and its backward rule, for which the weights are their own gradient.
template <typename xpu>
void RouteBack(const TensorContainer<xpu, 2, float> &out,
               const TensorContainer<xpu, 2, float> &in) {
  Stream<xpu> *const stream = NewStream<xpu>(0);
  Tensor<xpu, 2, float> logits = in, logits_grad = out;
  TensorContainer<xpu, 2, float> gates(Shape2(in.size(0), 1 + in.size(1) / 3));
  TensorContainer<xpu, 2, int64_t> chosen(gates.shape_);
  Tensor<xpu, 2, float> weights = gates;
  Tensor<xpu, 2, int64_t> experts = chosen;
  weights.stream_ = logits.stream_ = experts.stream_ = logits_grad.stream_ = stream;
  layer::TopKGate(weights, experts, logits);
  layer::TopKGateGrad(logits_grad, weights, weights, experts);
  stream->Wait();
  DeleteStream(stream);
}

template <typename xpu>
void Route(const TensorContainer<xpu, 2, float> &out, const TensorContainer<xpu, 2, float> &in) {
  Stream<xpu> *const stream = NewStream<xpu>(0);
  Tensor<xpu, 2, float> weights = out, logits = in;
  TensorContainer<xpu, 2, int64_t> chosen(out.shape_);
  Tensor<xpu, 2, int64_t> experts = chosen;
  weights.stream_ = logits.stream_ = experts.stream_ = stream;
  layer::TopKGate(weights, experts, logits);
  stream->Wait();
  DeleteStream(stream);
}

const std::vector<index_t> kSizes = {1, 5, 16, 33};

TEST(OwnShapesOnGpu, Embedding) {
  for (const index_t cols : kSizes) {
    const auto weight = Kept(Shape2(7, cols), 1), position = Kept(Shape2(5, cols), 2);
    const auto index = Kept<int64_t>(Shape1(5), 4);
    ExpectSameBits<float>(
        Shape2(5, cols),
        [](auto &out, const auto &w, const auto &i) { layer::Embedding(out, w, i); }, weight,
        index);
    ExpectSameBits<float>(
        Shape2(5, cols),
        [](auto &out, const auto &w, const auto &i, const auto &p) {
          layer::PositionedEmbedding(out, w, i, p, 0.7f);
        },
        weight, index, position);
    ExpectSameBits<float>(
        Shape2(7, cols),
        [](auto &out, const auto &i, const auto &p) { layer::EmbeddingGrad(out, p, i, 2); }, index,
        position);
  }
}

TEST(OwnShapesOnGpu, TopKGate) {
  for (const index_t experts : kSizes) {
    const auto logits = Kept(Shape2(5, experts), 1);
    ExpectSameBits<float>(
        Shape2(5, experts < 3 ? experts : 3), [](auto &out, const auto &x) { Route(out, x); },
        logits);
    ExpectSameBits<float>(
        logits.shape_, [](auto &out, const auto &x) { RouteBack(out, x); }, logits);
  }
}

TEST(OwnShapesOnGpu, Images) {
  for (const index_t cols : kSizes) {
    const auto bytes = Kept<uint8_t>(Shape4(2, 5, cols, 3), 1);
    const auto mean = Kept(Shape1(3), 2), inv_deviation = Kept(Shape1(3), 3);
    ExpectSameBits<float>(
        Shape4(2, 3, 5, cols),
        [](auto &out, const auto &x, const auto &m, const auto &d) {
          vision::NormalizeImages(out, x, m, d);
        },
        bytes, mean, inv_deviation);
    ExpectSameBits<float>(
        Shape2(10, 2 * cols), [](auto &out, const auto &x) { Upsample(out, x); },
        Kept(Shape2(5, cols), 4));
  }
}

TEST(OwnShapesOnGpu, GroupNorm) {
  for (const index_t pixels : kSizes) {
    const auto in = Kept(Shape2(6, 3 * pixels), 1), grad = Kept(Shape2(6, 3 * pixels), 2);
    const auto gain = Kept(Shape1(6), 3), bias = Kept(Shape1(6), 4), mean = Kept(Shape1(6), 5);
    ExpectSameBits<float>(
        in.shape_,
        [](auto &out, const auto &x, const auto &g, const auto &b, auto m, auto s) {
          normalize::GroupNorm(out, m, s, x, g, b, 2);
        },
        in, gain, bias, mean, mean);
    ExpectSameBits<float>(
        in.shape_,
        [](auto &out, const auto &dy, const auto &x, const auto &m, const auto &g) {
          normalize::GroupNormGrad(out, dy, x, m, m, g, 2);
        },
        grad, in, mean, gain);
    const auto images = Kept(Shape3(3, 6, pixels), 6), grads = Kept(Shape3(3, 6, pixels), 7);
    for (const bool of_gain : {false, true}) {
      ExpectSameBits<float>(
          Shape1(6),
          [of_gain](auto &out, const auto &dy, const auto &x, const auto &m, auto other) {
            normalize::GroupNormGradGain(of_gain ? out : other, of_gain ? other : out, dy, x, m, m,
                                         2);
          },
          grads, images, mean, bias);
    }
  }
}

TEST(OwnShapesOnGpu, LennardJonesForces) {
  for (const index_t bodies : kSizes) {
    const auto a = Kept(Shape1(4), 1), b = Kept(Shape1(bodies), 2), c = Kept(Shape1(bodies), 5);
    for (int output = 0; output < 3; ++output) {
      ExpectSameBits<float>(
          Shape1(4),
          [output](auto &out, const auto &x, const auto &y, const auto &z, auto one, auto two) {
            science::LennardJonesForces(output == 0 ? out : one,
                                        output == 1   ? out
                                        : output == 0 ? one
                                                      : two,
                                        output == 2 ? out : two, x, x, x, y, z, y, 0.3f, 1.1f);
          },
          a, b, c, a, a);
    }
  }
}

}  // namespace
