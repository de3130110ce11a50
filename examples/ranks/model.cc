// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <algorithm>
#include <numeric>

namespace demo {
namespace {

using mshadow::index_t;

constexpr index_t kCacheLine = 16;  // floats; parts begin at one

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

Model::Model(uint64_t seed) : network_(NetworkKernels(), kMicroBatch, seed) {
  network_.AddTo([this](Matrix weight, Matrix grad) {
    layout_.push_back({weight, grad, size_});
    size_ = layout_.back().end();
  });
  const index_t lines = (size_ + kCacheLine - 1) / kCacheLine;
  part_ = (lines + kParts - 1) / kParts * kCacheLine;
}

float Model::FindGradients(Matrix images, Matrix one_hot, float *gradients) {
  network_.Forward(images);
  const Vector losses = network_.Backward(images, one_hot, 1.0f / kParts);
  for (const Weight &w : layout_) Pack(w.grad, gradients + w.offset);
  return std::accumulate(losses.dptr_, losses.dptr_ + kMicroBatch, 0.0f);
}

void Model::CopyWeights(float *to) const {
  for (const Weight &w : layout_) Pack(w.weight, to + w.offset);
}

void Model::SetWeights(const float *from) {
  for (const Weight &w : layout_) Unpack(from + w.offset, w.weight);
}

std::vector<Model::Piece> Model::Pieces(int part) const {
  std::vector<Piece> pieces;
  for (const Weight &w : layout_) {
    const Piece piece{std::max(part * part_, w.offset), std::min((part + 1) * part_, w.end())};
    if (piece.begin < piece.end) pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace demo
