// SPDX-License-Identifier: Apache-2.0
// Scans of rows and recurrences, alone and beside all else that a kernel over rows does.
#include <mshadow/kernel.h>

namespace scan_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// log(exp(a) + exp(b)); -inf is nothing yet.
struct log_sum {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    const T top = value < other ? other : value;
    const T low = value < other ? value : other;
    value = top == red::limits::NegInfValue<T>() ? top : T(top + math::log1p(math::exp(low - top)));
  }
  template <typename T>
  MSHADOW_XINLINE static void Merge(T &value, T other) {
    Reduce(value, other);
  }
  template <typename T>
  MSHADOW_XINLINE static void SetInitValue(T &value) {
    value = red::limits::NegInfValue<T>();
  }
};

/// How many elements are positive: an element counts in another way than a result.
struct positives {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    if (other > T(0)) value += T(1);
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

/// The last element that is not 0: the order of the operands matters.
struct last_set {
  template <typename T>
  MSHADOW_XINLINE static void Reduce(T &value, T other) {
    if (other != T(0)) value = other;
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

/// The library's reducers, for any rank. A row is a tensor's last dimension.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Each(Tensor<xpu, dim, DType> sums, Tensor<xpu, dim, DType> products,
                         Tensor<xpu, dim, DType> largest, Tensor<xpu, dim, DType> least,
                         const Tensor<xpu, dim, DType> &in) {
  sums = inclusive_scan<red::sum>(in * DType(3));
  products = exclusive_scan<red::product>(in);
  largest = exclusive_scan<red::maximum>(in);
  least = inclusive_scan<red::minimum>(in);
}
MSHADOW_INSTANTIATE(Each, float, double, half::half_t, bfloat::bf16_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void EachOfIntegers(Tensor<xpu, dim, DType> sums, Tensor<xpu, dim, DType> products,
                                   Tensor<xpu, dim, DType> largest, Tensor<xpu, dim, DType> least,
                                   const Tensor<xpu, dim, DType> &in) {
  sums -= exclusive_scan<red::sum>(in * DType(3));
  products = inclusive_scan<red::product>(in);
  largest = inclusive_scan<red::maximum>(in);
  least = exclusive_scan<red::minimum>(in);
}
MSHADOW_INSTANTIATE(EachOfIntegers, int8_t, uint8_t, int32_t, int64_t);

/// In place, with a saver, and a scan of what another one gives.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void OfEachOther(Tensor<xpu, dim, DType> x, Tensor<xpu, dim, DType> total,
                                float scale) {
  total += exclusive_scan<red::sum>(x);
  x = inclusive_scan<red::sum>(x * DType(scale));
  x = inclusive_scan<red::maximum>(x - total);
}
MSHADOW_INSTANTIATE(OfEachOther, float, half::half_t);

/// A cumulative softmax, and where it first exceeds a level: scans beside reductions of the row,
/// and a scan that several sweeps use.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Sample(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> chosen,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, float> &level) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 2, float> sums(in.shape_, in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  sums = inclusive_scan<red::sum>(e);
  total = reduce_except_dim<0, red::maximum>(sums);
  chosen = sumall_except_dim<0>(
      F<op::lt>(sums, broadcast<0>(level, in.shape_) * broadcast<0>(total, in.shape_)));
  out = tcast<DType>(sums / broadcast<0>(total, in.shape_));
}
MSHADOW_INSTANTIATE(Sample, float, half::half_t);

/// Reducers of the spec's own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Own(Tensor<xpu, 2, DType> logs, Tensor<xpu, 2, DType> counts,
                        Tensor<xpu, 2, DType> last, const Tensor<xpu, 2, DType> &in) {
  logs = inclusive_scan<log_sum>(in);
  counts = exclusive_scan<positives>(in);
  last = inclusive_scan<last_set>(in * DType(0.5));
}
MSHADOW_INSTANTIATE(Own, float, double, half::half_t);

/// Recurrences whose factors are elements, a launch's number, and a row's.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Recurrences(Tensor<xpu, 2, DType> h, Tensor<xpu, 2, DType> mean,
                                Tensor<xpu, 2, DType> decayed, const Tensor<xpu, 2, DType> &a,
                                const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 1, DType> &rate,
                                float share = 0.1f) {
  h = linear_recurrence(a, b * b);
  mean = linear_recurrence(1.0f - share, DType(share) * b);
  decayed = linear_recurrence(broadcast<0>(rate, b.shape_), b);
}
MSHADOW_INSTANTIATE(Recurrences, float, double, half::half_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void IntegerRecurrence(Tensor<xpu, dim, DType> h, const Tensor<xpu, dim, DType> &a,
                                      const Tensor<xpu, dim, DType> &b) {
  h = linear_recurrence(a, b);
}
MSHADOW_INSTANTIATE(IntegerRecurrence, int8_t, int32_t, uint8_t);

/// In branches, and of elements at other places.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Chosen(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           bool forwards, bool twice) {
  Temporary<xpu, dim, DType> sums(in.shape_, in.stream_);
  if (forwards) {
    sums = inclusive_scan<red::sum>(in);
  } else {
    sums = inclusive_scan<red::sum>(flip(in, dim - 1));
  }
  out = sums * DType(0.5);
  if (twice) out = exclusive_scan<red::sum>(out);
}
MSHADOW_INSTANTIATE(Chosen, float, int32_t);

/// Rows and columns: kernels of their own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void BesideColumns(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> columns,
                                  const Tensor<xpu, 2, DType> &in) {
  out = inclusive_scan<red::sum>(in);
  columns = sum_rows(out * in);
  out = inclusive_scan<red::sum>(out - broadcast<1>(columns, in.shape_));
}
MSHADOW_INSTANTIATE(BesideColumns, float);

}  // namespace scan_rules
