// SPDX-License-Identifier: Apache-2.0
// Gated layers, groups, images and sciences, each as the loop that one writes by hand.
#include "hand.h"

namespace mshadow_bench {
namespace {

float Sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

void SwiGlu(const Call &call, int64_t begin, int64_t end) {
  Written out = call.tensors[0];
  Read gate = call.tensors[1], up = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = gate[i] * Sigmoid(gate[i]) * up[i];
}

void SwiGluGrad(const Call &call, int64_t begin, int64_t end) {
  Written gate_grad = call.tensors[0], up_grad = call.tensors[1];
  Read dy = call.tensors[2], gate = call.tensors[3], up = call.tensors[4];
  for (int64_t i = begin; i < end; ++i) {
    const float s = Sigmoid(gate[i]);
    gate_grad[i] = dy[i] * up[i] * (s * (1.0f + gate[i] * (1.0f - s)));
    up_grad[i] = dy[i] * gate[i] * s;
  }
}

void GeGlu(const Call &call, int64_t begin, int64_t end) {
  Written out = call.tensors[0];
  Read gate = call.tensors[1], up = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = Gelu(gate[i]) * up[i];
}

void GeGluGrad(const Call &call, int64_t begin, int64_t end) {
  Written gate_grad = call.tensors[0], up_grad = call.tensors[1];
  Read dy = call.tensors[2], gate = call.tensors[3], up = call.tensors[4];
  for (int64_t i = begin; i < end; ++i) {
    gate_grad[i] = GeluGrad(dy[i] * up[i], gate[i]);
    up_grad[i] = dy[i] * Gelu(gate[i]);
  }
}

void LayerScale(const Call &call, int64_t begin, int64_t end) {
  Read gain = call.tensors[3];
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written out = call.tensors[0] + at;
    Read residual = call.tensors[1] + at, in = call.tensors[2] + at;
    for (int64_t i = 0; i < call.cols; ++i) out[i] = residual[i] + in[i] * gain[i];
  });
}

void LayerScaleGrad(const Call &call, int64_t begin, int64_t end) {
  Written gain_grad = call.tensors[1];
  Read gain = call.tensors[4];
  for (int64_t i = 0; i < call.cols; ++i) gain_grad[i] = 0.0f;
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written in_grad = call.tensors[0] + at;
    Read dy = call.tensors[2] + at, in = call.tensors[3] + at;
    for (int64_t i = 0; i < call.cols; ++i) {
      gain_grad[i] += dy[i] * in[i];
      in_grad[i] = dy[i] * gain[i];
    }
  });
}

/// Pairs turned by their angles, with this sign.
void Turn(const Call &call, int64_t begin, int64_t end, float sign) {
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written out = call.tensors[0] + at;
    Read in = call.tensors[1] + at, cosine = call.tensors[2] + at, sine = call.tensors[3] + at;
    for (int64_t i = 0; i + 1 < call.cols; i += 2) {
      out[i] = in[i] * cosine[i] - sign * (in[i + 1] * sine[i]);
      out[i + 1] = in[i + 1] * cosine[i + 1] + sign * (in[i] * sine[i + 1]);
    }
  });
}
void RotaryEmbeddingInterleaved(const Call &call, int64_t begin, int64_t end) {
  Turn(call, begin, end, 1.0f);
}
void RotaryEmbeddingInterleavedGrad(const Call &call, int64_t begin, int64_t end) {
  Turn(call, begin, end, -1.0f);
}

/// With one group, whose channels are the columns.
void GroupNorm(const Call &call, int64_t begin, int64_t end) {
  const float eps = static_cast<float>(call.scalars[1]);
  Read gain = call.tensors[4], bias = call.tensors[5];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written out = call.tensors[0] + at;
    Read in = call.tensors[3] + at;
    const float inv_count = 1.0f / static_cast<float>(call.cols);
    const float mean = inv_count * Sum(call.cols, [&](int64_t i) { return in[i]; });
    const float inv_std =
        1.0f /
        std::sqrt(inv_count * Sum(call.cols, [&](int64_t i) { return Square(in[i] - mean); }) +
                  eps);
    call.tensors[1][r] = mean;
    call.tensors[2][r] = inv_std;
    for (int64_t i = 0; i < call.cols; ++i) out[i] = (in[i] - mean) * inv_std * gain[i] + bias[i];
  });
}

