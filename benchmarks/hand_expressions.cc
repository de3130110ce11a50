// SPDX-License-Identifier: Apache-2.0
// Loops by hand: memory in the order of its rows, what is the same along a row outside the loop.
#include <algorithm>
#include <cmath>

#include "expressions.h"

namespace mshadow_bench {
namespace {

constexpr int64_t kRows = Buffers::kRows, kSize = Buffers::kSize, kImage = Buffers::kImage;
constexpr int64_t kChannels = Buffers::kChannels, kHeight = Buffers::kHeight;
constexpr int64_t kRowBytes = 8 * kRows;

void Sgd(const Buffers &b) {
  InThreads(kSize, 12, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) b.y[i] -= 0.1f * (b.x[i] + 0.01f * b.z[i]);
  });
}

void Clip(const Buffers &b) {
  InThreads(kSize, 12, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float g = b.x[i], h = b.z[i];
      b.y[i] = (g > 0.5f    ? 0.5f
                : g < -0.5f ? -0.5f
                            : g) *
               (h > 0.1f    ? 0.1f
                : h < -0.1f ? -0.1f
                            : h);
    }
  });
}

void Exp(const Buffers &b) {
  InThreads(kSize, 32, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) b.y[i] = std::exp(b.x[i]);
  });
}

void SigmoidOfASum(const Buffers &b) {
  InThreads(kSize, 32, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) b.y[i] = 1.0f / (1.0f + std::exp(-b.x[i] - b.z[i]));
  });
}

void SumRows(const Buffers &b) {
  InThreads(kRows, kRowBytes, [&](int64_t begin, int64_t end) {
    std::fill(b.v + begin, b.v + end, 0.0f);
    for (int64_t y = 0; y < kRows; ++y) {
      for (int64_t x = begin; x < end; ++x) b.v[x] += b.x[y * kRows + x];
    }
  });
}

/// The sum of n neighbours, in 16 parts so that it can be vectorised.
float SumOf(const float *x, int64_t n) {
  float part[16] = {};
  for (int64_t i = 0; i < n; i += 16) {
    for (int l = 0; l < 16; ++l) part[l] += x[i + l];
  }
  for (int l = 1; l < 16; ++l) part[0] += part[l];
  return part[0];
}

void SumColumns(const Buffers &b) {
  InThreads(kRows, kRowBytes, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) b.v[y] = SumOf(b.x + y * kRows, kRows);
  });
}

void SumChannels(const Buffers &b) {
  InThreads(kChannels, 4 * kSize / kChannels, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      float sum = 0;
      for (int64_t n = 0; n < Buffers::kBatch; ++n)
        sum += SumOf(b.x + (n * kChannels + c) * kImage, kImage);
      b.v[c] = 0.5f * sum;
    }
  });
}

/// Images as (kBatch * kChannels, kHeight, kHeight): along the middle, and along the last
/// dimension.
void DivideMiddle(const Buffers &b) {
  InThreads(kSize / kHeight, 8 * kHeight, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float *const by = b.z + row / kHeight * kHeight;
      for (int64_t x = 0; x < kHeight; ++x) b.y[row * kHeight + x] = b.x[row * kHeight + x] / by[x];
    }
  });
}
void DivideLast(const Buffers &b) {
  InThreads(kSize / kHeight, 8 * kHeight, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float by = b.z[row];
      for (int64_t x = 0; x < kHeight; ++x) b.y[row * kHeight + x] = b.x[row * kHeight + x] / by;
    }
  });
}
void ReduceMiddle(const Buffers &b) {
  InThreads(kSize / kImage, 4 * kImage, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float sum[kHeight] = {};
      for (int64_t y = 0; y < kHeight; ++y) {
        for (int64_t x = 0; x < kHeight; ++x) sum[x] += b.x[(i * kHeight + y) * kHeight + x];
      }
      std::copy(sum, sum + kHeight, b.y + i * kHeight);
    }
  });
}
void ReduceLast(const Buffers &b) {
  InThreads(kSize / kHeight, 4 * kHeight, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) b.y[row] = SumOf(b.x + row * kHeight, kHeight);
  });
}

void Normalize(const Buffers &b) {
  InThreads(kRows, kRowBytes, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const float *const x = b.x + y * kRows;
      const float sum = SumOf(x, kRows);
      for (int64_t i = 0; i < kRows; ++i) b.y[y * kRows + i] = x[i] - sum;
    }
  });
}

void BatchNorm(const Buffers &b) {
  InThreads(kSize / kImage, 8 * kImage, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % kChannels;
      const float mean = b.v[c], slope = b.w[c], root = std::sqrt(b.v[c] + 1e-3f);
      for (int64_t k = i * kImage; k < (i + 1) * kImage; ++k) {
        b.y[k] = slope * (b.x[k] - mean) / root + mean;
      }
    }
  });
}

void TakeGrad(const Buffers &b) {
  std::fill(b.y, b.y + kSize / 2, 0.0f);
  for (int64_t i = 0; i < kRows; ++i) {
    float *const to = b.y + static_cast<int64_t>(b.index[i]) * kRows / 2;
    for (int64_t x = 0; x < kRows / 2; ++x) to[x] += b.x[i * kRows / 2 + x];
  }
}

void OneHot(const Buffers &b) {
  InThreads(kRows, kRowBytes / 2, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      std::fill(b.y + y * kRows, b.y + (y + 1) * kRows, 0.0f);
      b.y[y * kRows + static_cast<int64_t>(b.index[y])] = 1;
    }
  });
}

void ComplexProduct(const Buffers &b) {
  InThreads(kSize / 2, 24, [&](int64_t begin, int64_t end) {
    for (int64_t i = 2 * begin; i < 2 * end; i += 2) {
      const float re = b.x[i] * b.z[i] - b.x[i + 1] * b.z[i + 1];
      b.y[i + 1] = b.x[i] * b.z[i + 1] + b.z[i] * b.x[i + 1];
      b.y[i] = re;
    }
  });
}

/// Rows of images, those of all channels together.
void SwapAxes(const Buffers &b) {
  static_assert(kChannels == kHeight);
  InThreads(kSize / kHeight, 8 * kHeight, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t n = row / kImage, y = row / kHeight % kHeight, c = row % kChannels;
      const float *const from = b.x + ((n * kChannels + c) * kHeight + y) * kHeight;
      std::copy(from, from + kHeight, b.y + row * kHeight);
    }
  });
}

}  // namespace

std::vector<ExpressionPeer> HandExpressions() {
  return {{"sgd_1d", Sgd},
          {"user_op_clip", Clip},
          {"exp", Exp},
          {"sigmoid_of_a_sum", SigmoidOfASum},
          {"sum_rows", SumRows},
          {"sumall_except_dim_0", SumColumns},
          {"sumall_except_dim_1", SumChannels},
          {"broadcast_with_axis_middle", DivideMiddle},
          {"broadcast_with_axis_last", DivideLast},
          {"reduce_with_axis_middle", ReduceMiddle},
          {"reduce_with_axis_last", ReduceLast},
          {"broadcast_of_reduction", Normalize},
          {"batch_norm", BatchNorm},
          {"take_grad", TakeGrad},
          {"one_hot", OneHot},
          {"complex_product", ComplexProduct},
          {"swapaxis", SwapAxes}};
}

}  // namespace mshadow_bench
