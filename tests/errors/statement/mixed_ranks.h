// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Statements that have a tensor in common; others are kernels of their own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> weight, Tensor<xpu, 1, DType> bias,
                         const Tensor<xpu, 1, DType> &lr) {
  weight *= broadcast<1>(lr, weight.shape_);
  bias *= lr;  // expected-error [mixed-ranks] {{'bias' has rank 1, but 'weight', which this rule writes, has rank 2}} expected-note {{write 'MSHADOW_STAGE();' before this statement}}
}
MSHADOW_INSTANTIATE(Rule, float);

/// What is reduced, too, is one loop over one shape.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Product(Tensor<xpu, 1, DType> a, const Tensor<xpu, dim, DType> &x,
                            const Tensor<xpu, 2, DType> &y) {
  a = reduce_all<red::sum>(x * y);  // expected-error [mixed-ranks] {{'y' has rank 2, but 'x', which this rule loops over, has rank dim}} expected-note {{give both tensors the same rank}}
}
MSHADOW_INSTANTIATE(Product, float);

/// What a later statement reduces has another shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Later(Tensor<xpu, 2, DType> weight, Tensor<xpu, 1, DType> one,
                          const Tensor<xpu, 3, DType> &grad) {
  weight = weight * 2.0f;
  // expected-error@+1 [shifted-read] {{this rule writes 'weight' and reads it through a view}}
  one = reduce_all<red::sum>(grad * reshape(weight, grad.shape_));  // expected-error [mixed-ranks] {{'grad' has rank 3, but 'weight', which this rule loops over, has rank 2}} expected-note {{a kernel loops over one shape: write 'MSHADOW_STAGE();' before this statement}}
}
MSHADOW_INSTANTIATE(Later, float);

/// The instance of rank 2 would do, others would not.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyAndTwo(Tensor<xpu, dim, DType> weight, const Tensor<xpu, 2, DType> &grad) {
  weight -= grad;  // expected-error [mixed-ranks] {{'grad' has rank 2, but 'weight', which this rule writes, has rank dim}} expected-note {{give both tensors the same rank}}
}
MSHADOW_INSTANTIATE(AnyAndTwo, float);

/// A vector that is broadcast along the rows of a matrix beside a tensor of another rank.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Broadcast(Tensor<xpu, 2, DType> weight, Tensor<xpu, 3, DType> grad,
                              const Tensor<xpu, 1, DType> &lr) {
  weight += broadcast<0>(lr, weight.shape_);
  // expected-error@+1 [shifted-read] {{this rule writes 'weight' and reads it through a view}}
  grad += reshape(weight, grad.shape_);  // expected-error [mixed-ranks] {{'grad' has rank 3, but 'weight', which this rule writes, has rank 2}}
}
MSHADOW_INSTANTIATE(Broadcast, float);
}  // namespace errors
