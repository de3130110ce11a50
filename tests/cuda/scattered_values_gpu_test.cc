// SPDX-License-Identifier: Apache-2.0
// Rows of zeros with some values: a GPU's kernels give the bits of the CPU's, which
// scattered_values_test.cc of tests/execution compares with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_moved_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

TEST(ScatteredValuesOnGpu, InRowsOfAnyLength) {
  for (const index_t cols : {1, 5, 16, 300}) {
    for (const index_t places : {0, 1, 3, 40}) {
      const auto values = Filled<2, float>(Shape2(5, places), 1);
      const auto columns = Filled<2, int64_t>(Shape2(5, places), 2);
      ExpectSameBits<float>(
          Shape2(5, cols),
          [](auto &out, const auto &v, const auto &c) { scattered_values::Store(out, v, c); },
          values, columns);
      ExpectSameBits<float>(
          Shape2(5, cols),
          [](auto &out, const auto &v, const auto &c) { scattered_values::Add(out, v, c); }, values,
          columns);
      const auto in = Filled<2, float>(Shape2(5, cols), 4);
      ExpectSameBits<float>(
          Shape1(5),
          [](auto &out, const auto &x, const auto &v, const auto &c) {
            scattered_values::Total(out, x, v, c);
          },
          in, values, columns);
    }
  }
}

}  // namespace
