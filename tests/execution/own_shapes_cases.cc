// SPDX-License-Identifier: Apache-2.0
// Compiled twice: with the emitted rules, and with MSHADOW_UNFUSED, where they are the spec's own.
#include <mshadow/tensor.h>

#include "embedding.gen.h"
#include "group_norm.gen.h"
#include "images.gen.h"
#include "own_shapes.h"
#include "physics.gen.h"
#include "random.h"
#include "routing.gen.h"

namespace mshadow_test {
namespace {

using namespace mshadow;

/// A tensor in rows that are padded, with numbers in [-8, 8).
template <int dim, typename DType = float>
struct Numbers {
  std::vector<DType> elements;
  Tensor<cpu, dim, DType> tensor;

  explicit Numbers(const Shape<dim> &shape, uint64_t seed = 0) {
    const index_t stride = shape[dim - 1] + (dim == 1 ? 0 : 3);
    elements.resize(static_cast<size_t>(shape.FlatTo2D()[0] * stride));
    tensor = Tensor<cpu, dim, DType>(elements.data(), shape, stride, nullptr);
    SplitMix64 random(seed);
    for (DType &element : elements) {
      const double number = 16 * random.Unit() - 8;
      element = static_cast<DType>(sizeof(DType) == 1 ? 16 * (number + 8) : number);
    }
  }
};

class Results {
 public:
  void Add(const std::string &call, const std::vector<float> &elements) {
    results_.push_back({call, elements});
  }
  std::vector<OwnShapesResult> Take() { return std::move(results_); }

 private:
  std::vector<OwnShapesResult> results_;
};

void AddEmbeddings(Results *results, index_t cols) {
  Numbers<2> weight(Shape2(7, cols), 1), position(Shape2(5, cols), 2), out(Shape2(5, cols));
  int64_t numbers[] = {6, 0, 3, 3, 1};
  const Tensor<cpu, 1, int64_t> index(numbers, Shape1(5));
  layer::Embedding(out.tensor, weight.tensor, index);
  results->Add("Embedding", out.elements);
  layer::PositionedEmbedding(out.tensor, weight.tensor, index, position.tensor, 0.7f);
  results->Add("PositionedEmbedding", out.elements);
  for (const int64_t padding_idx : {-1, 3}) {
    layer::EmbeddingGrad(weight.tensor, position.tensor, index, padding_idx);
    results->Add("EmbeddingGrad", weight.elements);
  }
}

void AddGates(Results *results, index_t experts) {
  Numbers<2> logits(Shape2(6, experts), 19);
  for (const index_t count : {1, 2, 5}) {
    if (count > experts) continue;
    Numbers<2> weights(Shape2(6, count));
    Numbers<2, int64_t> chosen(weights.tensor.shape_);
    layer::TopKGate(weights.tensor, chosen.tensor, logits.tensor);
    results->Add("TopKGate, weights", weights.elements);
    results->Add("TopKGate, experts", {chosen.elements.begin(), chosen.elements.end()});
    Numbers<2> grad(weights.tensor.shape_, 20), logits_grad(logits.tensor.shape_);
    layer::TopKGateGrad(logits_grad.tensor, grad.tensor, weights.tensor, chosen.tensor);
    results->Add("TopKGateGrad", logits_grad.elements);
  }
}

void AddGroupNorms(Results *results, index_t pixels) {
  const index_t samples = 3, groups = 2, channels = 6, rows = samples * groups;
  const index_t cols = channels / groups * pixels;
  Numbers<2> in(Shape2(rows, cols), 3), grad(in.tensor.shape_, 4), out(in.tensor.shape_);
  Numbers<3> images(Shape3(samples, channels, pixels), 5), grads(images.tensor.shape_, 6);
  Numbers<1> gain(Shape1(channels), 7), bias(Shape1(channels), 8), mean(Shape1(rows)),
      inv_std(Shape1(rows)), gain_grad(Shape1(channels)), bias_grad(Shape1(channels));
  normalize::GroupNorm(out.tensor, mean.tensor, inv_std.tensor, in.tensor, gain.tensor, bias.tensor,
                       groups);
  results->Add("GroupNorm", out.elements);
  results->Add("GroupNorm, mean", mean.elements);
  results->Add("GroupNorm, inv_std", inv_std.elements);
  normalize::GroupNormGrad(out.tensor, grad.tensor, in.tensor, mean.tensor, inv_std.tensor,
                           gain.tensor, groups);
  results->Add("GroupNormGrad", out.elements);
  normalize::GroupNormGradGain(gain_grad.tensor, bias_grad.tensor, grads.tensor, images.tensor,
                               mean.tensor, inv_std.tensor, groups);
  results->Add("GroupNormGradGain, gain", gain_grad.elements);
  results->Add("GroupNormGradGain, bias", bias_grad.elements);
}

void AddImages(Results *results, index_t cols) {
  Numbers<4, uint8_t> bytes(Shape4(2, 5, cols, 3), 9);
  Numbers<4> planes(Shape4(2, 3, 5, cols));
  Numbers<1> mean(Shape1(3), 10), inv_deviation(Shape1(3), 11);
  vision::NormalizeImages(planes.tensor, bytes.tensor, mean.tensor, inv_deviation.tensor);
  results->Add("NormalizeImages", planes.elements);
  Numbers<2> small(Shape2(5, cols), 12), large(Shape2(10, 2 * cols));
  vision::UpsampleBilinear2x(large.tensor, small.tensor);
  results->Add("UpsampleBilinear2x", large.elements);
}

void AddForces(Results *results, index_t bodies) {
  Numbers<1> x1(Shape1(4), 13), y1(Shape1(4), 14), z1(Shape1(4), 15), fx(Shape1(4)), fy(Shape1(4)),
      fz(Shape1(4)), x2(Shape1(bodies), 16), y2(Shape1(bodies), 17), z2(Shape1(bodies), 18);
  x1.elements[2] = x2.elements[0], y1.elements[2] = y2.elements[0];
  z1.elements[2] = z2.elements[0];  // a body of both lists
  science::LennardJonesForces(fx.tensor, fy.tensor, fz.tensor, x1.tensor, y1.tensor, z1.tensor,
                              x2.tensor, y2.tensor, z2.tensor, 0.3f, 1.1f);
  results->Add("LennardJonesForces, x", fx.elements);
  results->Add("LennardJonesForces, y", fy.elements);
  results->Add("LennardJonesForces, z", fz.elements);
}

std::vector<OwnShapesResult> All() {
  Results results;
  for (const index_t size : {1, 2, 3, 7, 16, 33, 300}) {
    AddEmbeddings(&results, size);
    AddGates(&results, size);
    AddGroupNorms(&results, size);
    AddImages(&results, size);
    AddForces(&results, size);
  }
  return results.Take();
}

}  // namespace

#ifdef MSHADOW_UNFUSED
std::vector<OwnShapesResult> UnfusedOwnShapes() { return All(); }
#else
std::vector<OwnShapesResult> FusedOwnShapes() { return All(); }
#endif

}  // namespace mshadow_test
