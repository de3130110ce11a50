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

/// A product is saved by BLAS.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Product(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  ExpEngine<blend, Tensor<xpu, 2, DType>, DType>::Eval(&out, dot(in, in));  // expected-error [unsupported-expression] {{a matrix product with a saver of its own}}
}
MSHADOW_INSTANTIATE(Product, float);

struct looping {
  template <typename T>
  static void Save(T &value, T next) {
    while (value < next) value += T(1);  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop}}
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Loop(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  MapExp<looping>(&out, in + in);
}
MSHADOW_INSTANTIATE(Loop, float);
}  // namespace errors
