// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// The value of the largest size.
struct farthest {
  template <typename T>
  static void Reduce(T &value, T other) {
    if (math::abs(other) > math::abs(value)) value = other;
  }
  template <typename T>
  static void Merge(T &value, T other) {
    Reduce(value, other);
  }
  template <typename T>
  static void SetInitValue(T &value) {
    value = T(0);
  }
};

/// Of any rank, in float if the elements are narrow.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Scanned(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = inclusive_scan<red::sum>(in * in);
  out *= exclusive_scan<red::maximum>(in);
  out = inclusive_scan<farthest>(in);
}
MSHADOW_INSTANTIATE(Scanned, float, half::half_t);

/// With factors that are elements, and with a number.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Recurrences(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &a,
                                const Tensor<xpu, 3, DType> &b, float decay) {
  out = linear_recurrence(a, b);
  out = linear_recurrence(1.0f - decay, b);
}
MSHADOW_INSTANTIATE(Recurrences, double, half::half_t);

}  // namespace specs
