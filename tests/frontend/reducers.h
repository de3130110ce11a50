// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// With another way to merge; calls a function that changes its argument, and returns early.
struct clipped_sum {
  template <typename T>
  static void Add(T &value, T other) {
    value += other;
  }
  template <typename T>
  static void Reduce(T &value, T other) {
    if (other > T(1)) {
      Add(value, T(1));
      return;
    }
    Add(value, other);
  }
  template <typename T>
  static void Merge(T &value, T other) {
    Add(value, other);
  }
  template <typename T>
  static void SetInitValue(T &value) {
    value = T(0);
  }
};

/// As mshadow's own reducers are written: Merge is Reduce, and values are volatile.
struct lowest {
  template <typename T>
  static void Reduce(volatile T &dst, volatile T src) {
    if (src < dst) dst = src;
  }
  template <typename T>
  static void Merge(volatile T &dst, volatile T src) {
    Reduce(dst, src);
  }
  template <typename T>
  static void SetInitValue(T &initv) {
    initv = red::limits::PosInfValue<T>();
  }
};

struct half_way {
  template <typename T>
  static void Save(T &old, T next) {
    old = (old + next) * T(0.5f);
  }
};

/// Products, numbers of elements with a scale, reducers of the spec's own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reduced(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reduce_except_dim<0, red::product>(in);
  out += 3.0f * reduce_except_dim<0, red::argmax>(in);
  out = reduce_except_dim<0, red::argmin>(in);
  out = 2.0f * reduce_except_dim<0, clipped_sum>(in);
  out = reduce_except_dim<0, lowest>(in);
}
MSHADOW_INSTANTIATE(Reduced, float, half::half_t);

/// mshadow's functions, with its savers and one of the spec's own.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Saved(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, float> total,
                          const Tensor<xpu, dim, DType> &in) {
  MapExp<sv::minusto>(&out, in * in);
  MapExp<half_way>(&out, scalar<DType>(3.0f));
  ExpEngine<half_way, Tensor<xpu, 1, float>, float>::Eval(&total,
                                                          reduce_all<red::sum>(tcast<float>(in)));
}
MSHADOW_INSTANTIATE(Saved, float);
}  // namespace specs
