// A rule with numbers of columns: labels that are compared with them, elements that labels pick,
// and rows that they name.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// Squared distance from one-hot labels, its gradient, and what each label's column had.
/// \param grad gradient by the outputs
/// \param hit the output of each label's class
/// \param out outputs
/// \param label number of each sample's class
template <typename xpu, typename DType>
MSHADOW_KERNEL void LabelDistance(Tensor<xpu, 2, DType> grad, Tensor<xpu, 1, DType> hit,
                                  const Tensor<xpu, 2, DType> &out,
                                  const Tensor<xpu, 1, int32_t> &label, bool gives_hit = true) {
  grad = out - one_hot_encode<DType>(label, out.size(1));
  if (gives_hit) hit = mat_choose_row_element(out, label);
}
MSHADOW_INSTANTIATE(LabelDistance, float, half::half_t);

/// Positions, counted from the row's own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Positions(Tensor<xpu, 2, DType> out) {
  out = broadcast<1>(range<DType>(0, out.size(1)), out.shape_) -
        broadcast<0>(range<DType>(0, out.size(0)), out.shape_);
}
MSHADOW_INSTANTIATE(Positions, float);

/// A step of the rows that indices name.
/// \param weight weights of all classes
/// \param grad gradient by the weights of some classes
/// \param label number of the class of each row of grad
template <typename xpu, typename DType>
MSHADOW_KERNEL void StepOfRows(Tensor<xpu, 2, DType> weight, const Tensor<xpu, 2, DType> &grad,
                               const Tensor<xpu, 1, int32_t> &label, float lr) {
  rows(weight, label) -= lr * grad;
}
MSHADOW_INSTANTIATE(StepOfRows, float);
}  // namespace nn
