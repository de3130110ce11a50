// SPDX-License-Identifier: Apache-2.0
// Losses of rows, and what else goes over a matrix row by row, as a careful person writes them by
// hand. Exponentials are the C library's.
#include "hand.h"

namespace mshadow_bench {
namespace {

/// The softmax of a row, not yet divided by its sum, which it returns.
float Exponentials(Written e, Read x, float top, int64_t cols) {
  for (int64_t i = 0; i < cols; ++i) e[i] = std::exp(x[i] - top);
  return Sum(cols, [&](int64_t i) { return e[i]; });
}

float SumOfExponentials(Read x, float top, int64_t cols) {
  return Sum(cols, [&](int64_t i) { return std::exp(x[i] - top); });
}

/// log(sum e^x) sum y - sum y x, less the largest x.
float CrossEntropy(Read x, Read y, float top, float total, int64_t cols) {
  const float mass = Sum(cols, [&](int64_t i) { return y[i]; });
  return std::log(total) * mass - Sum(cols, [&](int64_t i) { return y[i] * (x[i] - top); });
}

void SoftmaxCrossEntropy(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read x = call.tensors[1] + at, y = call.tensors[2] + at;
    const float top = Largest(x, call.cols);
    call.tensors[0][r] = CrossEntropy(x, y, top, SumOfExponentials(x, top, call.cols), call.cols);
  });
}

void SoftmaxCrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  const float scale = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read x = call.tensors[1] + at, y = call.tensors[2] + at;
    const float total = Exponentials(dx, x, Largest(x, call.cols), call.cols);
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = scale * (dx[i] / total - y[i]);
  });
}

void SoftmaxCrossEntropyTrain(const Call &call, int64_t begin, int64_t end) {
  const float scale = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[1] + at;
    Read x = call.tensors[2] + at, y = call.tensors[3] + at;
    const float top = Largest(x, call.cols), total = Exponentials(dx, x, top, call.cols);
    call.tensors[0][r] = CrossEntropy(x, y, top, total, call.cols);
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = scale * (dx[i] / total - y[i]);
  });
}

void SparseSoftmaxCrossEntropy(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read x = call.tensors[1] + at;
    const float top = Largest(x, call.cols), total = SumOfExponentials(x, top, call.cols);
    call.tensors[0][r] = std::log(total) - (x[static_cast<int64_t>(call.tensors[2][r])] - top);
  });
}

/// dx = scale softmax(x), which `total` belongs to, less scale at the class.
void SparseGrad(Written dx, float total, float scale, float label, int64_t cols) {
  for (int64_t i = 0; i < cols; ++i) dx[i] = scale * (dx[i] / total);
  dx[static_cast<int64_t>(label)] -= scale;
}

void SparseSoftmaxCrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  const float scale = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read x = call.tensors[1] + at;
    const float total = Exponentials(dx, x, Largest(x, call.cols), call.cols);
    SparseGrad(dx, total, scale, call.tensors[2][r], call.cols);
  });
}

void SparseSoftmaxCrossEntropyTrain(const Call &call, int64_t begin, int64_t end) {
  const float scale = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[1] + at;
    Read x = call.tensors[2] + at;
    const float label = call.tensors[3][r];
    const float top = Largest(x, call.cols), total = Exponentials(dx, x, top, call.cols);
    call.tensors[0][r] = std::log(total) - (x[static_cast<int64_t>(label)] - top);
    SparseGrad(dx, total, scale, label, call.cols);
  });
}

void CountTopOne(const Call &call, int64_t begin, int64_t end) {
  int64_t hits = 0;
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read x = call.tensors[1] + at;
    const float top = Largest(x, call.cols);
    int64_t first = 0;
    while (x[first] != top) ++first;
    hits += static_cast<float>(first) == call.tensors[2][r];
  });
  call.tensors[0][0] += static_cast<float>(hits);
}

void RotaryEmbedding(const Call &call, int64_t begin, int64_t end) {
  const int64_t half = call.cols / 2;
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written out = call.tensors[0] + at;
    Read in = call.tensors[1] + at, cosine = call.tensors[2] + at, sine = call.tensors[3] + at;
    for (int64_t i = 0; i < half; ++i) {
      out[i] = in[i] * cosine[i] - in[half + i] * sine[i];
      out[half + i] = in[half + i] * cosine[half + i] + in[i] * sine[half + i];
    }
  });
}

void RotaryEmbeddingGrad(const Call &call, int64_t begin, int64_t end) {
  const int64_t half = call.cols / 2;
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, cosine = call.tensors[2] + at, sine = call.tensors[3] + at;
    for (int64_t i = 0; i < half; ++i) {
      dx[i] = dy[i] * cosine[i] + dy[half + i] * sine[half + i];
      dx[half + i] = dy[half + i] * cosine[half + i] - dy[i] * sine[i];
    }
  });
}

void BoxIou(const Call &call, int64_t begin, int64_t end) {
  Read left2 = call.tensors[5], top2 = call.tensors[6];
  Read right2 = call.tensors[7], bottom2 = call.tensors[8];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written out = call.tensors[0] + at;
    const float left = call.tensors[1][r], top = call.tensors[2][r];
    const float right = call.tensors[3][r], bottom = call.tensors[4][r];
    const float area = (right - left) * (bottom - top);
    for (int64_t i = 0; i < call.cols; ++i) {
      const float width = Min(right, right2[i]) - Max(left, left2[i]);
      const float height = Min(bottom, bottom2[i]) - Max(top, top2[i]);
      const float both = Max(width, 0.0f) * Max(height, 0.0f);
      const float either = area + (right2[i] - left2[i]) * (bottom2[i] - top2[i]) - both;
      out[i] = either > 0.0f ? both / either : 0.0f;
    }
  });
}

}  // namespace

std::vector<Contender> HandRowLosses() {
  return {{"SoftmaxCrossEntropy", SoftmaxCrossEntropy},
          {"SoftmaxCrossEntropyGrad", SoftmaxCrossEntropyGrad},
          {"SoftmaxCrossEntropyTrain", SoftmaxCrossEntropyTrain},
          {"SparseSoftmaxCrossEntropy", SparseSoftmaxCrossEntropy},
          {"SparseSoftmaxCrossEntropyGrad", SparseSoftmaxCrossEntropyGrad},
          {"SparseSoftmaxCrossEntropyTrain", SparseSoftmaxCrossEntropyTrain},
          {"CountTopOne", CountTopOne, true},
          {"RotaryEmbedding", RotaryEmbedding},
          {"RotaryEmbeddingGrad", RotaryEmbeddingGrad},
          {"BoxIou", BoxIou}};
}

}  // namespace mshadow_bench