void GroupNormGrad(const Call &call, int64_t begin, int64_t end) {
  Read gain = call.tensors[5];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written in_grad = call.tensors[0] + at;
    Read dy = call.tensors[1] + at, in = call.tensors[2] + at;
    const float mean = call.tensors[3][r], inv_std = call.tensors[4][r];
    const float inv_count = 1.0f / static_cast<float>(call.cols);
    const float g_mean = inv_count * Sum(call.cols, [&](int64_t i) { return dy[i] * gain[i]; });
    const float gz_mean = inv_count * Sum(call.cols, [&](int64_t i) {
                            return dy[i] * gain[i] * ((in[i] - mean) * inv_std);
                          });
    for (int64_t i = 0; i < call.cols; ++i) {
      in_grad[i] = (dy[i] * gain[i] - g_mean - (in[i] - mean) * inv_std * gz_mean) * inv_std;
    }
  });
}

void Grayscale(const Call &call, int64_t begin, int64_t end) {
  Written out = call.tensors[0];
  Read red = call.tensors[1], green = call.tensors[2], blue = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    out[i] = 0.299f * red[i] + 0.587f * green[i] + 0.114f * blue[i];
  }
}

template <typename F>
void Elements(const Call &call, int64_t begin, int64_t end, const F &f) {
  Written out = call.tensors[0];
  Read in = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) out[i] = f(in[i]);
}

void AdjustGamma(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float gamma = s(), gain = s();
  Elements(call, begin, end,
           [=](float x) { return Min(Max(gain * std::pow(x, gamma), 0.0f), 1.0f); });
}

void SrgbToLinear(const Call &call, int64_t begin, int64_t end) {
  Elements(call, begin, end, [](float x) {
    return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
  });
}

void LinearToSrgb(const Call &call, int64_t begin, int64_t end) {
  Elements(call, begin, end, [](float x) {
    return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1.0f / 2.4f) - 0.055f;
  });
}

void AlphaBlend(const Call &call, int64_t begin, int64_t end) {
  Written out = call.tensors[0];
  Read front = call.tensors[1], back = call.tensors[2], alpha = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    out[i] = alpha[i] * front[i] + (1.0f - alpha[i]) * back[i];
  }
}

/// Calls f(row above, row, row below) with what is outside the matrix as 0.
template <typename F>
void Neighbours(const Call &call, int64_t begin, int64_t end, const float *in, const F &f) {
  static thread_local std::vector<float> memory;
  const int64_t cols = call.cols, stride = cols + 2;
  memory.assign(static_cast<size_t>(3 * stride), 0.0f);
  float *const rows = memory.data();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    for (int64_t k = 0; k < 3; ++k) {
      const bool inside = r + k >= 1 && r + k <= call.rows;
      for (int64_t i = 0; i < cols; ++i) {
        rows[k * stride + 1 + i] = inside ? in[at + (k - 1) * cols + i] : 0.0f;
      }
    }
    f(at, rows + 1, rows + stride + 1, rows + 2 * stride + 1);
  });
}

void Sobel(const Call &call, int64_t begin, int64_t end) {
  Neighbours(call, begin, end, call.tensors[1], [&](int64_t at, Read a, Read b, Read c) {
    Written out = call.tensors[0] + at;
    for (int64_t i = 0; i < call.cols; ++i) {
      const float gx = a[i + 1] - a[i - 1] + 2.0f * (b[i + 1] - b[i - 1]) + c[i + 1] - c[i - 1];
      const float gy = c[i - 1] - a[i - 1] + 2.0f * (c[i] - a[i]) + c[i + 1] - a[i + 1];
      out[i] = std::sqrt(gx * gx + gy * gy);
    }
  });
}

void HeatStep(const Call &call, int64_t begin, int64_t end) {
  const float ratio = Scalars(call)();
  Neighbours(call, begin, end, call.tensors[1], [&](int64_t at, Read a, Read b, Read c) {
    Written next = call.tensors[0] + at;
    for (int64_t i = 0; i < call.cols; ++i) {
      next[i] = b[i] + ratio * (a[i] + c[i] + b[i - 1] + b[i + 1] - 4.0f * b[i]);
    }
  });
}

void WaveStep(const Call &call, int64_t begin, int64_t end) {
  const float ratio = Scalars(call)();
  Neighbours(call, begin, end, call.tensors[1], [&](int64_t at, Read a, Read b, Read c) {
    Written next = call.tensors[0] + at;
    for (int64_t i = 0; i < call.cols; ++i) {
      next[i] = 2.0f * b[i] - next[i] + ratio * (a[i] + c[i] + b[i - 1] + b[i + 1] - 4.0f * b[i]);
    }
  });
}

