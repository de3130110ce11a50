// SPDX-License-Identifier: Apache-2.0
// Rules that were generated with --numerics=correct: a GPU's kernels give the bits of the CPU's,
// which tests/execution/correct_rules_test.cc compares with double functions that are rounded.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_correct_rules.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

TEST(CorrectRulesOnGpu, HaveTheBitsOfTheCpu) {
  for (const index_t width : {1, 5, 33}) {
    const Shape<2> shape = Shape2(2, width);
    auto x = Filled<2, float>(shape, 1), y = Filled<2, float>(shape, 4);
    x = x * 0.13f;
    x[0][0] = 0x1.04c444p-12f;  // for acos a double is not enough
    const Tensor<cpu, 2, float> &first = x, &second = y;
    // Each result in turn; the others go to copies.
    ExpectSameBits<float>(
        shape,
        [](auto &out, const auto &in) {
          auto a = out, b = out, c = out;
          correct_rules::Curves(out, a, b, c, in);
        },
        first);
    ExpectSameBits<float>(
        shape,
        [](auto &out, const auto &in) {
          auto a = out, b = out, c = out;
          correct_rules::Curves(a, b, c, out, in);
        },
        first);
    ExpectSameBits<float>(
        shape,
        [](auto &out, const auto &in) {
          auto a = out, b = out;
          correct_rules::Angles(a, out, b, in);
        },
        first);
    ExpectSameBits<float>(
        shape,
        [](auto &out, const auto &in, const auto &other) {
          auto a = out, b = out;
          correct_rules::Pairs(out, a, b, in, other);
        },
        first, second);
    ExpectSameBits<float>(
        shape,
        [](auto &out, const auto &in, const auto &other) {
          auto a = out, b = out;
          correct_rules::Pairs(a, b, out, in, other);
        },
        first, second);
    ExpectSameBits<float>(
        shape, [](auto &out, const auto &in) { correct_rules::ByScalar(out, in, 0.3f); }, first);
  }
}

}  // namespace
