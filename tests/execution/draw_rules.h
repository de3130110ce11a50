// SPDX-License-Identifier: Apache-2.0
// Random numbers in rules of every kind of kernel.
#include <mshadow/kernel.h>

namespace draw_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Each distribution, in a rule for any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Uniform(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            int64_t seed, int64_t sequence) {
  out = in + random_uniform<DType>(in.shape_, seed, sequence);
}
MSHADOW_INSTANTIATE(Uniform, float, double, half::half_t, bfloat::bf16_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Normal(Tensor<xpu, dim, DType> out, float scale, int seed, int64_t sequence) {
  out += random_normal<DType>(out.shape_, seed, sequence) * scale;
}
MSHADOW_INSTANTIATE(Normal, float, double, half::half_t, bfloat::bf16_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Coins(Tensor<xpu, dim, DType> out, double probability, int64_t seed) {
  out = random_bernoulli<DType>(out.shape_, probability, seed, 7);
}
MSHADOW_INSTANTIATE(Coins, float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t, int32_t,
                    int64_t);

struct mix {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return (a >> 3) ^ b;
  }
};

template <typename xpu, int dim>
MSHADOW_KERNEL void Bits(Tensor<xpu, dim, int32_t> out, const Tensor<xpu, dim, int8_t> &in,
                         int64_t seed) {
  out = F<mix>(random_bits(in.shape_, seed, 1), random_bits(in.shape_, seed, 2));
}
MSHADOW_INSTANTIATE(Bits, Types<>);

/// Values of rows, of columns, and of everything.
template <typename xpu, typename DType>
MSHADOW_KERNEL void NoisyRows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> mean,
                              const Tensor<xpu, 2, DType> &in, int64_t seed, int64_t step) {
  mean = sumall_except_dim<0>(in * random_uniform<DType>(in.shape_, seed, step));
  out = in + random_normal<DType>(in.shape_, seed, step) * broadcast<0>(mean, in.shape_);
}
MSHADOW_INSTANTIATE(NoisyRows, float, bfloat::bf16_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void NoisyColumns(Tensor<xpu, 1, DType> sum, const Tensor<xpu, 2, DType> &in,
                                 int64_t seed, bool drop) {
  if (drop) {
    sum = sumall_except_dim<1>(where(random_bernoulli<uint8_t>(in.shape_, 0.75, seed, 0), in, 0));
  } else {
    sum = sumall_except_dim<1>(in);
  }
}
MSHADOW_INSTANTIATE(NoisyColumns, float, double);

template <typename xpu, typename DType>
MSHADOW_KERNEL void NoisyChannels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                  int64_t seed) {
  Temporary<xpu, 1, DType> sum(Shape1(in.size(1)), in.stream_);
  auto noise = random_uniform<DType>(in.shape_, seed, 6);
  sum = sumall_except_dim<1>(in * noise);
  out = broadcast<1>(sum, in.shape_) - noise;
}
MSHADOW_INSTANTIATE(NoisyChannels, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NoisySum(Tensor<xpu, 1, DType> sum, const Tensor<xpu, dim, DType> &in,
                             int64_t seed) {
  auto noise = random_uniform<DType>(in.shape_, seed, 3);
  sum = reduce_all<red::sum>(noise * in + noise);
}
MSHADOW_INSTANTIATE(NoisySum, float, double);

/// Within another view, and of the shape of numbers: the runtime's expressions draw them.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Turned(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           int64_t seed) {
  out = in * mirror(random_uniform<DType>(in.shape_, seed, 4));
}
MSHADOW_INSTANTIATE(Turned, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfNumbers(Tensor<xpu, 2, DType> out, int seed) {
  out += random_normal<DType>(Shape2(out.size(0), out.size(1)), seed, 0);
}
MSHADOW_INSTANTIATE(OfNumbers, float);

/// Numbers rounded at random: into a tensor of each type, and in place.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rounding(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, float> &in,
                             int64_t seed) {
  out = round_stochastic<DType>(in, random_uniform<float>(in.shape_, seed, 5));
}
MSHADOW_INSTANTIATE(Rounding, half::half_t, bfloat::bf16_t, int8_t, uint8_t, int16_t, int32_t,
                    float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Descent(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                            float lr, int64_t seed, int64_t step) {
  auto next = tcast<float>(weight) - lr * tcast<float>(grad);
  weight = round_stochastic<DType>(next, random_uniform<float>(weight.shape_, seed, step));
}
MSHADOW_INSTANTIATE(Descent, half::half_t, bfloat::bf16_t);

}  // namespace draw_rules
