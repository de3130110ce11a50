// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "../fashion_mnist/optimizer.h"

namespace demo {
namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;

constexpr index_t kCacheLine = 16;  // floats; parts begin at one

/// A checkpoint in memory, for mshadow::Optimizer.
struct Bytes {
  std::string text;
  size_t at = 0;

  void Write(const void *from, size_t size) { text.append(static_cast<const char *>(from), size); }
  size_t Read(void *to, size_t size) {
    const size_t count = std::min(size, text.size() - at);
    std::memcpy(to, text.data() + at, count);
    at += count;
    return count;
  }
};

/// Copies the rows of \p matrix, which may be padded, to \p packed, which is not.
void Pack(Matrix matrix, float *packed) {
  for (index_t y = 0; y < matrix.size(0); ++y) {
    std::copy_n(matrix[y].dptr_, matrix.size(1), packed + y * matrix.size(1));
  }
}

void Unpack(const float *packed, Matrix matrix) {
  for (index_t y = 0; y < matrix.size(0); ++y) {
    std::copy_n(packed + y * matrix.size(1), matrix.size(1), matrix[y].dptr_);
  }
}

}  // namespace

Model::Model(const Kernels &kernels, uint64_t seed, int first, int count)
    : network_(kernels, kMicroBatch, seed), first_(first), gradients_(false) {
  network_.AddTo([this](Matrix weight, Matrix grad) {
    layout_.push_back({weight, grad, size_});
    size_ += weight.size(0) * weight.size(1);
  });
  const index_t lines = (size_ + kCacheLine - 1) / kCacheLine;
  part_ = (lines + kParts - 1) / kParts * kCacheLine;
  weights_.Resize(Shape1(kParts * part_), 0.0f);
  sums_.Resize(Shape1(count * part_), 0.0f);
  gradients_.Resize(Shape2(count, kParts * part_), 0.0f);
  for (const Weight &w : layout_) Pack(w.weight, weights_.dptr_ + w.offset);
  for (int part = first; part < first + count; ++part) AddPart(kernels, part);
}

/// The pieces of all weights that lie in a part are the entries of one list.
void Model::AddPart(const Kernels &kernels, int part) {
  optimizers_.push_back(std::make_unique<mshadow::Optimizer>());
  const AddTensors add = MakeGroup(*FindRule(kernels.rules, "AdamW"), {}, optimizers_.back().get());
  const index_t begin = part * part_, end = begin + part_;
  float *const sums = sums_.dptr_ + (part - first_) * part_;
  for (const Weight &w : layout_) {
    const index_t from = std::max(begin, w.offset);
    const index_t to = std::min(end, w.offset + w.weight.size(0) * w.weight.size(1));
    if (from >= to) continue;
    const mshadow::Shape<2> shape = Shape2(1, to - from);
    add(Matrix(weights_.dptr_ + from, shape), Matrix(sums + (from - begin), shape));
  }
}

float Model::FindGradients(int micro, Matrix images, Matrix one_hot) {
  network_.Forward(images);
  const Vector losses = network_.Backward(images, one_hot, 1.0f / kParts);
  for (const Weight &w : layout_) Pack(w.grad, gradients_[micro].dptr_ + w.offset);
  return std::accumulate(losses.dptr_, losses.dptr_ + kMicroBatch, 0.0f);
}

void Model::Update() {
  for (const auto &optimizer : optimizers_) optimizer->Step();
}

void Model::UseWeights() {
  for (const Weight &w : layout_) Unpack(weights_.dptr_ + w.offset, w.weight);
}

std::vector<std::string> Model::Save() const {
  std::vector<std::string> checkpoints;
  for (const auto &optimizer : optimizers_) {
    Bytes bytes;
    optimizer->Save(bytes);
    checkpoints.push_back(std::move(bytes.text));
  }
  return checkpoints;
}

void Model::Load(int i, const std::string &checkpoint) {
  Bytes bytes{checkpoint};
  optimizers_[static_cast<size_t>(i)]->Load(bytes);
}

void AddInPairs(const Kernels &kernels, float *vectors, int count, index_t size) {
  for (int distance = 1; distance < count; distance *= 2) {
    for (int i = 0; i < count; i += 2 * distance) {
      kernels.axpby(Matrix(vectors + i * size, Shape2(1, size)),
                    Matrix(vectors + (i + distance) * size, Shape2(1, size)), 1.0f, 1.0f);
    }
  }
}

}  // namespace demo
