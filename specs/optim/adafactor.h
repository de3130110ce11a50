// SPDX-License-Identifier: Apache-2.0
/// \file adafactor.h
/// Adafactor, Shazeer and Stern 2018, for matrices: the second moment of the gradient is kept as
/// means over rows and over columns, whose product by the mean of all stands for it. A kernel goes
/// over memory in one way, so an update is three rules: AdafactorRows, AdafactorColumns, Adafactor.
#ifndef SPECS_OPTIM_ADAFACTOR_H_
#define SPECS_OPTIM_ADAFACTOR_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adafactor, the means over rows: r = beta2 r + (1 - beta2) mean(g^2 + eps).
/// \param row_mean running mean of the squared gradient of each row
/// \param grad gradient of the loss with respect to the parameters
/// \param beta2 decay rate of the mean; 1 - step^-0.8 in the paper
/// \param eps added to the squared gradient
template <typename xpu, typename DType>
MSHADOW_KERNEL void AdafactorRows(MSHADOW_STATE(0) Tensor<xpu, 1, Promoted<DType>> row_mean,
                                  MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                                  MSHADOW_HYPER double beta2 = 0.999,
                                  MSHADOW_HYPER double eps = 1e-30) {
  const double share = (1.0 - beta2) / static_cast<double>(grad.size(1));
  row_mean = beta2 * row_mean;
  row_mean += share * sumall_except_dim<0>(F<op::square>(tcast<Promoted<DType>>(grad)) + eps);
}
MSHADOW_INSTANTIATE(AdafactorRows, float, double, half::half_t, bfloat::bf16_t);

/// Adafactor, the means over columns: c = beta2 c + (1 - beta2) mean(g^2 + eps).
/// \param column_mean running mean of the squared gradient of each column
/// \param grad gradient of the loss with respect to the parameters
/// \param beta2 decay rate of the mean; 1 - step^-0.8 in the paper
/// \param eps added to the squared gradient
template <typename xpu, typename DType>
MSHADOW_KERNEL void AdafactorColumns(MSHADOW_STATE(0) Tensor<xpu, 1, Promoted<DType>> column_mean,
                                     MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                                     MSHADOW_HYPER double beta2 = 0.999,
                                     MSHADOW_HYPER double eps = 1e-30) {
  const double share = (1.0 - beta2) / static_cast<double>(grad.size(0));
  column_mean = beta2 * column_mean;
  column_mean += share * sumall_except_dim<1>(F<op::square>(tcast<Promoted<DType>>(grad)) + eps);
}
MSHADOW_INSTANTIATE(AdafactorColumns, float, double, half::half_t, bfloat::bf16_t);

/// \brief the step: rate by the clipped length of the update, which without its scale has these
/// mean squares
struct adafactor_rate {
  template <typename T>
  MSHADOW_XINLINE static T Map(T mean_row, T mean_square, T threshold) {
    const T scale = math::sqrt(mean_row);
    const T length = scale * math::sqrt(mean_square) / threshold;
    return length > T(1) ? scale / length : scale;
  }
};