void LennardJones(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float epsilon = s(), sigma = s(), cutoff = s();
  Written energy = call.tensors[0], push = call.tensors[1];
  Read square = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float inverse = 1.0f / square[i], t = sigma * sigma * inverse, six = t * t * t;
    const bool counts = square[i] <= cutoff * cutoff;
    push[i] = counts ? 24.0f * epsilon * (2.0f * six * six - six) * inverse : 0.0f;
    energy[i] = counts ? 4.0f * epsilon * (six * six - six) : 0.0f;
  }
}

void LeapfrogStep(const Call &call, int64_t begin, int64_t end) {
  const float step = Scalars(call)();
  Written position = call.tensors[0], velocity = call.tensors[1];
  Read acceleration = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    velocity[i] += step * acceleration[i];
    position[i] += step * velocity[i];
  }
}

void BlackScholes(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float rate = s(), volatility = s(), drift = rate + 0.5f * volatility * volatility;
  Written buy = call.tensors[0], sell = call.tensors[1];
  Read spot = call.tensors[2], strike = call.tensors[3], years = call.tensors[4];
  const auto phi = [](float x) { return 0.5f * std::erfc(-kRootHalf * x); };
  for (int64_t i = begin; i < end; ++i) {
    const float deviation = volatility * std::sqrt(years[i]);
    const float d1 = (std::log(spot[i] / strike[i]) + drift * years[i]) / deviation;
    const float d2 = d1 - deviation, present = strike[i] * std::exp(-rate * years[i]);
    buy[i] = spot[i] * phi(d1) - present * phi(d2);
    sell[i] = present * phi(-d2) - spot[i] * phi(-d1);
  }
}

void KalmanUpdate(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float process = s(), noise = s();
  Written mean = call.tensors[0], variance = call.tensors[1];
  Read measured = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float before = variance[i] + process, gain = before / (before + noise);
    mean[i] += gain * (measured[i] - mean[i]);
    variance[i] = (1.0f - gain) * before;
  }
}

void BoxMuller(const Call &call, int64_t begin, int64_t end) {
  Written first = call.tensors[0], second = call.tensors[1];
  Read u = call.tensors[2], v = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float radius = std::sqrt(-2.0f * std::log(u[i])), angle = 6.2831853f * v[i];
    first[i] = radius * std::cos(angle);
    second[i] = radius * std::sin(angle);
  }
}

void NmsOverlaps(const Call &call, int64_t begin, int64_t end) {
  const float threshold = Scalars(call)();
  Read left2 = call.tensors[6], top2 = call.tensors[7], right2 = call.tensors[8];
  Read bottom2 = call.tensors[9], score2 = call.tensors[10];
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written out = call.tensors[0] + at;
    const float left = call.tensors[1][r], top = call.tensors[2][r];
    const float right = call.tensors[3][r], bottom = call.tensors[4][r];
    const float score = call.tensors[5][r], area = (right - left) * (bottom - top);
    for (int64_t i = 0; i < call.cols; ++i) {
      const float width = Min(right, right2[i]) - Max(left, left2[i]);
      const float height = Min(bottom, bottom2[i]) - Max(top, top2[i]);
      const float both = Max(width, 0.0f) * Max(height, 0.0f);
      const float either = area + (right2[i] - left2[i]) * (bottom2[i] - top2[i]) - both;
      const float overlap = either > 0.0f ? both / either : 0.0f;
      out[i] = overlap > threshold && score2[i] > score ? 1.0f : 0.0f;
    }
  });
}

}  // namespace

std::vector<Contender> HandCatalogue() {
  return {{"SwiGlu", SwiGlu},
          {"SwiGluGrad", SwiGluGrad},
          {"GeGlu", GeGlu},
          {"GeGluGrad", GeGluGrad},
          {"LayerScale", LayerScale},
          {"LayerScaleGrad", LayerScaleGrad, true},
          {"RotaryEmbeddingInterleaved", RotaryEmbeddingInterleaved},
          {"RotaryEmbeddingInterleavedGrad", RotaryEmbeddingInterleavedGrad},
          {"GroupNorm", GroupNorm},
          {"GroupNormGrad", GroupNormGrad},
          {"Grayscale", Grayscale},
          {"AdjustGamma", AdjustGamma},
          {"SrgbToLinear", SrgbToLinear},
          {"LinearToSrgb", LinearToSrgb},
          {"AlphaBlend", AlphaBlend},
          {"Sobel", Sobel},
          {"HeatStep", HeatStep},
          {"WaveStep", WaveStep},
          {"LennardJones", LennardJones},
          {"LeapfrogStep", LeapfrogStep},
          {"BlackScholes", BlackScholes},
          {"KalmanUpdate", KalmanUpdate},
          {"BoxMuller", BoxMuller},
          {"NmsOverlaps", NmsOverlaps}};
}

}  // namespace mshadow_bench
