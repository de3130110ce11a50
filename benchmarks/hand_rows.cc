// SPDX-License-Identifier: Apache-2.0
// Rules that reduce rows as a careful person writes them by hand: sums in parts that vectorise, a
// row at a time. Exponentials are the C library's.
#include "hand.h"

namespace mshadow_bench {
namespace {

constexpr int kParts = 32;  // sums that a compiler may keep side by side

/// The sum of f(i) over a row.
template <typename F>
float Sum(int64_t cols, const F &f) {
  float parts[kParts] = {};
  int64_t i = 0;
  for (; i + kParts <= cols; i += kParts) {
    for (int k = 0; k < kParts; ++k) parts[k] += f(i + k);
  }
  float sum = 0.0f;
  for (; i < cols; ++i) sum += f(i);
  for (float part : parts) sum += part;
  return sum;
}

float Largest(Read x, int64_t cols) {
  float parts[kParts];
  for (float &part : parts) part = x[0];
  int64_t i = 0;
  for (; i + kParts <= cols; i += kParts) {
    for (int k = 0; k < kParts; ++k) parts[k] = Max(parts[k], x[i + k]);
  }
  float top = x[0];
  for (; i < cols; ++i) top = Max(top, x[i]);
  for (float part : parts) top = Max(top, part);
  return top;
}

/// Calls f(y, offset of the row) for each row that begins in [begin, end).
template <typename F>
void ForEachRow(const Call &call, int64_t begin, int64_t end, const F &f) {
  const int64_t last = (end + call.cols - 1) / call.cols;
  for (int64_t y = (begin + call.cols - 1) / call.cols; y < last; ++y) f(y, y * call.cols);
}

void Softmax(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written y = call.tensors[0] + at;
    Read x = call.tensors[1] + at;
    const float top = Largest(x, call.cols);
    for (int64_t i = 0; i < call.cols; ++i) y[i] = std::exp(x[i] - top);
    const float total = Sum(call.cols, [&](int64_t i) { return y[i]; });
    for (int64_t i = 0; i < call.cols; ++i) y[i] /= total;
  });
}

void SoftmaxGrad(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, y = call.tensors[2] + at;
    const float inner = Sum(call.cols, [&](int64_t i) { return dy[i] * y[i]; });
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = y[i] * (dy[i] - inner);
  });
}

void LayerNorm(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  const float inv_count = 1.0f / static_cast<float>(call.cols);
  Read gain = call.tensors[4], bias = call.tensors[5];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written y = call.tensors[0] + at;
    Read x = call.tensors[3] + at;
    const float mean = inv_count * Sum(call.cols, [&](int64_t i) { return x[i]; });
    const float variance =
        inv_count * Sum(call.cols, [&](int64_t i) { return Square(x[i] - mean); });
    const float inv_std = 1.0f / std::sqrt(variance + eps);
    for (int64_t i = 0; i < call.cols; ++i) y[i] = (x[i] - mean) * inv_std * gain[i] + bias[i];
    call.tensors[1][r] = mean;
    call.tensors[2][r] = inv_std;
  });
}

void RmsNorm(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  const float inv_count = 1.0f / static_cast<float>(call.cols);
  Read gain = call.tensors[3];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written y = call.tensors[0] + at;
    Read x = call.tensors[2] + at;
    const float squares = Sum(call.cols, [&](int64_t i) { return Square(x[i]); });
    const float inv_rms = 1.0f / std::sqrt(inv_count * squares + eps);
    for (int64_t i = 0; i < call.cols; ++i) y[i] = x[i] * inv_rms * gain[i];
    call.tensors[1][r] = inv_rms;
  });
}

}  // namespace

std::vector<Contender> HandRows() {
  return {{"Softmax", Softmax},
          {"SoftmaxGrad", SoftmaxGrad},
          {"LayerNorm", LayerNorm},
          {"RmsNorm", RmsNorm}};
}

}  // namespace mshadow_bench
