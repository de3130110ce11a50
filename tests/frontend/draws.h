// SPDX-License-Identifier: Apache-2.0
// Random numbers are views without a source; their shape is a parameter's.
#include <mshadow/kernel.h>

namespace draws {
using namespace mshadow;
using namespace mshadow::expr;

/// Each distribution, at any rank; seeds of several types.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            int64_t seed, int step, double keep) {
  auto noise = random_normal<DType>(in.shape_, seed, step);
  out = in + noise * random_uniform<DType>(out.shape_, 7, step + 1);
  out *= random_bernoulli<DType>(in.shape_, keep, seed, -1);
}
MSHADOW_INSTANTIATE(AnyRank, float, half::half_t);

/// Bits, rounding, and a shape that is made of numbers.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Fixed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, float> &in,
                          int64_t seed) {
  out = round_stochastic<DType>(in, random_uniform<float>(in.shape_, seed, 0));
  out += tcast<DType>(random_bits(Shape2(in.size(0), in.size(1)), seed, 1));
}
MSHADOW_INSTANTIATE(Fixed, bfloat::bf16_t, int8_t);

}  // namespace draws
