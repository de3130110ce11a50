// SPDX-License-Identifier: Apache-2.0
// Diagonals that a rule writes: a GPU's kernels give the bits of the CPU's, which
// written_diagonals_test.cc of tests/execution compares with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_moved_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

/// Calls `rule(out, in)` on a stream of its own, since a vector in its workspace has the values.
template <typename Rule, typename xpu, int dim, typename DType>
void Call(const Rule &rule, const Tensor<xpu, 2, DType> &out, const Tensor<xpu, dim, DType> &in) {
  const OwnStream<xpu> stream;
  rule(stream.With(out), stream.With(in));
}

template <int dim, typename Rule>
void Compare(index_t n, const Rule &rule, const Tensor<cpu, dim, float> &in) {
  ExpectSameBits<float>(
      Shape2(n, n), [&rule](auto &out, const auto &x) { Call(rule, out, x); }, in);
}

TEST(WrittenDiagonalsOnGpu, OfMatricesOfAnySize) {
  for (const index_t n : {1, 5, 16, 33, 300}) {
    const auto matrix = Filled<2, float>(Shape2(n, n), 1);
    const auto vector = Filled<1, float>(Shape1(n), 2);
    Compare<2>(n, [](auto out, auto in) { written_diagonals::Shift(out, in); }, matrix);
    Compare<1>(n, [](auto out, auto in) { written_diagonals::Scale(out, in, true); }, vector);
    Compare<1>(n, [](auto out, auto in) { written_diagonals::Negate(out, in); }, vector);
    Compare<2>(n, [](auto out, auto in) { written_diagonals::Laplacian(out, in); }, matrix);
    Compare<2>(n, [](auto out, auto in) { written_diagonals::Count(out, in); }, matrix);
  }
}

}  // namespace
