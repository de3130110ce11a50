// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfIntegers(Tensor<xpu, 1, DType> out) {
  out = random_uniform<DType>(out.shape_, 1, 2);  // expected-error [cxx] {{random_uniform draws float, double, half_t, bf16_t}}
}
MSHADOW_INSTANTIATE(OfIntegers, int32_t);

}  // namespace errors
