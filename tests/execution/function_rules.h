// SPDX-License-Identifier: Apache-2.0
// Functions that no shipped rule calls, of every float type: on a launch's scalars, too, and in
// rules that reduce.
#include <mshadow/kernel.h>

namespace function_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A wave whose phase the launch gives.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Wave(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> slope,
                         const Tensor<xpu, dim, DType> &in, float phase, bool steep) {
  const float tilt = math::tan(phase), shift = math::cos(phase);
  out = F<op::sin>(in * DType(20.0f)) + DType(shift);
  slope = F<op::cos>(in) * DType(tilt);
  if (steep) slope -= F<op::tan>(in * DType(0.25f));
}
MSHADOW_INSTANTIATE(Wave, float, double, half::half_t, bfloat::bf16_t);

/// Powers and logarithms to the bases 2 and 10.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Bases(Tensor<xpu, dim, DType> two, Tensor<xpu, dim, DType> ten,
                          const Tensor<xpu, dim, DType> &in) {
  auto size = F<op::abs>(in) + DType(0.5f);
  two = F<op::exp2>(in) - F<op::log2>(size);
  ten = F<op::exp10>(in * DType(0.5f)) - F<op::log10>(size);
}
MSHADOW_INSTANTIATE(Bases, float, double, half::half_t, bfloat::bf16_t);

/// Angles from their functions, and hyperbolic functions and their inverses.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Inverses(Tensor<xpu, dim, DType> angle, Tensor<xpu, dim, DType> area,
                             const Tensor<xpu, dim, DType> &in, float scale) {
  const float least = math::acosh(1.0f + math::abs(scale)), most = math::cbrt(scale);
  auto part = F<op::sin>(in);
  angle = F<op::atan>(in) + F<op::asin>(part) * F<op::acos>(part) + DType(least);
  area = F<op::asinh>(in) - F<op::acosh>(F<op::cosh>(part)) + F<op::atanh>(part * DType(0.5f));
  area += F<op::cbrt>(in) * F<op::sinh>(part) + DType(most);
}
MSHADOW_INSTANTIATE(Inverses, float, double, half::half_t, bfloat::bf16_t);

/// The polar coordinates of points, and sums of what is known by its logarithm.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Points(Tensor<xpu, dim, DType> angle, Tensor<xpu, dim, DType> size,
                           const Tensor<xpu, dim, DType> &x, const Tensor<xpu, dim, DType> &y) {
  angle = F<op::atan2>(y, x);
  size = F<op::hypot>(x, y) - F<op::logaddexp>(x, y) * DType(0.5f);
  size += F<op::softplus>(x) + F<op::erfc>(y);
}
MSHADOW_INSTANTIATE(Points, float, double, half::half_t, bfloat::bf16_t);

struct horner {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x, T a) {
    return math::fma(math::fma(x, a, T(0.5f)), x, math::fmax(a, T(1)));
  }
};

/// Remainders and integers, and the sums of products that are rounded once.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Remainders(Tensor<xpu, dim, DType> rest, Tensor<xpu, dim, DType> sum,
                               const Tensor<xpu, dim, DType> &x, const Tensor<xpu, dim, DType> &y,
                               double turn) {
  const double part = math::fmod(turn, 0.75) + math::rint(turn) + math::fma(turn, turn, 1.0);
  rest = F<op::fmod>(x * DType(100), y) + F<op::rint>(y * DType(4)) + DType(part);
  rest -= F<op::round>(x) * F<op::floor>(y) + F<op::trunc>(x) * F<op::ceil>(y);
  sum = F<horner>(x, y) + F<op::fmin>(x / y, y) - F<op::fmax>(F<op::log>(x), y);
}
MSHADOW_INSTANTIATE(Remainders, float, double, half::half_t, bfloat::bf16_t);

/// Points turned by angles: the sine and the cosine of one value.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Turn(Tensor<xpu, dim, DType> to_x, Tensor<xpu, dim, DType> to_y,
                         const Tensor<xpu, dim, DType> &x, const Tensor<xpu, dim, DType> &y,
                         const Tensor<xpu, dim, DType> &time, float speed) {
  auto angle = time * DType(speed);
  to_x = x * F<op::cos>(angle) - y * F<op::sin>(angle);
  to_y = x * F<op::sin>(angle) + y * F<op::cos>(angle);
}
MSHADOW_INSTANTIATE(Turn, float, double, half::half_t, bfloat::bf16_t);

/// Logarithms of binomial coefficients, of real numbers.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Binomials(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                              float n) {
  const float whole = math::lgamma(n + 1.0f);
  out = DType(whole) - F<op::lgamma>(in + DType(1.0f)) - F<op::lgamma>(DType(n) - in + DType(1.0f));
}
MSHADOW_INSTANTIATE(Binomials, float, double, half::half_t, bfloat::bf16_t);

/// Entropy of rows, in bits.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Entropy(Tensor<xpu, 1, DType> bits, const Tensor<xpu, 2, DType> &in) {
  auto size = F<op::abs>(in) + DType(0.5f);
  bits = sumall_except_dim<0>(size * F<op::log2>(size) - F<op::sin>(size));
}
MSHADOW_INSTANTIATE(Entropy, float, double);

}  // namespace function_rules
