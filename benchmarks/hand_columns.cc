// SPDX-License-Identifier: Apache-2.0
// Rules that reduce columns as a careful person writes them by hand: down the rows, with the sums
// of all columns in the first cache, four rows at a time so that these are read and written less.
#include <algorithm>

#include "hand.h"

namespace mshadow_bench {
namespace {

/// sum[x] = the sum of f(i, x) over rows, i being the element's offset.
template <typename F>
void SumColumns(int64_t rows, int64_t cols, Written sum, const F &f) {
  std::fill(sum, sum + cols, 0.0f);
  int64_t y = 0;
  for (; y + 4 <= rows; y += 4) {
    const int64_t at = y * cols;
#pragma GCC ivdep
    for (int64_t x = 0; x < cols; ++x) {
      sum[x] += (f(at + x, x) + f(at + cols + x, x)) +
                (f(at + 2 * cols + x, x) + f(at + 3 * cols + x, x));
    }
  }
  for (; y < rows; ++y) {
#pragma GCC ivdep
    for (int64_t x = 0; x < cols; ++x) sum[x] += f(y * cols + x, x);
  }
}

/// Two such sums in one pass: f(i, x) and g(i, x).
template <typename F, typename G>
void SumColumns(int64_t rows, int64_t cols, Written first, Written second, const F &f, const G &g) {
  std::fill(first, first + cols, 0.0f);
  std::fill(second, second + cols, 0.0f);
  int64_t y = 0;
  for (; y + 2 <= rows; y += 2) {
    const int64_t at = y * cols;
#pragma GCC ivdep
    for (int64_t x = 0; x < cols; ++x) {
      first[x] += f(at + x, x) + f(at + cols + x, x);
      second[x] += g(at + x, x) + g(at + cols + x, x);
    }
  }
  for (; y < rows; ++y) {
#pragma GCC ivdep
    for (int64_t x = 0; x < cols; ++x) {
      first[x] += f(y * cols + x, x);
      second[x] += g(y * cols + x, x);
    }
  }
}

/// Vectors of a call that are no arguments: the n-th of as many elements as a row has.
float *Scratch(int64_t cols, int n) {
  static thread_local std::vector<float> memory;
  if (memory.size() < static_cast<size_t>(4 * cols)) memory.resize(static_cast<size_t>(4 * cols));
  return memory.data() + n * cols;
}

void BatchNorm(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float momentum = s(), eps = s();
  const int64_t cols = call.cols, rows = end / cols;
  const float count = static_cast<float>(rows), inv_count = 1.0f / count;
  const float unbiased = count > 1.0f ? count / (count - 1.0f) : 1.0f;
  Written out = call.tensors[0], mean = call.tensors[1], inv_std = call.tensors[2];
  Written running_mean = call.tensors[3], running_var = call.tensors[4];
  Read in = call.tensors[5], gain = call.tensors[6], bias = call.tensors[7];
  SumColumns(rows, cols, mean, [&](int64_t i, int64_t) { return in[i]; });
  for (int64_t x = 0; x < cols; ++x) mean[x] *= inv_count;
  SumColumns(rows, cols, inv_std, [&](int64_t i, int64_t x) { return Square(in[i] - mean[x]); });
  for (int64_t x = 0; x < cols; ++x) {
    const float variance = inv_count * inv_std[x];
    running_mean[x] += momentum * (mean[x] - running_mean[x]);
    running_var[x] += momentum * (unbiased * variance - running_var[x]);
    inv_std[x] = 1.0f / std::sqrt(variance + eps);
  }
  for (int64_t y = 0; y < rows; ++y) {
    Written to = out + y * cols;
    Read from = in + y * cols;
    for (int64_t x = 0; x < cols; ++x) {
      to[x] = (from[x] - mean[x]) * inv_std[x] * gain[x] + bias[x];
    }
  }
}

void BatchNormGrad(const Call &call, int64_t, int64_t end) {
  const int64_t cols = call.cols, rows = end / cols;
  const float inv_count = 1.0f / static_cast<float>(rows);
  Written in_grad = call.tensors[0], gain_grad = call.tensors[1], bias_grad = call.tensors[2];
  Read out_grad = call.tensors[3], in = call.tensors[4];
  Read mean = call.tensors[5], inv_std = call.tensors[6], gain = call.tensors[7];
  const auto g = [&](int64_t i, int64_t) { return out_grad[i]; };
  const auto z = [&](int64_t i, int64_t x) { return (in[i] - mean[x]) * inv_std[x]; };
  SumColumns(rows, cols, bias_grad, gain_grad, g,
             [&](int64_t i, int64_t x) { return g(i, x) * z(i, x); });
  Written mean_g = Scratch(cols, 0), mean_gz = Scratch(cols, 1), factor = Scratch(cols, 2);
  for (int64_t x = 0; x < cols; ++x) {
    mean_g[x] = inv_count * bias_grad[x];
    mean_gz[x] = inv_count * gain_grad[x];
    factor[x] = gain[x] * inv_std[x];
  }
  for (int64_t y = 0; y < rows; ++y) {
    Written to = in_grad + y * cols;
    Read dy = out_grad + y * cols, from = in + y * cols;
    for (int64_t x = 0; x < cols; ++x) {
      to[x] = (dy[x] - mean_g[x] - (from[x] - mean[x]) * inv_std[x] * mean_gz[x]) * factor[x];
    }
  }
}

void BatchNormInference(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  const int64_t cols = call.cols;
  Read mean = call.tensors[2], variance = call.tensors[3];
  Read gain = call.tensors[4], bias = call.tensors[5];
  Written factor = Scratch(cols, 0);
  for (int64_t x = 0; x < cols; ++x) factor[x] = gain[x] / std::sqrt(variance[x] + eps);
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written to = call.tensors[0] + at;
    Read from = call.tensors[1] + at;
    for (int64_t x = 0; x < cols; ++x) to[x] = (from[x] - mean[x]) * factor[x] + bias[x];
  });
}

