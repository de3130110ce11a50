// SPDX-License-Identifier: Apache-2.0
// Rules whose operators ignore the rows that indices name.
#include <mshadow/kernel.h>

namespace named_rows {
using namespace mshadow;
using namespace mshadow::expr;

struct first {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T) {
    return a;
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Ignore(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &table,
                           const Tensor<xpu, 1, int32_t> &index) {
  out = F<first>(in, rows(table, index));
}
MSHADOW_INSTANTIATE(Ignore, float);

/// Rows of one index of which an operator uses some and ignores others; in a later kernel.
template <typename xpu, typename DType>
MSHADOW_KERNEL void IgnoreLater(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> twice,
                                const Tensor<xpu, 2, DType> &in, Tensor<xpu, 2, DType> table,
                                const Tensor<xpu, 2, DType> &other,
                                const Tensor<xpu, 1, int32_t> &index) {
  twice = in * DType(2);
  MSHADOW_STAGE();
  out = flip(twice, 0);
  rows(table, index) = F<first>(out, rows(other, index));
}
MSHADOW_INSTANTIATE(IgnoreLater, float);

}  // namespace named_rows
