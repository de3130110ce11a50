// SPDX-License-Identifier: Apache-2.0
// Scans of rows, and what is computed of them in the same kernel.
#include <mshadow/kernel.h>

namespace golden {
using namespace mshadow;
using namespace mshadow::expr;

/// The last element that is not 0.
struct last_set {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    value = other != T(0) ? other : value;
  }
  template <typename T>
  MSHADOW_XINLINE static void Merge(T &value, T other) {
    Reduce(value, other);
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {
    value = T(0);
  }
};

/// A moving average, how far each element is from it, and how far at most.
/// \param out the differences
/// \param most the largest difference of each row
/// \param in one sequence in each row
/// \param decay the weight of the average so far
template <typename xpu, typename DType>
MSHADOW_KERNEL void Average(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> most,
                            const Tensor<xpu, 2, DType> &in, float decay = 0.9f) {
  Temporary<xpu, 2, float> mean(in.shape_, in.stream_);
  auto x = tcast<float>(in);
  mean = linear_recurrence(decay, (1.0f - decay) * x);
  out = tcast<DType>(x - mean);
  most = reduce_except_dim<0, red::maximum>(F<op::abs>(x - mean));
}
MSHADOW_INSTANTIATE(Average, float, half::half_t);

/// The elements before each one.
/// \param sums their sums
/// \param last the last one that is not 0, with this one
/// \param in one sequence in each row
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Before(Tensor<xpu, dim, DType> sums, Tensor<xpu, dim, DType> last,
                           const Tensor<xpu, dim, DType> &in) {
  sums = exclusive_scan<red::sum>(in * in);
  last = inclusive_scan<last_set>(in);
}
MSHADOW_INSTANTIATE(Before, float);

}  // namespace golden
