// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows of two matrices, by name and in place, with a saver.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Lazy(Tensor<xpu, 2, DType> weight, Tensor<xpu, 2, float> mean,
                         const Tensor<xpu, 2, DType> &grad, const Tensor<xpu, 1, IType> &index,
                         float lr) {
  auto m = rows(mean, index);
  m += tcast<float>(grad) / static_cast<float>(index.size(0));
  rows(weight, index) -= tcast<DType>(lr * rows(mean, index));
}
MSHADOW_INSTANTIATE(Lazy, Types<float, int32_t>, Types<half::half_t, int64_t>);

/// Rows that are read only, alone and in a view.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gather(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                           const Tensor<xpu, 1, float> &index) {
  out = rows(table, index) + flip(rows(table, index), 1);
}
MSHADOW_INSTANTIATE(Gather, float);

}  // namespace specs
