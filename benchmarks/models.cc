// SPDX-License-Identifier: Apache-2.0
#include "models.h"

#include <numeric>

namespace mshadow_bench {
namespace {

void Append(Sizes *to, const Sizes &sizes) { to->insert(to->end(), sizes.begin(), sizes.end()); }

}  // namespace

int64_t SumOf(const Sizes &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
}

Sizes ResNet(const std::vector<int> &bottlenecks) {
  constexpr int64_t kClasses = 1000, kExpansion = 4;
  int64_t width = 64, in = 64;
  Sizes sizes = {width * 3 * 7 * 7, width, width};  // each convolution, then scale and shift
  for (const int count : bottlenecks) {
    const int64_t out = kExpansion * width;
    for (int i = 0; i < count; ++i) {
      Append(&sizes, {width * in, width, width});
      Append(&sizes, {width * width * 3 * 3, width, width});
      Append(&sizes, {out * width, out, out});
      if (i == 0) Append(&sizes, {out * in, out, out});
      in = out;
    }
    width *= 2;
  }
  Append(&sizes, {kClasses * in, kClasses});
  return sizes;
}

Sizes Gpt2() {
  constexpr int64_t kWidth = 768, kLayers = 12, kVocabulary = 50257, kPositions = 1024;
  Sizes sizes = {kVocabulary * kWidth, kPositions * kWidth};
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    Append(&sizes, {kWidth, kWidth});
    Append(&sizes, {kWidth * 3 * kWidth, 3 * kWidth, kWidth * kWidth, kWidth});
    Append(&sizes, {kWidth, kWidth});
    Append(&sizes, {kWidth * 4 * kWidth, 4 * kWidth, 4 * kWidth * kWidth, kWidth});
  }
  Append(&sizes, {kWidth, kWidth});
  return sizes;
}

Sizes Llama3(int64_t divisor) {
  constexpr int64_t kLayers = 32;
  const int64_t width = 4096 / divisor, of_keys = 8 * 128 / divisor, between = 14336 / divisor;
  const int64_t vocabulary = 128256 / divisor;
  Sizes sizes = {vocabulary * width};
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    Append(&sizes, {width * width, of_keys * width, of_keys * width, width * width});
    Append(&sizes, {between * width, between * width, width * between, width, width});
  }
  Append(&sizes, {width, vocabulary * width});
  return sizes;
}

}  // namespace mshadow_bench