/// Adafactor, the step: u = g / sqrt(r c / mean(r)), w -= rate u / max(1, rms(u) / threshold), with
/// rate = lr max(eps, rms(w)).
/// \param weight parameters
/// \param row_mean running mean of the squared gradient of each row, after AdafactorRows
/// \param column_mean that of each column, after AdafactorColumns
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate, relative to the size of the parameters
/// \param eps least size of the parameters that counts
/// \param threshold greatest root mean square of an update
template <typename xpu, typename DType>
MSHADOW_KERNEL void Adafactor(MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight,
                              const Tensor<xpu, 1, Promoted<DType>> &row_mean,
                              const Tensor<xpu, 1, Promoted<DType>> &column_mean,
                              MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad,
                              MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double eps = 1e-3,
                              MSHADOW_HYPER double threshold = 1.0) {
  Temporary<xpu, 1, Promoted<DType>> row_root(Shape1(weight.size(0)), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> column_root(Shape1(weight.size(1)), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> mean_row(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> mean_update(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> size(Shape1(1), weight.stream_);
  const double inv_count = 1.0 / static_cast<double>(weight.shape_.Size());
  row_root = F<op::square_root>(row_mean);
  MSHADOW_STAGE();
  column_root = F<op::square_root>(column_mean);
  MSHADOW_STAGE();
  auto w = tcast<Promoted<DType>>(weight);
  auto root = broadcast<0>(row_root, weight.shape_) * broadcast<1>(column_root, weight.shape_);
  auto update = tcast<Promoted<DType>>(grad) / root;
  mean_row = inv_count * reduce_all<red::sum>(broadcast<0>(row_mean, weight.shape_));
  mean_update = inv_count * reduce_all<red::sum>(F<op::square>(update));
  size = inv_count * reduce_all<red::sum>(F<op::square>(w));
  size = lr * F<op::maximum>(F<op::square_root>(size), eps);
  size *= F<adafactor_rate>(mean_row, mean_update, threshold);
  weight = tcast<DType>(w - broadcast_scalar(size, weight.shape_) * update);
}
MSHADOW_INSTANTIATE(Adafactor, float, double, half::half_t, bfloat::bf16_t);

/// The step of TorchAdafactor: rate by the clipped length of the update.
struct torch_adafactor_rate {
  template <typename T>
  MSHADOW_XINLINE static T Map(T rate, T mean_square, T threshold) {
    const T length = math::sqrt(mean_square) / threshold;
    return length > T(1) ? rate / length : rate;
  }
};

/// The step of PyTorch's Adafactor: u = g / sqrt(max(r c / max(mean(r), eps1), eps1^2)),
/// w = (1 - lr decay) w - rate u / max(1, rms(u) / threshold), with rate = min(lr, 1 / sqrt(t))
/// max(eps2, rms(w)). r and c are those of AdafactorRows and AdafactorColumns with eps = 0 and
/// beta2 = 1 - t^-0.8. Shazeer and Stern 2018, Algorithm 4; the order of torch.optim.Adafactor for
/// matrices.
/// \param weight parameters, updated in place
/// \param row_var running mean of the squared gradient of each row, after AdafactorRows
/// \param col_var that of each column, after AdafactorColumns
/// \param grad gradient of the loss with respect to the parameters
/// \param lr greatest learning rate, relative to the size of the parameters
/// \param eps1 least mean of the squared gradient
/// \param eps2 least size of the parameters that counts
/// \param threshold greatest root mean square of an update
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, typename DType>
MSHADOW_KERNEL void TorchAdafactor(
    MSHADOW_PARAMETER Tensor<xpu, 2, DType> weight, const Tensor<xpu, 1, Promoted<DType>> &row_var,
    const Tensor<xpu, 1, Promoted<DType>> &col_var,
    MSHADOW_GRADIENT const Tensor<xpu, 2, DType> &grad, MSHADOW_HYPER double lr = 0.01,
    MSHADOW_HYPER double eps1 = 1.1920929e-7, MSHADOW_HYPER double eps2 = 1e-3,
    MSHADOW_HYPER double threshold = 1.0, MSHADOW_HYPER double decay = 0.0,
    MSHADOW_STEP int step = 1, MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  Temporary<xpu, 1, Promoted<DType>> mean_row(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> mean_update(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> size(Shape1(1), weight.stream_);
  const double inv_count = 1.0 / static_cast<double>(weight.shape_.Size());
  const double falling = 1.0 / math::sqrt(static_cast<double>(step));
  const double relative = lr < falling ? lr : falling;
  auto w = tcast<Promoted<DType>>(weight);
  mean_row = inv_count * reduce_all<red::sum>(broadcast<0>(row_var, weight.shape_));
  mean_row = 1.0 / F<op::maximum>(mean_row, eps1);
  auto variance = broadcast<0>(row_var, weight.shape_) * broadcast<1>(col_var, weight.shape_) *
                  broadcast_scalar(mean_row, weight.shape_);
  auto update = sign * tcast<Promoted<DType>>(grad) /
                F<op::square_root>(F<op::maximum>(variance, eps1 * eps1));
  mean_update = inv_count * reduce_all<red::sum>(F<op::square>(update));
  size = inv_count * reduce_all<red::sum>(F<op::square>(w));
  size = relative * F<op::maximum>(F<op::square_root>(size), eps2);
  size = F<torch_adafactor_rate>(size, mean_update, threshold);
  weight = tcast<DType>((1.0 - lr * decay) * w - broadcast_scalar(size, weight.shape_) * update);
}
MSHADOW_INSTANTIATE(TorchAdafactor, float, double, half::half_t, bfloat::bf16_t);

/// PyTorch's Adafactor for tensors that are not matrices: v = beta2 v + (1 - beta2) g^2 with
/// beta2 = 1 - t^beta2_decay, u = g / max(sqrt(v), eps1). The step is TorchAdafactor's. The order
/// of torch.optim.Adafactor for vectors.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr greatest learning rate, relative to the size of the parameters
/// \param beta2_decay power of t in beta2
/// \param eps1 least root of the variance
/// \param eps2 least size of the parameters that counts
/// \param threshold greatest root mean square of an update
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TorchAdafactorVector(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.01,
    MSHADOW_HYPER double beta2_decay = -0.8, MSHADOW_HYPER double eps1 = 1.1920929e-7,
    MSHADOW_HYPER double eps2 = 1e-3, MSHADOW_HYPER double threshold = 1.0,
    MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1,
    MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  Temporary<xpu, 1, Promoted<DType>> mean_update(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> size(Shape1(1), weight.stream_);
  const double fresh = math::pow(static_cast<double>(step), beta2_decay);
  const double falling = 1.0 / math::sqrt(static_cast<double>(step));
  const double relative = lr < falling ? lr : falling;
  const double inv_count = 1.0 / static_cast<double>(weight.shape_.Size());
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad);
  variance = (1.0 - fresh) * variance + fresh * F<op::square>(g);
  auto update = g / F<op::maximum>(F<op::square_root>(variance), eps1);
  mean_update = inv_count * reduce_all<red::sum>(F<op::square>(update));
  size = inv_count * reduce_all<red::sum>(F<op::square>(w));
  size = relative * F<op::maximum>(F<op::square_root>(size), eps2);
  size = F<torch_adafactor_rate>(size, mean_update, threshold);
  weight = tcast<DType>((1.0 - lr * decay) * w - broadcast_scalar(size, weight.shape_) * update);
}
MSHADOW_INSTANTIATE(TorchAdafactorVector, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAFACTOR_H_
