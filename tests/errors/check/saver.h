// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct blend {
  template <typename T>
  static void Save(T &value, T next) {
    value = T(0.5f) * value + T(0.5f) * next;
  }
};

/// What is read only.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Const(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Tensor<xpu, dim, DType> other = in;
  MapExp<blend>(&other, out + in);  // expected-error [const-write] {{cannot write 'in'}}
  out = in * in;
}
MSHADOW_INSTANTIATE(Const, float);

/// The old value of what has none.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Unset(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, dim, DType> mean(in.shape_, in.stream_);
  MapExp<blend>(&mean, in + in);  // expected-error [uninitialized] {{'mean'}}
  out = mean + in;
}
MSHADOW_INSTANTIATE(Unset, float);
}  // namespace errors
