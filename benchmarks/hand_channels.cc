// SPDX-License-Identifier: Apache-2.0
// Rules of images' channels as a careful person writes them by hand: a channel at a time, which is
// a plane of each image, so that it stays in cache from one sweep to the next; what goes over
// memory once does so in its order.
#include "hand.h"

namespace mshadow_bench {
namespace {

/// Calls f(offset) for each plane of a channel.
template <typename F>
void ForEachPlane(const Call &call, int64_t channel, int64_t end, const F &f) {
  for (int64_t at = channel * call.plane; at < end; at += call.channels * call.plane) f(at);
}

/// The sum of f(i) over a channel, i being the element's offset.
template <typename F>
float SumChannel(const Call &call, int64_t channel, int64_t end, const F &f) {
  float sum = 0.0f;
  ForEachPlane(call, channel, end,
               [&](int64_t at) { sum += Sum(call.plane, [&](int64_t i) { return f(at + i); }); });
  return sum;
}

/// Calls f(channel, offset) for each plane of all images, in the order of memory.
template <typename F>
void InOrder(const Call &call, int64_t end, const F &f) {
  int64_t channel = 0;
  for (int64_t at = 0; at < end; at += call.plane) {
    f(channel, at);
    if (++channel == call.channels) channel = 0;
  }
}

void BatchNorm2d(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float momentum = s(), eps = s();
  const float count = static_cast<float>(end / call.channels), inv_count = 1.0f / count;
  const float unbiased = count > 1.0f ? count / (count - 1.0f) : 1.0f;
  Read in = call.tensors[5];
  for (int64_t c = 0; c < call.channels; ++c) {
    const float mean = inv_count * SumChannel(call, c, end, [&](int64_t i) { return in[i]; });
    const float variance =
        inv_count * SumChannel(call, c, end, [&](int64_t i) { return Square(in[i] - mean); });
    const float inv_std = 1.0f / std::sqrt(variance + eps);
    call.tensors[1][c] = mean;
    call.tensors[2][c] = inv_std;
    call.tensors[3][c] += momentum * (mean - call.tensors[3][c]);
    call.tensors[4][c] += momentum * (unbiased * variance - call.tensors[4][c]);
    const float gain = call.tensors[6][c], bias = call.tensors[7][c];
    ForEachPlane(call, c, end, [&](int64_t at) {
      Written to = call.tensors[0] + at;
      Read from = in + at;
      for (int64_t i = 0; i < call.plane; ++i) to[i] = (from[i] - mean) * inv_std * gain + bias;
    });
  }
}

void BatchNorm2dGrad(const Call &call, int64_t, int64_t end) {
  const float inv_count = 1.0f / static_cast<float>(end / call.channels);
  Read dy = call.tensors[3], in = call.tensors[4];
  for (int64_t c = 0; c < call.channels; ++c) {
    const float mean = call.tensors[5][c], inv_std = call.tensors[6][c];
    const float factor = call.tensors[7][c] * inv_std;
    float sum = 0.0f, inner = 0.0f;
    ForEachPlane(call, c, end, [&](int64_t at) {  // the plane is in the first cache the second time
      sum += Sum(call.plane, [&](int64_t i) { return dy[at + i]; });
      inner +=
          Sum(call.plane, [&](int64_t i) { return dy[at + i] * ((in[at + i] - mean) * inv_std); });
    });
    call.tensors[1][c] = inner;
    call.tensors[2][c] = sum;
    const float mean_g = inv_count * sum, mean_gz = inv_count * inner;
    ForEachPlane(call, c, end, [&](int64_t at) {
      Written to = call.tensors[0] + at;
      Read g = dy + at, from = in + at;
      for (int64_t i = 0; i < call.plane; ++i) {
        to[i] = (g[i] - mean_g - (from[i] - mean) * inv_std * mean_gz) * factor;
      }
    });
  }
}

void BatchNorm2dInference(const Call &call, int64_t, int64_t end) {
  const float eps = static_cast<float>(call.scalars[0]);
  InOrder(call, end, [&](int64_t c, int64_t at) {
    const float mean = call.tensors[2][c], bias = call.tensors[5][c];
    const float factor = call.tensors[4][c] / std::sqrt(call.tensors[3][c] + eps);
    Written to = call.tensors[0] + at;
    Read from = call.tensors[1] + at;
    for (int64_t i = 0; i < call.plane; ++i) to[i] = (from[i] - mean) * factor + bias;
  });
}

template <float (*f)(float)>
void Bias2d(const Call &call, int64_t, int64_t end) {
  InOrder(call, end, [&](int64_t c, int64_t at) {
    const float bias = call.tensors[2][c];
    Written to = call.tensors[0] + at;
    Read from = call.tensors[1] + at;
    for (int64_t i = 0; i < call.plane; ++i) to[i] = f(from[i] + bias);
  });
}

void BiasReluGrad2d(const Call &call, int64_t, int64_t end) {
  float *const bias_grad = call.tensors[1];
  for (int64_t c = 0; c < call.channels; ++c) bias_grad[c] = 0.0f;
  InOrder(call, end, [&](int64_t c, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read dy = call.tensors[2] + at, y = call.tensors[3] + at;
    bias_grad[c] += Sum(call.plane, [&](int64_t i) {
      dx[i] = y[i] > 0.0f ? dy[i] : 0.0f;
      return dx[i];
    });
  });
}

/// The channels of a window of \p n around channel \p c.
template <typename F>
void ForEachNear(const Call &call, int64_t c, int64_t n, const F &f) {
  const int64_t first = c < n / 2 ? 0 : c - n / 2;
  for (int64_t near = first; near <= c + n / 2 && near < call.channels; ++near) f(near);
}

void LocalResponse(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float n = s(), share = s() / n, beta = s(), k = s();
  for (int64_t image = 0; image < end; image += call.channels * call.plane) {
    for (int64_t c = 0; c < call.channels; ++c) {
      const int64_t at = image + c * call.plane;
      Written to = call.tensors[0] + at, scale = call.tensors[1] + at;
      Read in = call.tensors[2] + at;
      for (int64_t i = 0; i < call.plane; ++i) scale[i] = k;
      ForEachNear(call, c, static_cast<int64_t>(n), [&](int64_t near) {
        Read from = call.tensors[2] + image + near * call.plane;
        for (int64_t i = 0; i < call.plane; ++i) scale[i] += share * Square(from[i]);
      });
      for (int64_t i = 0; i < call.plane; ++i) to[i] = in[i] * std::pow(scale[i], -beta);
    }
  }
}

void LocalResponseGrad(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float n = s(), alpha = s(), beta = s(), share = -2.0f * alpha * beta / n;
  Read dy = call.tensors[1], in = call.tensors[2], scale = call.tensors[3];
  float *const powers = Scratch(call.channels * call.plane);  // of one image
  for (int64_t image = 0; image < end; image += call.channels * call.plane) {
    for (int64_t i = 0; i < call.channels * call.plane; ++i) {
      powers[i] = std::pow(scale[image + i], -beta);
    }
    for (int64_t c = 0; c < call.channels; ++c) {
      const int64_t at = image + c * call.plane;
      Written to = call.tensors[0] + at;
      for (int64_t i = 0; i < call.plane; ++i) to[i] = 0.0f;
      ForEachNear(call, c, static_cast<int64_t>(n), [&](int64_t near) {
        Read power = powers + near * call.plane;
        const int64_t from = image + near * call.plane;
        for (int64_t i = 0; i < call.plane; ++i) {
          to[i] += dy[from + i] * in[from + i] * power[i] / scale[from + i];
        }
      });
      Read power = powers + c * call.plane;
      for (int64_t i = 0; i < call.plane; ++i) {
        to[i] = dy[at + i] * power[i] + share * in[at + i] * to[i];
      }
    }
  }
}

}  // namespace

std::vector<Contender> HandChannels() {
  return {{"LocalResponse", LocalResponse, true},
          {"LocalResponseGrad", LocalResponseGrad, true},
          {"BatchNorm2d", BatchNorm2d, true},
          {"BatchNorm2dGrad", BatchNorm2dGrad, true},
          {"BatchNorm2dInference", BatchNorm2dInference, true},
          {"BiasAdd2d", Bias2d<Identity>, true},
          {"BiasRelu2d", Bias2d<Relu>, true},
          {"BiasReluGrad2d", BiasReluGrad2d, true}};
}

}  // namespace mshadow_bench
