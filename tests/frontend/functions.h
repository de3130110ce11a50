// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

struct math_functions {
  template <typename T>
  static T Map(T a, T b) {
    T r = math::exp(a) + math::log1p(b) * math::tanh(a);
    r = math::pow(r, b) - math::pow(a, 3) + math::abs(a);
    return math::sigmoid(r) + math::erf(b) / math::rsqrt(a);
  }
};

/// The C library's exact functions are ours; others are kept.
struct c_functions {
  static float Map(float a) {
    float r = sqrtf(a) + fabsf(a) - floorf(a) * ceilf(a) / truncf(a) + copysignf(a, 2.0f);
    if (__builtin_isnan(a)) r = std::max(std::min(a, 1.0f), r);
    return r + expf(a) + powf(a, 2.0f) + std::cbrt(a) + std::isinf(a) + std::abs(a);
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Functions(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<math_functions>(out, in);
}
MSHADOW_INSTANTIATE(Functions, float, double);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void CFunctions(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<c_functions>(in) * std::numeric_limits<float>::epsilon();
}
MSHADOW_INSTANTIATE(CFunctions, float);
}  // namespace specs
