// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Nothing says what there is before the first element.
struct endless {
  template <typename T>
  static void Reduce(T &value, T other) {
    value = value + other;
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void NoInitialValue(Tensor<xpu, 1, DType> rows, const Tensor<xpu, 2, DType> &in) {
  rows = reduce_except_dim<0, endless>(in);  // expected-error [reducer] {{reducer 'endless' has no function SetInitValue(value) for elements of type float}}
}
MSHADOW_INSTANTIATE(NoInitialValue, float);

/// Reduce takes something else.
struct of_pointers {
  static void Reduce(float *value, float other) { *value += other; }
  template <typename T>
  static void SetInitValue(T &value) {
    value = T(0);
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void NoReduce(Tensor<xpu, 1, DType> one, const Tensor<xpu, 2, DType> &in) {
  one = reduce_all<of_pointers>(in);  // expected-error [reducer] {{reducer 'of_pointers' has no function Reduce(value, other)}}
}
MSHADOW_INSTANTIATE(NoReduce, float);

/// A body that is no formula.
struct slow_product {
  template <typename T>
  static void Reduce(T &value, T other) {
    for (T i = T(0); i < other; i += T(1)) value *= other;  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop in an operator or function}}
  }
  template <typename T>
  static void SetInitValue(T &value) {
    value = T(1);
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Loop(Tensor<xpu, 1, DType> columns, const Tensor<xpu, 2, DType> &in) {
  columns = reduce_except_dim<1, slow_product>(in);
}
MSHADOW_INSTANTIATE(Loop, float);

/// The initial value is never given.
struct forgetful {
  template <typename T>
  static void Reduce(T &value, T other) {
    value += other;
  }
  template <typename T>
  static void SetInitValue(T &value) {}  // expected-error [uninitialized] {{'value'}}
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Uninitialized(Tensor<xpu, 1, DType> rows, const Tensor<xpu, 2, DType> &in) {
  rows = reduce_except_dim<0, forgetful>(in);
}
MSHADOW_INSTANTIATE(Uninitialized, float);

/// What is reduced changes what comes, too.
struct swapping {
  template <typename T>
  static void Reduce(T &value, T &other) {
    value += other;
    other = value;
  }
  template <typename T>
  static void SetInitValue(T &value) {
    value = T(0);
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Swapping(Tensor<xpu, 1, DType> rows, const Tensor<xpu, 2, DType> &in) {
  rows = reduce_except_dim<0, swapping>(in);  // expected-error [unsupported-expression] {{an argument by reference}}
}
MSHADOW_INSTANTIATE(Swapping, float);
}  // namespace errors
