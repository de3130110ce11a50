// SPDX-License-Identifier: Apache-2.0
// Rules called with literal scalars, which a compiler folds as far as it can: into the prologue,
// and unfused into the formula. Compiled twice, as rules.cc is.
#include MSHADOW_TEST_HEADER

#include <mshadow/tensor.h>

#include <cstring>
#include <vector>

#include "random.h"

namespace mshadow_test {
namespace {

using mshadow::cpu;
using mshadow::Shape1;
using mshadow::Tensor;

struct Vectors {
  std::vector<float> values[4];
  Vectors() {
    SplitMix64 random(7);
    for (auto &vector : values) {
      for (int i = 0; i < 301; ++i) vector.push_back(static_cast<float>(random.Unit()) + 0.01f);
    }
  }
  Tensor<cpu, 1, float> operator[](int i) {
    return Tensor<cpu, 1, float>(values[i].data(), Shape1(301));
  }
  uint64_t Hash() const {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const auto &vector : values) {
      for (float value : vector) {
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        hash = (hash ^ bits) * 0x100000001b3u;
      }
    }
    return hash;
  }
};

uint64_t LiteralCalls() {
  Vectors v;
  optim::AdamW(v[0], v[1], v[2], v[3], 0.001f, 0.9f, 0.999f, 1e-8f, 0.01f, 7);
  optim::AdamWInUpdate(v[0], v[1], v[2], v[3], 0.003f, 0.95f, 0.99f, 1e-6f, 0.1f, 1000);
  optim::SGDMomentum(v[0], v[1], v[3], 0.1f, 0.9f, 0.3f, 0.01f, 2);
  optim::NAG(v[0], v[1], v[3], 0.1f, 0.9f, 0.01f);
  activation::GeluTanh(v[3], v[0]);
  return v.Hash();
}

}  // namespace

#ifdef MSHADOW_UNFUSED
uint64_t UnfusedLiteralCalls() { return LiteralCalls(); }
#else
uint64_t FusedLiteralCalls() { return LiteralCalls(); }
#endif

}  // namespace mshadow_test
