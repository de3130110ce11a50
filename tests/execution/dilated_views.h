// SPDX-License-Identifier: Apache-2.0
// Windows whose elements are some rows and columns apart.
#include <mshadow/kernel.h>

namespace dilated_views {
using namespace mshadow;
using namespace mshadow::expr;

/// As layers of networks pool, with all numbers of the launch.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pooled(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, int height,
                           int width, int stride_y, int stride_x, int dilation_y, int dilation_x,
                           int border) {
  out = pool<red::maximum>(pad(in, border), Shape2(out.size(1), out.size(2)), height, width,
                           stride_y, stride_x, dilation_y, dilation_x);
}
MSHADOW_INSTANTIATE(Pooled, float, half::half_t, int8_t);

/// The gradient of such a layer.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unpooled(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             const Tensor<xpu, 3, DType> &pooled, const Tensor<xpu, 3, DType> &grad,
                             int height, int width, int stride_y, int stride_x, int dilation_y,
                             int dilation_x, int border) {
  out = crop(unpool<red::maximum>(pad(in, border), pooled, grad, height, width, stride_y, stride_x,
                                  dilation_y, dilation_x),
             Shape2(in.size(1), in.size(2)), border, border);
}
MSHADOW_INSTANTIATE(Unpooled, float, half::half_t, int8_t);

/// Where the spec says all: as many windows as lie within the image.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Within(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(in, 3, 3, 1, 1, 2, 3);
}
MSHADOW_INSTANTIATE(Within, float, half::half_t);
/// The same two elements apart, with a border, and of squares.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Strided(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(F<op::square>(pad(in, 2)), out.shape_, 3, 3, 2, 2, 2, 2);
}
MSHADOW_INSTANTIATE(Strided, float);
/// Of what is computed.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Computed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::minimum>(in * in - DType(3) * in, 2, 3, 1, 1, 3, 2);
}
MSHADOW_INSTANTIATE(Computed, float);
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = pool<red::maximum>(in, 2, 2, 1, 1, 1, 4);
}
MSHADOW_INSTANTIATE(AnyRank, float);

/// Gradients where the spec says all: of each window that holds an element,
template <typename xpu, typename DType>
MSHADOW_KERNEL void SumGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &pooled,
                            const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::sum>(in, pooled, grad, 3, 3, 1, 1, 2, 3);
}
MSHADOW_INSTANTIATE(SumGrad, float, half::half_t, int8_t);
/// of those that chose it, with a border and a distance that shares a divisor with the dilation,
template <typename xpu, typename DType>
MSHADOW_KERNEL void StridedGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 2, DType> &pooled,
                                const Tensor<xpu, 2, DType> &grad) {
  out = crop(unpool<red::minimum>(pad(in, 2), pooled, grad, 3, 2, 2, 4, 2, 6), out.shape_, 2, 2);
}
MSHADOW_INSTANTIATE(StridedGrad, float, half::half_t, int8_t);
/// five elements apart, with rows that follow each other,
template <typename xpu, typename DType>
MSHADOW_KERNEL void FarGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &pooled,
                            const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::maximum>(in, pooled, grad, 2, 3, 1, 5, 1, 2);
}
MSHADOW_INSTANTIATE(FarGrad, float);
/// and of what is computed, with columns that follow each other.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ComputedGrad(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                 const Tensor<xpu, dim, DType> &pooled,
                                 const Tensor<xpu, dim, DType> &grad) {
  out = unpool<red::maximum>(in, pooled + DType(1), grad * DType(2), 3, 2, 1, 1, 3, 1);
}
MSHADOW_INSTANTIATE(ComputedGrad, float);

}  // namespace dilated_views
