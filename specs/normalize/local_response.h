// SPDX-License-Identifier: Apache-2.0
/// \file local_response.h
/// Local response normalisation over channels, Krizhevsky, Sutskever and Hinton 2012, section 3.3.
#ifndef SPECS_NORMALIZE_LOCAL_RESPONSE_H_
#define SPECS_NORMALIZE_LOCAL_RESPONSE_H_

#include <mshadow/kernel.h>

namespace normalize {
using namespace mshadow;
using namespace mshadow::expr;

/// Local response normalisation: s = k + alpha / n sum x^2 over n neighbouring channels, those
/// beyond both ends left out; y = x s^-beta.
/// \param out normalised images
/// \param scale s, for the backward rule
/// \param in images: sample, channel, row, column
/// \param n channels of a window, odd
/// \param alpha factor of their mean of squares
/// \param beta exponent
/// \param k summand
template <typename xpu, typename DType>
MSHADOW_KERNEL void LocalResponse(Tensor<xpu, 4, DType> out, Tensor<xpu, 4, DType> scale,
                                  const Tensor<xpu, 4, DType> &in, MSHADOW_HYPER int n = 5,
                                  MSHADOW_HYPER double alpha = 1e-4,
                                  MSHADOW_HYPER double beta = 0.75, MSHADOW_HYPER double k = 2.0) {
  const double share = alpha / static_cast<double>(n);
  scale = chpool<red::sum>(in * in, n) * share + k;
  out = in * F<op::power>(scale, -beta);
}
MSHADOW_INSTANTIATE(LocalResponse, float, double);

/// Backward of local response normalisation: dx = dy p - 2 alpha beta / n x sum dy x p / s over the
/// windows, with p = s^-beta.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs
/// \param in inputs of the forward rule
/// \param scale s of the forward rule
/// \param n channels of a window, odd
/// \param alpha factor of their mean of squares
/// \param beta exponent
template <typename xpu, typename DType>
MSHADOW_KERNEL void LocalResponseGrad(Tensor<xpu, 4, DType> in_grad,
                                      const Tensor<xpu, 4, DType> &out_grad,
                                      const Tensor<xpu, 4, DType> &in,
                                      const Tensor<xpu, 4, DType> &scale, MSHADOW_HYPER int n = 5,
                                      MSHADOW_HYPER double alpha = 1e-4,
                                      MSHADOW_HYPER double beta = 0.75) {
  const double share = -2.0 * alpha * beta / static_cast<double>(n);
  Temporary<xpu, 4, DType> power(in.shape_, in.stream_);
  Temporary<xpu, 4, DType> term(in.shape_, in.stream_);
  power = F<op::power>(scale, -beta);
  term = out_grad * in * power / scale;
  MSHADOW_STAGE();
  in_grad = out_grad * power + chpool<red::sum>(term, n) * share * in;
}
MSHADOW_INSTANTIATE(LocalResponseGrad, float, double);

}  // namespace normalize

#endif  // SPECS_NORMALIZE_LOCAL_RESPONSE_H_