void LayerNormGradGain(const Call &call, int64_t, int64_t end) {
  const int64_t cols = call.cols, rows = end / cols;
  Written gain_grad = call.tensors[0], bias_grad = call.tensors[1];
  Read mean = call.tensors[4], inv_std = call.tensors[5];
  std::fill(gain_grad, gain_grad + cols, 0.0f);
  std::fill(bias_grad, bias_grad + cols, 0.0f);
  for (int64_t y = 0; y < rows; ++y) {
    Read dy = call.tensors[2] + y * cols, in = call.tensors[3] + y * cols;
    const float row_mean = mean[y], row_inv_std = inv_std[y];
    for (int64_t x = 0; x < cols; ++x) {
      gain_grad[x] += dy[x] * ((in[x] - row_mean) * row_inv_std);
      bias_grad[x] += dy[x];
    }
  }
}

void RmsNormGradGain(const Call &call, int64_t, int64_t end) {
  const int64_t cols = call.cols, rows = end / cols;
  Written gain_grad = call.tensors[0];
  std::fill(gain_grad, gain_grad + cols, 0.0f);
  for (int64_t y = 0; y < rows; ++y) {
    Read dy = call.tensors[1] + y * cols, in = call.tensors[2] + y * cols;
    const float inv_rms = call.tensors[3][y];
    for (int64_t x = 0; x < cols; ++x) gain_grad[x] += dy[x] * (in[x] * inv_rms);
  }
}

/// The gradients by the input of an activation and by its bias: f of the gradient and the output.
template <float (*f)(float, float)>
void BiasGrad(const Call &call, int64_t, int64_t end) {
  const int64_t cols = call.cols, rows = end / cols;
  Written bias_grad = call.tensors[1];
  std::fill(bias_grad, bias_grad + cols, 0.0f);
  for (int64_t y = 0; y < rows; ++y) {
    Written dx = call.tensors[0] + y * cols;
    Read dy = call.tensors[2] + y * cols, out = call.tensors[3] + y * cols;
    for (int64_t x = 0; x < cols; ++x) {
      dx[x] = f(dy[x], out[x]);
      bias_grad[x] += dx[x];
    }
  }
}
float ReluGrad(float dy, float y) { return y > 0.0f ? dy : 0.0f; }
float SigmoidGrad(float dy, float y) { return dy * (y * (1.0f - y)); }
float TanhGrad(float dy, float y) { return dy * (1.0f - y * y); }

void AdafactorColumns(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float beta2 = s(), eps = s();
  const int64_t cols = call.cols, rows = end / cols;
  const float share = (1.0f - beta2) / static_cast<float>(rows);
  Written column_mean = call.tensors[0], sum = Scratch(cols, 0);
  Read grad = call.tensors[1];
  SumColumns(rows, cols, sum, [&](int64_t i, int64_t) { return Square(grad[i]) + eps; });
  for (int64_t x = 0; x < cols; ++x) column_mean[x] = beta2 * column_mean[x] + share * sum[x];
}

}  // namespace

std::vector<Contender> HandColumns() {
  return {{"BatchNorm", BatchNorm, true},
          {"BatchNormGrad", BatchNormGrad, true},
          {"BatchNormInference", BatchNormInference},
          {"LayerNormGradGain", LayerNormGradGain, true},
          {"RmsNormGradGain", RmsNormGradGain, true},
          {"BiasReluGrad", BiasGrad<ReluGrad>, true},
          {"BiasSigmoidGrad", BiasGrad<SigmoidGrad>, true},
          {"BiasTanhGrad", BiasGrad<TanhGrad>, true},
          {"AdafactorColumns", AdafactorColumns, true}};
}

}  // namespace mshadow_bench
