// SPDX-License-Identifier: Apache-2.0
// The shipped rules of images are those of matrices with a row for each pixel, which are tested
// against their formulas (unfused_columns_test.cc): all run unfused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "random.h"
#include "specs/activation/bias.h"
#include "specs/activation/bias_2d.h"
#include "specs/normalize/batch_norm.h"
#include "specs/normalize/batch_norm_2d.h"

namespace {

using mshadow::cpu;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape4;

constexpr int kBatch = 3, kChannels = 4, kHeight = 5, kWidth = 7;
constexpr int kPixels = kBatch * kHeight * kWidth;

using Vector = mshadow::TensorContainer<cpu, 1, float>;
using Image = mshadow::TensorContainer<cpu, 4, float>;
using Matrix = mshadow::TensorContainer<cpu, 2, float>;

struct Channels : Vector {
  explicit Channels(uint64_t seed, double low = -2, double high = 2) : Vector(Shape1(kChannels)) {
    mshadow_test::SplitMix64 random(seed);
    for (int c = 0; c < kChannels; ++c) {
      (*this)[c] = static_cast<float>(low + (high - low) * random.Unit());
    }
  }
};

/// The same numbers as images and as a matrix.
struct Pair {
  Image image;
  Matrix matrix;
  explicit Pair(uint64_t seed)
      : image(Shape4(kBatch, kChannels, kHeight, kWidth)), matrix(Shape2(kPixels, kChannels)) {
    mshadow_test::SplitMix64 random(seed);
    ForEach([&](float &pixel, float &element) {
      pixel = element = static_cast<float>(4 * random.Unit() - 2);
    });
  }
  void ForEach(const std::function<void(float &, float &)> &visit) {
    for (int n = 0; n < kBatch; ++n)
      for (int c = 0; c < kChannels; ++c)
        for (int y = 0; y < kHeight; ++y)
          for (int x = 0; x < kWidth; ++x) {
            visit(image[n][c][y][x], matrix[(n * kHeight + y) * kWidth + x][c]);
          }
  }
  void ExpectSame() {
    ForEach([](float &pixel, float &element) { ExpectNear(pixel, element); });
  }
  static void ExpectNear(float got, float want) {
    EXPECT_NEAR(got, want, 1e-5 * (1 + std::fabs(want)));
  }
};

/// A vector of each rule.
struct Vectors {
  Channels image, matrix;
  explicit Vectors(uint64_t seed, double low = -2, double high = 2)
      : image(seed, low, high), matrix(seed, low, high) {}
  void ExpectSame() {
    for (int c = 0; c < kChannels; ++c) Pair::ExpectNear(image[c], matrix[c]);
  }
};

TEST(BatchNorm2d, IsBatchNormOfPixels) {
  Pair out(1), in(2);
  Vectors mean(3), inv_std(4), running_mean(5), running_var(6, 0.5, 2);
  const Channels gain(7), bias(8);
  normalize::BatchNorm2d(out.image, mean.image, inv_std.image, running_mean.image,
                         running_var.image, in.image, gain, bias, 0.25f);
  normalize::BatchNorm(out.matrix, mean.matrix, inv_std.matrix, running_mean.matrix,
                       running_var.matrix, in.matrix, gain, bias, 0.25f);
  out.ExpectSame();
  for (Vectors *v : {&mean, &inv_std, &running_mean, &running_var}) v->ExpectSame();
}

TEST(BatchNorm2d, BackwardIsThatOfPixels) {
  Pair out_grad(1), in(2), in_grad(3);
  Vectors gain_grad(4), bias_grad(5);
  const Channels mean(6, -0.5, 0.5), inv_std(7, 0.5, 1.5), gain(8);
  normalize::BatchNorm2dGrad(in_grad.image, gain_grad.image, bias_grad.image, out_grad.image,
                             in.image, mean, inv_std, gain);
  normalize::BatchNormGrad(in_grad.matrix, gain_grad.matrix, bias_grad.matrix, out_grad.matrix,
                           in.matrix, mean, inv_std, gain);
  in_grad.ExpectSame();
  gain_grad.ExpectSame();
  bias_grad.ExpectSame();
}

TEST(BatchNorm2d, InferenceIsThatOfPixels) {
  Pair out(1), in(2);
  const Channels mean(3), variance(4, 0.1, 2), gain(5), bias(6);
  normalize::BatchNorm2dInference(out.image, in.image, mean, variance, gain, bias);
  normalize::BatchNormInference(out.matrix, in.matrix, mean, variance, gain, bias);
  out.ExpectSame();
}

TEST(Bias2d, IsBiasOfPixels) {
  Pair out(1), relu(2), in(3), out_grad(4), in_grad(5);
  const Channels bias(6);
  Vectors bias_grad(7);
  activation::BiasAdd2d(out.image, in.image, bias);
  activation::BiasAdd(out.matrix, in.matrix, bias);
  activation::BiasRelu2d(relu.image, in.image, bias);
  activation::BiasRelu(relu.matrix, in.matrix, bias);
  activation::BiasReluGrad2d(in_grad.image, bias_grad.image, out_grad.image, relu.image);
  activation::BiasReluGrad(in_grad.matrix, bias_grad.matrix, out_grad.matrix, relu.matrix);
  for (Pair *pair : {&out, &relu, &in_grad}) pair->ExpectSame();
  bias_grad.ExpectSame();
}

}  // namespace
