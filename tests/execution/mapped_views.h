// SPDX-License-Identifier: Apache-2.0
// Rules that read arithmetic at other places.
#include <mshadow/kernel.h>

namespace mapped_views {
using namespace mshadow;
using namespace mshadow::expr;

/// A product, transposed; and of two types.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Transposed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                               const Tensor<xpu, 2, DType> &b, float scale) {
  out = transpose(a * b + scale, Shape2(1, 0));
}
MSHADOW_INSTANTIATE(Transposed, float, double, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rounded(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, half::half_t> &a,
                            const Tensor<xpu, 2, int32_t> &b) {
  out = mirror(tcast<DType>(a) * 0.5f - swapaxis<1, 0>(tcast<DType>(b + b)));
}
MSHADOW_INSTANTIATE(Rounded, float);
/// Sums and products within a border, some of them by a name, whose number is that of its place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Bordered(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                             const Tensor<xpu, 2, DType> &b) {
  float factor = 2.0f;
  auto sum = a + F<op::square>(b) * factor;
  factor = 3.0f;
  out = pad(sum * factor, 1) - pad(F<op::relu>(a - b), 1);
}
MSHADOW_INSTANTIATE(Bordered, float, half::half_t);
/// What must stay 0 in a border: infinities and negative numbers times 0 are not.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Guarded(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> shifted,
                            const Tensor<xpu, 2, DType> &in, float scale) {
  out = pad(in * scale, 1);
  shifted = pad(-in, 1) + pad(in - 1.0f, 1);
}
MSHADOW_INSTANTIATE(Guarded, float);
/// The same border, cut off again.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shifted(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                            const Tensor<xpu, 2, DType> &b) {
  out = crop(pad(a + b, 1), out.shape_, 0, 2) + crop(pad(a, 1) * pad(b, 1), out.shape_, 2, 1);
}
MSHADOW_INSTANTIATE(Shifted, float);
/// Choices several times, rows by indices, and in another shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Repeated(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                             const Tensor<xpu, 2, DType> &b) {
  out = upsampling_nearest(where(a > b, a, 2.0f * b), 2);
}
MSHADOW_INSTANTIATE(Repeated, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Taken(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                          const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 1, int32_t> &index) {
  out = take(index, a - mirror(b));
}
MSHADOW_INSTANTIATE(Taken, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reshaped(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &a,
                             const Tensor<xpu, 3, DType> &b) {
  out = reshape(F<op::exp>(a) / b, out.shape_);
}
MSHADOW_INSTANTIATE(Reshaped, float);
}  // namespace mapped_views
