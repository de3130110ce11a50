// SPDX-License-Identifier: Apache-2.0
// The optimizers of split weights, run unfused: no float is lost when it is split and joined, and
// the weights are those of the optimizers with float weights, bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/mixed.h"
#include "specs/optim/split.h"

namespace {

using namespace mshadow_test;
using mshadow::Shape1;
using mshadow::bfloat::bf16_t;

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A float as two halves.
struct Halves {
  bf16_t weight;
  int16_t remainder;

  explicit Halves(float master) {
    const Tensor<cpu, 1> whole(&master, Shape1(1));
    Tensor<cpu, 1, bf16_t> upper(&weight, Shape1(1));
    Tensor<cpu, 1, int16_t> lower(&remainder, Shape1(1));
    upper = optim::UpperHalf(whole);
    lower = optim::LowerHalf(whole);
  }
  float Join() {
    float master;
    Tensor<cpu, 1> whole(&master, Shape1(1));
    whole = optim::Joined(Tensor<cpu, 1, bf16_t>(&weight, Shape1(1)),
                          Tensor<cpu, 1, int16_t>(&remainder, Shape1(1)));
    return master;
  }
};

/// Whether no other bf16_t is nearer to a number, and of two that are as near, the larger one was
/// taken. Infinity counts as the number after the largest.
void ExpectNearest(float master, bf16_t weight) {
  const int64_t bits = BitsOf(master) & 0x7fffffffu;
  const int64_t taken = int64_t{weight.Binary() & 0x7fff} << 16;
  EXPECT_GE(taken - bits, -0x7fff) << master;
  EXPECT_LE(taken - bits, 0x8000) << master;
  EXPECT_EQ(weight.Binary() >> 15, BitsOf(master) >> 31) << master;
}

TEST(Split, LosesNoNumber) {
  uint32_t state = 1;
  for (int i = 0; i < 300000; ++i) {
    state = state * 1664525u + 1013904223u;
    // Every third is half-way between two numbers of bf16_t, or next to it.
    const uint32_t bits = i % 3 != 0 ? state : (state & 0xffff0000u) + 0x7fffu + state % 3;
    const float master = FloatOf(bits);
    if (std::isnan(master)) continue;
    Halves halves(master);
    ASSERT_EQ(BitsOf(halves.Join()), bits);
    ExpectNearest(master, halves.weight);
  }
  for (const float master :
       {0.0f, -0.0f, std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(),
        std::numeric_limits<float>::denorm_min()}) {
    Halves halves(master);
    EXPECT_EQ(BitsOf(halves.Join()), BitsOf(master));
    ExpectNearest(master, halves.weight);
  }
}

/// Of NaNs whose upper halves alone would be infinite, or numbers, too.
TEST(Split, KeepsNaN) {
  for (const uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu, 0xffffffffu}) {
    Halves halves(FloatOf(bits));
    EXPECT_TRUE(std::isnan(static_cast<float>(halves.weight))) << std::hex << bits;
    EXPECT_EQ(halves.remainder, 0);
    EXPECT_TRUE(std::isnan(halves.Join()));
  }
}

/// One training in both forms. It begins at weights in bf16_t.
template <typename MType, typename GType>
class Training {
 public:
  Training()
      : masters_(kSize),
        variances_(kSize),
        split_variances_(kSize),
        means_(kSize),
        split_means_(kSize),
        weights_(kSize),
        copies_(kSize),
        remainders_(kSize),
        grads_(kSize) {
    for (size_t i = 0; i < kSize; ++i) masters_[i] = weights_[i] = bf16_t(values_.Next());
  }

  template <typename T>
  static Matrix<T> Of(std::vector<T> &x) {
    return Matrix<T>(x.data(), Shape2(kRows, kCols));
  }

  void AdamW(int step) {
    NewGradients();
    optim::MixedAdamW(Of(masters_), Of(means_), Of(variances_), Of(copies_), Of(grads_), kRate,
                      kBeta1, kBeta2, kEps, kDecay, step);
    optim::SplitAdamW(Of(weights_), Of(remainders_), Of(split_means_), Of(split_variances_),
                      Of(grads_), kRate, kBeta1, kBeta2, kEps, kDecay, step);
    ExpectSameWeights(step);
  }

  void SGDMomentum(int step) {
    NewGradients();
    optim::MixedSGDMomentum(Of(masters_), Of(means_), Of(copies_), Of(grads_), kRate, kMu, kDecay);
    optim::SplitSGDMomentum(Of(weights_), Of(remainders_), Of(split_means_), Of(grads_), kRate, kMu,
                            kDecay);
    ExpectSameWeights(step);
  }

 private:
  static constexpr float kRate = 1e-4f;  // most steps change less than a bf16_t can hold

  void NewGradients() {
    for (GType &g : grads_) g = GType(3.0f * values_.Next());
  }

  void ExpectSameWeights(int step) {
    std::vector<float> joined(kSize);
    Of(joined) = optim::Joined(Of(weights_), Of(remainders_));
    for (size_t i = 0; i < kSize; ++i) {
      ASSERT_EQ(BitsOf(joined[i]), BitsOf(masters_[i])) << "step " << step << ", element " << i;
      ExpectNearest(masters_[i], weights_[i]);
      ASSERT_EQ(InDouble(split_means_[i]), InDouble(means_[i])) << step;
      ASSERT_EQ(split_variances_[i], variances_[i]) << step;
    }
  }

  std::vector<float> masters_, variances_, split_variances_;
  std::vector<MType> means_, split_means_;
  std::vector<bf16_t> weights_, copies_;
  std::vector<int16_t> remainders_;
  std::vector<GType> grads_;
  Values values_;
};

TEST(Split, AdamWHasTheWeightsOfFloats) {
  Training<float, bf16_t> float_mean;
  Training<bf16_t, bf16_t> short_mean;
  for (int step = 1; step <= 100; ++step) {
    float_mean.AdamW(step);
    short_mean.AdamW(step);
  }
}

TEST(Split, SGDMomentumHasTheWeightsOfFloats) {
  Training<float, bf16_t> float_buffer;
  Training<bf16_t, bf16_t> short_buffer;
  for (int step = 1; step <= 100; ++step) {
    float_buffer.SGDMomentum(step);
    short_buffer.SGDMomentum(step);
  }
}

}  // namespace
