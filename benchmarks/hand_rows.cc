// SPDX-License-Identifier: Apache-2.0
// Rules that reduce rows as a careful person writes them by hand: sums in parts that vectorise, a
// row at a time. Exponentials are the C library's.
#include "hand.h"

namespace mshadow_bench {
namespace {

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

void LogSoftmax(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written y = call.tensors[0] + at;
    Read x = call.tensors[1] + at;
    const float top = Largest(x, call.cols);
    const float total = std::log(Sum(call.cols, [&](int64_t i) { return std::exp(x[i] - top); }));
    for (int64_t i = 0; i < call.cols; ++i) y[i] = x[i] - top - total;
  });
}

void LogSoftmaxGrad(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, y = call.tensors[2] + at;
    const float total = Sum(call.cols, [&](int64_t i) { return dy[i]; });
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = dy[i] - std::exp(y[i]) * total;
  });
}

void LogSumExp(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read x = call.tensors[1] + at;
    const float top = Largest(x, call.cols);
    const float total = Sum(call.cols, [&](int64_t i) { return std::exp(x[i] - top); });
    call.tensors[0][r] = top + std::log(total);
  });
}

void LayerNormGrad(const Call &call, int64_t begin, int64_t end) {
  const float inv_count = 1.0f / static_cast<float>(call.cols);
  Read gain = call.tensors[5];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, x = call.tensors[2] + at;
    const float mean = call.tensors[3][r], inv_std = call.tensors[4][r];
    const auto g = [&](int64_t i) { return dy[i] * gain[i]; };
    const auto z = [&](int64_t i) { return (x[i] - mean) * inv_std; };
    const float mean_g = inv_count * Sum(call.cols, g);
    const float mean_gz = inv_count * Sum(call.cols, [&](int64_t i) { return g(i) * z(i); });
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = (g(i) - mean_g - z(i) * mean_gz) * inv_std;
  });
}

void RmsNormGrad(const Call &call, int64_t begin, int64_t end) {
  const float inv_count = 1.0f / static_cast<float>(call.cols);
  Read gain = call.tensors[4];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, x = call.tensors[2] + at;
    const float inv_rms = call.tensors[3][r];
    const auto g = [&](int64_t i) { return dy[i] * gain[i]; };
    const auto z = [&](int64_t i) { return x[i] * inv_rms; };
    const float mean_gz = inv_count * Sum(call.cols, [&](int64_t i) { return g(i) * z(i); });
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = (g(i) - z(i) * mean_gz) * inv_rms;
  });
}

void L2Normalize(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written y = call.tensors[0] + at;
    Read x = call.tensors[1] + at;
    const float length = std::sqrt(Sum(call.cols, [&](int64_t i) { return Square(x[i]); }) + eps);
    for (int64_t i = 0; i < call.cols; ++i) y[i] = x[i] / length;
  });
}

void L2NormalizeGrad(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, x = call.tensors[2] + at;
    const float squares = Sum(call.cols, [&](int64_t i) { return Square(x[i]); });
    const float inv_norm = 1.0f / std::sqrt(squares + eps);
    const float inner =
        Sum(call.cols, [&](int64_t i) { return dy[i] * x[i]; }) * inv_norm * inv_norm;
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = (dy[i] - x[i] * inner) * inv_norm;
  });
}

void InstanceNorm(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  const float inv_count = 1.0f / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written y = call.tensors[0] + at;
    Read x = call.tensors[3] + at;
    const float gain = call.tensors[4][r], bias = call.tensors[5][r];
    const float mean = inv_count * Sum(call.cols, [&](int64_t i) { return x[i]; });
    const float variance =
        inv_count * Sum(call.cols, [&](int64_t i) { return Square(x[i] - mean); });
    const float inv_std = 1.0f / std::sqrt(variance + eps);
    for (int64_t i = 0; i < call.cols; ++i) y[i] = (x[i] - mean) * inv_std * gain + bias;
    call.tensors[1][r] = mean;
    call.tensors[2][r] = inv_std;
  });
}

void InstanceNormGrad(const Call &call, int64_t begin, int64_t end) {
  const float inv_count = 1.0f / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[3] + at, x = call.tensors[4] + at;
    const float mean = call.tensors[5][r], inv_std = call.tensors[6][r];
    const float factor = call.tensors[7][r] * inv_std;
    const auto z = [&](int64_t i) { return (x[i] - mean) * inv_std; };
    const float sum = Sum(call.cols, [&](int64_t i) { return dy[i]; });
    const float inner = Sum(call.cols, [&](int64_t i) { return dy[i] * z(i); });
    const float mean_g = sum * inv_count, mean_gz = inner * inv_count;
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = (dy[i] - mean_g - z(i) * mean_gz) * factor;
    call.tensors[1][r] = inner;
    call.tensors[2][r] = sum;
  });
}

void AdafactorRows(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float beta2 = s(), eps = s(), share = (1.0f - beta2) / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read g = call.tensors[1] + at;
    const float squares = Sum(call.cols, [&](int64_t i) { return Square(g[i]) + eps; });
    call.tensors[0][r] = beta2 * call.tensors[0][r] + share * squares;
  });
}

}  // namespace

std::vector<Contender> HandRows() {
  return {{"Softmax", Softmax},
          {"SoftmaxGrad", SoftmaxGrad},
          {"LogSoftmax", LogSoftmax},
          {"LogSoftmaxGrad", LogSoftmaxGrad},
          {"LogSumExp", LogSumExp},
          {"LayerNorm", LayerNorm},
          {"LayerNormGrad", LayerNormGrad},
          {"RmsNorm", RmsNorm},
          {"RmsNormGrad", RmsNormGrad},
          {"L2Normalize", L2Normalize},
          {"L2NormalizeGrad", L2NormalizeGrad},
          {"InstanceNorm", InstanceNorm},
          {"InstanceNormGrad", InstanceNormGrad},
          {"AdafactorRows", AdafactorRows}};
}

}  // namespace mshadow_bench
