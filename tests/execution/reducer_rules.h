// SPDX-License-Identifier: Apache-2.0
// Reductions that few rules have: products, numbers of elements, reducers of the spec's own.
#include <mshadow/kernel.h>

namespace reducer_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// log(exp(a) + exp(b)), without overflow; -inf is nothing yet.
struct log_add {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    const T top = value < other ? other : value;
    const T low = value < other ? value : other;
    if (top == red::limits::NegInfValue<T>()) {
      value = top;
    } else {
      value = top + math::log1p(math::exp(low - top));
    }
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {
    value = red::limits::NegInfValue<T>();
  }
};

/// How many elements are positive: an element is taken in another way than the results of parts are
/// merged.
struct count_positive {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    if (!(other > T(0))) return;
    value += T(1);
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

/// The value of the largest size, in the form that mshadow's own reducers have.
struct farthest {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(volatile T &dst, volatile T src) {
    if (math::abs(T(src)) > math::abs(T(dst))) dst = src;
  }
  template <typename T>
  MSHADOW_XINLINE static void Merge(volatile T &dst, volatile T src) {
    Reduce(dst, src);
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &initv) {
    initv = 0;
  }
};

/// All bits that some element has; starts with the lowest value, which is no constant of Clang's.
struct bit_or {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    value = static_cast<T>(value | other);
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {
    value = red::limits::MinValue<T>();
  }
};

/// A sum with 2 more for each part that begins: it tells how often one does.
struct sum_from_two {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    value += other;
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {
    value = T(2);
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void RowProducts(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> all,
                                const Tensor<xpu, 2, DType> &in) {
  all *= 2 * reduce_except_dim<0, red::product>(in);
  out = in / broadcast<0>(all, in.shape_);
}
MSHADOW_INSTANTIATE(RowProducts, float, double, half::half_t, bfloat::bf16_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void IntegerProducts(Tensor<xpu, 1, DType> columns,
                                    const Tensor<xpu, 3, DType> &in) {
  columns = reduce_except_dim<2, red::product>(in * DType(3));
}
MSHADOW_INSTANTIATE(IntegerProducts, int8_t, uint8_t, int32_t, int64_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void ChannelProducts(Tensor<xpu, 1, float> all, const Tensor<xpu, 4, DType> &in) {
  all = reduce_except_dim<1, red::product>(tcast<float>(in));
}
MSHADOW_INSTANTIATE(ChannelProducts, float, bfloat::bf16_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AllProducts(Tensor<xpu, 1, DType> all, const Tensor<xpu, dim, DType> &in) {
  all = reduce_all<red::product>(in);
}
MSHADOW_INSTANTIATE(AllProducts, float, int32_t);

/// Numbers of elements: scaled, added, compared with others, in several types at once.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RowNumbers(Tensor<xpu, 1, DType> most, Tensor<xpu, 1, DType> least,
                               Tensor<xpu, 1, float> size, const Tensor<xpu, 2, DType> &in) {
  most = reduce_except_dim<0, red::argmax>(in);
  least += 2 * reduce_except_dim<0, red::argmin>(in);
  size = reduce_except_dim<0, red::argmax>(F<op::abs>(tcast<float>(in)));
}
MSHADOW_INSTANTIATE(RowNumbers, float, double);

template <typename xpu, typename DType>
MSHADOW_KERNEL void IntegerNumbers(Tensor<xpu, 1, DType> most, Tensor<xpu, 1, DType> least,
                                   const Tensor<xpu, 2, DType> &in) {
  most = reduce_except_dim<0, red::argmax>(in);
  least = reduce_except_dim<0, red::argmin>(in);
}
MSHADOW_INSTANTIATE(IntegerNumbers, int32_t, int64_t);

/// A number that is broadcast back, in a branch.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OneHotOfLargest(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                    bool largest) {
  Temporary<xpu, 1, float> number(Shape1(in.size(0)), in.stream_);
  if (largest) {
    number = reduce_except_dim<0, red::argmax>(tcast<float>(in));
  } else {
    number = reduce_except_dim<0, red::argmin>(tcast<float>(in));
  }
  out = one_hot_encode<DType>(number, out.size(1)) * in;
}
MSHADOW_INSTANTIATE(OneHotOfLargest, float, half::half_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void ColumnNumbers(Tensor<xpu, 1, DType> most, Tensor<xpu, 1, float> least,
                                  Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  most = reduce_except_dim<2, red::argmax>(in);
  least = reduce_except_dim<2, red::argmin>(tcast<float>(in * in));
  out = in - tcast<DType>(broadcast<2>(least, in.shape_));
}
MSHADOW_INSTANTIATE(ColumnNumbers, float, double, int32_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void ChannelNumbers(Tensor<xpu, 1, DType> most, Tensor<xpu, 1, float> least,
                                   Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  most = reduce_except_dim<1, red::argmax>(in);
  least = reduce_except_dim<1, red::argmin>(tcast<float>(in));
  out = in * tcast<DType>(broadcast<1>(least, in.shape_));
}
MSHADOW_INSTANTIATE(ChannelNumbers, float, double, int32_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AllNumbers(Tensor<xpu, 1, DType> most, Tensor<xpu, 1, float> least,
                               Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  most = reduce_all<red::argmax>(in);
  least = reduce_all<red::argmin>(tcast<float>(in)) * 0.5f;
  out = in + tcast<DType>(broadcast_scalar(least, in.shape_));
}
MSHADOW_INSTANTIATE(AllNumbers, float, double, int64_t);

/// A softmax of one sweep less than the usual one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LogSoftmaxByReducer(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                        float scale = 0.75f) {
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = scale * tcast<float>(in);
  total = reduce_except_dim<0, log_add>(x);
  out = tcast<DType>(x - broadcast<0>(total, in.shape_));
}
MSHADOW_INSTANTIATE(LogSoftmaxByReducer, float, half::half_t);

/// Reducers in the type of the elements, some of which are no floats.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OwnOfRows(Tensor<xpu, 1, DType> furthest, Tensor<xpu, 1, DType> count,
                              Tensor<xpu, 1, float> wide, const Tensor<xpu, 2, DType> &in) {
  furthest = reduce_except_dim<0, farthest>(in);
  count += 3 * reduce_except_dim<0, count_positive>(in);
  wide = reduce_except_dim<0, count_positive>(tcast<float>(in) - 1.0f);
}
MSHADOW_INSTANTIATE(OwnOfRows, float, double, half::half_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OwnOfIntegers(Tensor<xpu, 1, DType> bits, Tensor<xpu, 1, DType> count,
                                  const Tensor<xpu, 2, DType> &in) {
  bits = reduce_except_dim<1, bit_or>(in);
  count = reduce_except_dim<1, count_positive>(in);
}
MSHADOW_INSTANTIATE(OwnOfIntegers, int8_t, uint8_t, int32_t, int64_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void SumsFromTwo(Tensor<xpu, 1, DType> rows, Tensor<xpu, 1, DType> columns,
                                const Tensor<xpu, 2, DType> &in) {
  rows = reduce_except_dim<0, sum_from_two>(in);
  columns = reduce_except_dim<1, sum_from_two>(in);
}
MSHADOW_INSTANTIATE(SumsFromTwo, float, int32_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OwnOfChannels(Tensor<xpu, 1, DType> furthest, Tensor<xpu, 1, float> total,
                                  Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  furthest = reduce_except_dim<1, farthest>(in);
  total = reduce_except_dim<1, log_add>(tcast<float>(in));
  out = in - broadcast<1>(furthest, in.shape_);
}
MSHADOW_INSTANTIATE(OwnOfChannels, float, bfloat::bf16_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void OwnOfAll(Tensor<xpu, 1, DType> furthest, Tensor<xpu, 1, float> total,
                             Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  furthest = reduce_all<farthest>(in);
  total = reduce_all<log_add>(tcast<float>(in));
  total += reduce_all<count_positive>(tcast<float>(in));
  out = in - broadcast_scalar(furthest, in.shape_);
}
MSHADOW_INSTANTIATE(OwnOfAll, float, half::half_t);

/// Several kernels, each with numbers or a reducer of its own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void StagedNumbers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> row(Shape1(in.size(0)), in.stream_),
      column(Shape1(in.size(1)), in.stream_);
  row = reduce_except_dim<0, red::argmax>(in);
  out = in + broadcast<0>(row, in.shape_);
  MSHADOW_STAGE();
  column = reduce_except_dim<1, red::argmin>(out);
  out += broadcast<1>(column, in.shape_);
  MSHADOW_STAGE();
  row = reduce_except_dim<0, farthest>(out);
  out -= broadcast<0>(row, in.shape_);
}
MSHADOW_INSTANTIATE(StagedNumbers, float, int32_t);

// Savers of the spec's own, and mshadow's functions that take one.

/// A moving average; narrow types round each step.
struct average {
  template <typename T>
  MSHADOW_XINLINE static void Save(T &value, T next) {
    value = T(value * T(0.75f));
    value += T(next * T(0.25f));
  }
};

/// Only upwards, and not to what is no number.
struct ratchet {
  template <typename T>
  MSHADOW_XINLINE static void Save(T &value, T next) {
    if (!(next > value)) return;
    value = next;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Saved(Tensor<xpu, dim, DType> mean, Tensor<xpu, dim, float> top,
                          Tensor<xpu, dim, DType> total, const Tensor<xpu, dim, DType> &in,
                          bool more) {
  MapExp<average>(&mean, in * in);
  MapExp<ratchet>(&top, tcast<float>(mean));
  if (more) {
    MapExp<average>(&mean, scalar<DType>(2.0f));
    MapExp<sv::plusto>(&total, mean);
  } else {
    ExpEngine<ratchet, Tensor<xpu, dim, DType>, DType>::Eval(&total, in - mean);
  }
}
MSHADOW_INSTANTIATE(Saved, float, double, half::half_t, bfloat::bf16_t);

/// Savers of what is reduced, and of vectors.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SavedRows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> top,
                              Tensor<xpu, 1, DType> mean, const Tensor<xpu, 2, DType> &in) {
  ExpEngine<ratchet, Tensor<xpu, 1, DType>, DType>::Eval(&top,
                                                         reduce_except_dim<0, red::maximum>(in));
  ExpEngine<average, Tensor<xpu, 1, DType>, DType>::Eval(&mean,
                                                         0.5f * reduce_except_dim<0, farthest>(in));
  ExpEngine<sv::minusto, Tensor<xpu, 1, DType>, DType>::Eval(&mean,
                                                             reduce_except_dim<0, red::argmax>(in));
  MapExp<ratchet>(&top, mean);
  MapExp<average>(&out, in - broadcast<0>(top, in.shape_));
}
MSHADOW_INSTANTIATE(SavedRows, float, half::half_t);

/// The same of integers, which wrap.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SavedIntegers(Tensor<xpu, dim, DType> most, const Tensor<xpu, dim, DType> &in) {
  MapExp<ratchet>(&most, in * in);
}
MSHADOW_INSTANTIATE(SavedIntegers, int8_t, uint8_t, int32_t, int64_t);
}  // namespace reducer_rules
