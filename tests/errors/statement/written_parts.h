// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct keep_less {
  template <typename T>
  MSHADOW_XINLINE static void Save(T &old, T next) {
    old = next < old ? next : old;
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 3, DType> out, Tensor<xpu, 2, DType> state,
                         Tensor<xpu, 1, DType> sum, Tensor<xpu, 4, DType> cube,
                         const Tensor<xpu, 2, DType> &in) {
  slice<2>(slice<1>(cube, 0, 1), 0, 1) = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  flip(state, 0) = in;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  state[0] = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  slice<0>(sum, 0, 2) = sumall_except_dim<1>(in);  // expected-error [unsupported-expression] {{a reduction that is assigned to a slice is not supported}}
  auto sums = slice<0>(sum, 0, 2);
  MapExp<sv::plusto>(&sums, sumall_except_dim<1>(in));  // expected-error [unsupported-expression] {{a reduction that is assigned to a slice is not supported}}
  MapExp<keep_less>(&sums, sumall_except_dim<1>(in));  // expected-error [unsupported-expression] {{a reduction that is assigned to a slice is not supported}}
  state.Slice(0, 2) = state;  // expected-error [handle-assign] {{'state.Slice(...) = state' makes one tensor a view of the other}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
