// SPDX-License-Identifier: Apache-2.0
// Rules that reduce rows as a user of Eigen writes them: row by row, so that a row stays in cache.
#include "eigen.h"

namespace mshadow_bench {
namespace {

/// Calls f for each row that begins in [begin, end), with a function that gives a tensor's row.
template <typename F>
void ForEachRow(const Call &call, int64_t begin, int64_t end, const F &f) {
  const int64_t first = (begin + call.cols - 1) / call.cols;
  const int64_t last = (end + call.cols - 1) / call.cols;
  for (int64_t y = first; y < last; ++y) {
    f(y, [&](int tensor) { return Array(call.tensors[tensor] + y * call.cols, call.cols); });
  }
}

void Softmax(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [](int64_t, auto row) {
    Array y = row(0), x = row(1);
    y = (x - x.maxCoeff()).exp();
    y /= y.sum();
  });
}

void SoftmaxGrad(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [](int64_t, auto row) {
    Array dx = row(0), dy = row(1), y = row(2);
    const float inner = (dy * y).sum();
    dx = y * (dy - inner);
  });
}

void LogSoftmax(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [](int64_t, auto row) {
    Array y = row(0), x = row(1);
    const float top = x.maxCoeff();
    y = x - (top + std::log((x - top).exp().sum()));
  });
}

void SoftmaxCrossEntropyTrain(const Call &call, int64_t begin, int64_t end) {
  const float scale = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t r, auto row) {
    Array dx = row(1), x = row(2), y = row(3);
    const float top = x.maxCoeff();
    const float inner = (y * (x - top)).sum();
    dx = (x - top).exp();
    const float total = dx.sum();
    call.tensors[0][r] = std::log(total) * y.sum() - inner;
    dx = scale * (dx / total - y);
  });
}

void LayerNorm(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  const Array gain(call.tensors[4], call.cols), bias(call.tensors[5], call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, auto row) {
    Array y = row(0), x = row(3);
    const float mean = x.mean();
    const float inv_std = 1.0f / std::sqrt((x - mean).square().mean() + eps);
    y = (x - mean) * inv_std * gain + bias;
    call.tensors[1][r] = mean;
    call.tensors[2][r] = inv_std;
  });
}

void RmsNorm(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  const Array gain(call.tensors[3], call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, auto row) {
    Array y = row(0), x = row(2);
    const float inv_rms = 1.0f / std::sqrt(x.square().mean() + eps);
    y = x * inv_rms * gain;
    call.tensors[1][r] = inv_rms;
  });
}

void L2Normalize(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [eps](int64_t, auto row) {
    Array y = row(0), x = row(1);
    y = x / std::sqrt(x.square().sum() + eps);
  });
}

}  // namespace

std::vector<Contender> EigenRows() {
  return {{"Softmax", Softmax},        {"SoftmaxGrad", SoftmaxGrad},
          {"LogSoftmax", LogSoftmax},  {"SoftmaxCrossEntropyTrain", SoftmaxCrossEntropyTrain},
          {"LayerNorm", LayerNorm},    {"RmsNorm", RmsNorm},
          {"L2Normalize", L2Normalize}};
}

}  // namespace mshadow_bench
