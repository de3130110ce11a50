// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename T>
struct IsFloat {
  static constexpr bool value = false;
};
template <>
struct IsFloat<float> {
  static constexpr bool value = true;
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {
  if constexpr (IsFloat<DType>::value) {
    out += DType(1);
  } else {
    out -= DType(1);  // expected-error [instances-differ] {{rule 'Rule' differs between double and float}}
  }
}
MSHADOW_INSTANTIATE(Rule, float, double);
}  // namespace errors
