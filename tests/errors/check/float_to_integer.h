// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Undefined in C++ below 0 and from 256 on.
struct quantized {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return static_cast<T>(static_cast<uint8_t>(a));  // expected-warning [float-to-integer] {{a float out of the range of 'uint8_t' saturates here; unfused, its conversion is undefined}} expected-note {{write 'ScalarCast<uint8_t>(...)'}}
  }
};

/// Nothing is wrong with what saturates in both, or is seen to be in range.
struct bounded {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    const T rounded = math::floor(math::max(math::min(a, T(255.5f)), T(-0.5f)));
    const uint8_t low = static_cast<uint8_t>(math::max(math::min(a, T(255.5f)), T(0.0f)));
    const int sign = static_cast<int>(rounded);
    return static_cast<T>(ScalarCast<uint8_t>(a)) + static_cast<T>(low) + static_cast<T>(sign);
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<quantized>(in) + F<bounded>(in);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
