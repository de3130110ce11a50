// SPDX-License-Identifier: Apache-2.0
// Two type parameters, integers and bools, and a comment that would end one: */ ??/
#include <mshadow/kernel.h>

namespace quant {
using namespace mshadow;
using namespace mshadow::expr;

struct exceeds {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T limit) {
    return a > limit || a < -limit;
  }
};
struct choose {
  template <typename T>
  MSHADOW_XINLINE static T Map(T condition, T a, T b) {
    return condition != T(0.0f) ? a : b;
  }
};

/// Values to integers, with a mask of what was clipped. */ ??/ \
/// \param out the integers
template <typename xpu, int dim, typename In, typename Out>
MSHADOW_KERNEL void Quantize(Tensor<xpu, dim, Out> out, Tensor<xpu, dim, bool> clipped,
                             Tensor<xpu, dim, int64_t> checksum, const Tensor<xpu, dim, In> &in,
                             double scale = 0.5, int64_t seed = 17) {
  auto scaled = tcast<double>(in) * (1.0 / scale);
  clipped = tcast<bool>(F<exceeds>(scaled, 127.0));
  out = tcast<Out>(F<choose>(tcast<double>(clipped), 0.0, scaled));
  checksum = checksum * int64_t(31) + tcast<int64_t>(out) + seed;
}
MSHADOW_INSTANTIATE(Quantize, Types<float, int8_t>, Types<double, int8_t>, Types<float, uint8_t>);
}  // namespace quant
