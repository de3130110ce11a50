// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace golden {
using namespace mshadow;
using namespace mshadow::expr;

/// How many elements are positive.
struct count_positive {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    value += other > T(0) ? T(1) : T(0);
  }
  template <typename T>
  MSHADOW_XINLINE static void Merge(T &value, T other) {
    value += other;
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {
    value = T(0);
  }
};

/// Never down.
struct ratchet {
  template <typename T>
  MSHADOW_XINLINE static void Save(T &value, T next) {
    value = next > value ? next : value;
  }
};

/// Where each channel is largest, and how often it is positive.
/// \param where numbers of elements
/// \param positive counts, which never go down
/// \param in the images
template <typename xpu, typename DType>
MSHADOW_KERNEL void Largest(Tensor<xpu, 1, float> where, Tensor<xpu, 1, float> positive,
                            const Tensor<xpu, 4, DType> &in) {
  auto x = tcast<float>(in);
  where = reduce_except_dim<1, red::argmax>(x);
  ExpEngine<ratchet, Tensor<xpu, 1, float>, float>::Eval(&positive,
                                                         reduce_except_dim<1, count_positive>(x));
}
MSHADOW_INSTANTIATE(Largest, float, half::half_t);
}  // namespace golden
