// SPDX-License-Identifier: Apache-2.0
// What the shipped rules that reduce rows have no use for: other element types, variants, vectors
// that are read and written, temporaries of every kind.
#include <mshadow/kernel.h>

namespace row_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Every reducer in the type of the tensors itself; scales on both sides.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                             Tensor<xpu, 1, DType> least, const Tensor<xpu, 2, DType> &in) {
  total = sumall_except_dim<0>(in) * 3;
  total -= 0.1f * (0.7f * sumall_except_dim<0>(in * in));
  top = reduce_except_dim<0, red::maximum>(in);
  least += reduce_except_dim<0, red::minimum>(in);
}
MSHADOW_INSTANTIATE(Reducers, float, double, half::half_t, bfloat::bf16_t);

/// The same for integers, which wrap.
template <typename xpu, typename DType>
MSHADOW_KERNEL void IntegerReducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                                    Tensor<xpu, 1, DType> least, const Tensor<xpu, 2, DType> &in) {
  total = sumall_except_dim<0>(in) * 3;
  total -= 2 * sumall_except_dim<0>(in * in);
  top = reduce_except_dim<0, red::maximum>(in);
  least += reduce_except_dim<0, red::minimum>(in);
}
MSHADOW_INSTANTIATE(IntegerReducers, int8_t, uint8_t, int32_t, int64_t);

/// Statements in branches; a vector that one sweep reads before another gives it anew.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Variants(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> loss,
                             const Tensor<xpu, 2, DType> &in, bool centre, bool twice) {
  auto x = tcast<float>(in);
  out = tcast<DType>(x * broadcast<0>(loss, in.shape_));
  if (centre) {
    loss = 0.125f * sumall_except_dim<0>(x);
    out -= tcast<DType>(broadcast<0>(loss, in.shape_));
  } else {
    loss = reduce_except_dim<0, red::maximum>(tcast<float>(out));
  }
  if (twice) {
    out = out + tcast<DType>(broadcast<0>(loss, in.shape_));
    loss *= 2.0f;
  }
  loss += reduce_except_dim<0, red::minimum>(tcast<float>(out));
}
MSHADOW_INSTANTIATE(Variants, float, half::half_t);

/// Elements that are written, reduced, and written again; a matrix that nobody reads.
template <typename xpu, typename DType>
MSHADOW_KERNEL void InPlace(Tensor<xpu, 2, DType> x, Tensor<xpu, 2, int32_t> count,
                            const Tensor<xpu, 1, DType> &gain) {
  Temporary<xpu, 1, DType> total(Shape1(x.size(0)), x.stream_);
  x = F<op::abs>(x) + broadcast<1>(gain, x.shape_);
  total = sumall_except_dim<0>(x);
  x /= broadcast<0>(total, x.shape_);
  total = sumall_except_dim<0>(x * x);
  total = F<op::square_root>(total) + total;
  x = x - broadcast<0>(total, x.shape_);
  count = tcast<int32_t>(x);
}
MSHADOW_INSTANTIATE(InPlace, float, double, bfloat::bf16_t);

/// A value of each row, though nothing is reduced.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Scaled(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> scale,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, float> &weight) {
  scale += 1.0f / F<op::square_root>(weight + 1.0f);
  out = tcast<DType>(tcast<float>(in) * broadcast<0>(scale, in.shape_));
}
MSHADOW_INSTANTIATE(Scaled, float, half::half_t);

/// Temporaries of an element-wise rule.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Elements(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> other,
                             const Tensor<xpu, dim, DType> &in, bool more, float factor = 1.25f) {
  Temporary<xpu, dim, float> wide(in.shape_, in.stream_);
  Temporary<xpu, dim, DType> old(in.shape_, in.stream_);
  wide = tcast<float>(in) * factor;
  old = F<op::identity>(out);
  out = tcast<DType>(wide + wide);
  if (more) wide += tcast<float>(old);
  other = tcast<DType>(wide) - old;
}
MSHADOW_INSTANTIATE(Elements, float, half::half_t);
/// A condition asked for again where it is known: what the other branch reads is read by nobody.
template <typename xpu, typename DType>
MSHADOW_KERNEL void AskedTwice(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               const Tensor<xpu, 2, DType> &more,
                               const Tensor<xpu, 1, DType> &other, bool summed) {
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)), in.stream_);
  total = sumall_except_dim<0>(in);
  if (summed) {
    if (summed) {
      out = in * broadcast<0>(total, in.shape_);
    } else {
      total = other;
      out = more * broadcast<0>(total, in.shape_);
    }
  } else {
    out = in * 0.5f;
  }
}
MSHADOW_INSTANTIATE(AskedTwice, float, double);

/// Values that cost much in several sweeps: one in three, one in two of which one is below a
/// condition, one that is made of another.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Buffers(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> entropy,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, float> &gain,
                            bool entire) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  auto p = e / broadcast<0>(total, in.shape_);
  auto log_p = F<op::log>(p + 0.5f) * broadcast<1>(gain, in.shape_);
  entropy = sumall_except_dim<0>(p * log_p);
  if (entire) {
    out = tcast<DType>(log_p - broadcast<0>(entropy, in.shape_) * e);
  } else {
    out = tcast<DType>(e);
  }
}
MSHADOW_INSTANTIATE(Buffers, float, double, half::half_t, bfloat::bf16_t);

/// The same function of what is another value the second time; doubles' buffers are shorter.
template <typename xpu, typename DType>
MSHADOW_KERNEL void BufferInPlace(Tensor<xpu, 2, DType> x, Tensor<xpu, 1, DType> total) {
  total = sumall_except_dim<0>(F<op::sigmoid>(x));
  x = F<op::sigmoid>(x) - broadcast<0>(total, x.shape_) * DType(0.125f);
  total = sumall_except_dim<0>(F<op::sigmoid>(x));
}
MSHADOW_INSTANTIATE(BufferInPlace, float, double, half::half_t);

/// Temporaries with an element for each of the rule's: one that is cheap, one that a buffer holds,
/// one in terms of both.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Temporaries(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> loss,
                                const Tensor<xpu, 2, DType> &in, bool twice) {
  Temporary<xpu, 2, float> x(in.shape_, in.stream_);
  Temporary<xpu, 2, float> e(in.shape_, in.stream_);
  Temporary<xpu, 2, DType> half(in.shape_, in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  x = tcast<float>(in) * 0.5f;
  e = F<op::exp>(x);
  half = tcast<DType>(e - x);
  total = sumall_except_dim<0>(e);
  if (twice) total += sumall_except_dim<0>(tcast<float>(half));
  loss = F<op::log>(total);
  out = tcast<DType>(e / broadcast<0>(total, in.shape_)) + half;
}
MSHADOW_INSTANTIATE(Temporaries, float, half::half_t);
}  // namespace row_rules
