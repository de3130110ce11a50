// SPDX-License-Identifier: Apache-2.0
/// \file onnx_rules.h
/// Operators of ONNX that no shipped rule computes, each as a short rule. onnx_backend.py calls
/// them with matrices: what an operator treats alike is one dimension.
#ifndef TESTS_CONFORMANCE_ONNX_RULES_H_
#define TESTS_CONFORMANCE_ONNX_RULES_H_

#include <mshadow/kernel.h>

namespace conformance {
using namespace mshadow;
using namespace mshadow::expr;

struct floor {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return math::floor(a);
  }
};

struct ceil {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return math::ceil(a);
  }
};

/// To the nearest integer, halves to the even one.
struct round_even {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    const bool is_half = math::abs(a - math::trunc(a)) == T(0.5f);
    return is_half ? T(2.0f) * math::round(a / T(2.0f)) : math::round(a);
  }
};

struct is_nan {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return math::isnan(a) ? T(1.0f) : T(0.0f);
  }
};

struct is_infinite {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return math::isinf(a) ? T(1.0f) : T(0.0f);
  }
};

/// The remainder of a quotient that is rounded to 0.
struct remainder {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a - b * (a / b);
  }
};

/// The remainder of a quotient that is rounded down: it has the divisor's sign.
struct modulo {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    const T rest = a - b * (a / b);
    if (rest == T(0)) return rest;
    return rest < T(0) ? (b < T(0) ? rest : rest + b) : (b < T(0) ? rest + b : rest);
  }
};

/// As `remainder`, of floats.
struct float_remainder {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return math::isinf(b) ? a : math::copysign(a - b * math::trunc(a / b), a);
  }
};

/// As `modulo`, of floats.
struct float_modulo {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    const T rest = float_remainder::Map(a, b);
    if (rest == T(0)) return math::copysign(rest, b);
    return (rest < T(0)) == (b < T(0)) ? rest : rest + b;
  }
};

// A rule of one operand, of two, or of two that gives truth values. The value is an expression.
#define CONFORMANCE_UNARY(Rule, value, ...)                                                  \
  template <typename xpu, int dim, typename DType>                                           \
  MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) { \
    out = value;                                                                             \
  }                                                                                          \
  MSHADOW_INSTANTIATE(Rule, __VA_ARGS__)
#define CONFORMANCE_BINARY(Rule, value, ...)                                               \
  template <typename xpu, int dim, typename DType>                                         \
  MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,  \
                           const Tensor<xpu, dim, DType> &b) {                             \
    out = value;                                                                           \
  }                                                                                        \
  MSHADOW_INSTANTIATE(Rule, __VA_ARGS__)
#define CONFORMANCE_COMPARISON(Rule, value)                                               \
  template <typename xpu, int dim, typename DType>                                        \
  MSHADOW_KERNEL void Rule(Tensor<xpu, dim, bool> out, const Tensor<xpu, dim, DType> &a,  \
                           const Tensor<xpu, dim, DType> &b) {                            \
    out = tcast<bool>(value);                                                             \
  }                                                                                       \
  MSHADOW_INSTANTIATE(Rule, float, half::half_t, int8_t, uint8_t, int32_t, int64_t)
#define CONFORMANCE_NUMBERS float, double, half::half_t, int8_t, uint8_t, int32_t, int64_t
#define CONFORMANCE_INTEGERS int8_t, uint8_t, int32_t, int64_t

constexpr float kSixth = 1.0f / 6.0f;
CONFORMANCE_UNARY(Abs, F<op::abs>(in), float, double);
CONFORMANCE_UNARY(Neg, -in, float, double, int64_t);
CONFORMANCE_UNARY(Sign, F<op::sign>(in), float);
CONFORMANCE_UNARY(Reciprocal, F<op::reciprocal>(in), float);
CONFORMANCE_UNARY(Sqrt, F<op::square_root>(in), float, double);
CONFORMANCE_UNARY(Floor, F<floor>(in), float);
CONFORMANCE_UNARY(Ceil, F<ceil>(in), float);
CONFORMANCE_UNARY(Round, F<round_even>(in), float);
CONFORMANCE_UNARY(Softsign, in / (F<op::abs>(in) + 1.0f), float);
CONFORMANCE_UNARY(HardSwish, in * F<op::minimum>(F<op::maximum>(in * kSixth + 0.5f, 0.0f), 1.0f),
                  float);
CONFORMANCE_UNARY(Mish, in * F<op::tanh>(F<op::softplus>(in)), float);
CONFORMANCE_UNARY(Not, in == false, bool);

CONFORMANCE_BINARY(Add, a + b, CONFORMANCE_NUMBERS);
CONFORMANCE_BINARY(Sub, a - b, CONFORMANCE_NUMBERS);
CONFORMANCE_BINARY(Mul, a * b, CONFORMANCE_NUMBERS);
CONFORMANCE_BINARY(Div, a / b, CONFORMANCE_NUMBERS);
CONFORMANCE_BINARY(Max, F<op::maximum>(a, b), CONFORMANCE_NUMBERS);
CONFORMANCE_BINARY(Min, F<op::minimum>(a, b), CONFORMANCE_NUMBERS);
CONFORMANCE_BINARY(Pow, F<op::power>(a, b), float, double);
CONFORMANCE_BINARY(Remainder, F<remainder>(a, b), CONFORMANCE_INTEGERS);
CONFORMANCE_BINARY(Mod, F<modulo>(a, b), CONFORMANCE_INTEGERS);
CONFORMANCE_BINARY(FloatRemainder,
                   tcast<DType>(F<float_remainder>(tcast<double>(a), tcast<double>(b))), float,
                   double, half::half_t);
CONFORMANCE_BINARY(FloatMod, tcast<DType>(F<float_modulo>(tcast<double>(a), tcast<double>(b))),
                   float, double, half::half_t);
CONFORMANCE_BINARY(PRelu, where(a < 0.0f, b * a, a), float);
CONFORMANCE_BINARY(And, a * b, bool);
CONFORMANCE_BINARY(Or, F<op::maximum>(a, b), bool);
CONFORMANCE_BINARY(Xor, a != b, bool);

CONFORMANCE_COMPARISON(Equal, a == b);
CONFORMANCE_COMPARISON(Greater, a > b);
CONFORMANCE_COMPARISON(GreaterOrEqual, a >= b);
CONFORMANCE_COMPARISON(Less, a < b);
CONFORMANCE_COMPARISON(LessOrEqual, a <= b);

/// Another element type.
template <typename xpu, int dim, typename Out, typename In>
MSHADOW_KERNEL void Cast(Tensor<xpu, dim, Out> out, const Tensor<xpu, dim, In> &in) {
  out = tcast<Out>(in);
}
MSHADOW_INSTANTIATE(Cast, Types<float, double>, Types<double, float>, Types<half::half_t, float>,
                    Types<float, half::half_t>, Types<half::half_t, double>,
                    Types<double, half::half_t>, Types<float, int32_t>, Types<float, int64_t>,
                    Types<int64_t, float>, Types<int32_t, float>, Types<int64_t, int32_t>,
                    Types<int32_t, int64_t>, Types<int32_t, bool>, Types<bool, int32_t>,
                    Types<bool, float>, Types<float, bool>, Types<uint8_t, bool>,
                    Types<bool, uint8_t>, Types<uint8_t, float>, Types<float, uint8_t>,
                    Types<bfloat::bf16_t, float>, Types<float, bfloat::bf16_t>);

/// a where the condition is true, else b.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Where(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, bool> &condition,
                          const Tensor<xpu, dim, DType> &a, const Tensor<xpu, dim, DType> &b) {
  out = where(tcast<DType>(condition), a, b);
}
MSHADOW_INSTANTIATE(Where, float, half::half_t, int8_t, int64_t);

/// x limited to [low, high]; high if low is greater.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Clip(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in, DType low,
                         DType high) {
  out = F<op::minimum>(F<op::maximum>(in, low), high);
}
MSHADOW_INSTANTIATE(Clip, float, int8_t);

/// alpha x + beta limited to [0, 1].
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void HardSigmoid(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                float alpha = 0.2f, float beta = 0.5f) {
  out = F<op::minimum>(F<op::maximum>(alpha * in + beta, 0.0f), 1.0f);
}
MSHADOW_INSTANTIATE(HardSigmoid, float);

/// gamma x where x > 0, else gamma alpha (e^x - 1).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Selu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         float alpha = 1.67326319f, float gamma = 1.05070102f) {
  out = gamma * where(in > 0.0f, in, alpha * F<op::expm1>(in));
}
MSHADOW_INSTANTIATE(Selu, float);

/// x where x > 0, else alpha (e^(x / alpha) - 1).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Celu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         float alpha = 1.0f) {
  auto x = tcast<float>(in);
  out = tcast<DType>(F<op::maximum>(x, 0.0f) +
                     F<op::minimum>(alpha * F<op::expm1>(x / alpha), 0.0f));
}
MSHADOW_INSTANTIATE(Celu, float, half::half_t);

/// x where x > alpha, else 0.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ThresholdedRelu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                    float alpha = 1.0f) {
  out = where(in > alpha, in, 0.0f);
}
MSHADOW_INSTANTIATE(ThresholdedRelu, float);

/// x moved by bias towards 0, and 0 where |x| <= lambda.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Shrink(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           float bias = 0.0f, float lambda = 0.5f) {
  out = where(in < -lambda, in + bias, where(in > lambda, in - bias, 0.0f));
}
MSHADOW_INSTANTIATE(Shrink, float);

/// x sigmoid(alpha x).
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Swish(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                          float alpha = 1.0f) {
  auto x = tcast<float>(in);
  out = tcast<DType>(x * F<op::sigmoid>(alpha * x));
}
MSHADOW_INSTANTIATE(Swish, float, half::half_t);

/// Whether an element is a NaN.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void IsNaN(Tensor<xpu, dim, bool> out, const Tensor<xpu, dim, DType> &in) {
  out = tcast<bool>(F<is_nan>(in));
}
MSHADOW_INSTANTIATE(IsNaN, float, half::half_t);

/// Whether an element is an infinity of one of the wanted signs.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void IsInf(Tensor<xpu, dim, bool> out, const Tensor<xpu, dim, DType> &in,
                          bool negative, bool positive) {
  const float below = negative ? 1.0f : 0.0f, above = positive ? 1.0f : 0.0f;
  auto x = tcast<float>(in);
  out = tcast<bool>(F<is_infinite>(x) * ((x < 0.0f) * below + (x > 0.0f) * above));
}
MSHADOW_INSTANTIATE(IsInf, float, half::half_t);

/// (x - zero) scale.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void DequantizeLinear(Tensor<xpu, dim, float> out, const Tensor<xpu, dim, DType> &in,
                                     const Tensor<xpu, dim, float> &scale,
                                     const Tensor<xpu, dim, DType> &zero) {
  out = tcast<float>(tcast<int32_t>(in) - tcast<int32_t>(zero)) * scale;
}
MSHADOW_INSTANTIATE(DequantizeLinear, uint8_t);

/// x / scale + zero, rounded to even and limited to the type.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void QuantizeLinear(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, float> &in,
                                   const Tensor<xpu, dim, float> &scale,
                                   const Tensor<xpu, dim, DType> &zero) {
  out = tcast<DType>(F<round_even>(in / scale) + tcast<float>(zero));
}
MSHADOW_INSTANTIATE(QuantizeLinear, uint8_t);

/// alpha a + beta b.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ScaledSum(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                              const Tensor<xpu, dim, DType> &b, float alpha, float beta) {
  out = alpha * a + beta * b;
}
MSHADOW_INSTANTIATE(ScaledSum, float);

// A result for each row; `value` is an expression of in.
#define CONFORMANCE_ROWS(Rule, Reducer, value, ...)                                        \
  template <typename xpu, typename DType>                                                  \
  MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {   \
    out = reduce_except_dim<0, Reducer>(value);                                            \
  }                                                                                        \
  MSHADOW_INSTANTIATE(Rule, __VA_ARGS__)

CONFORMANCE_ROWS(ReduceSum, red::sum, in, float, double);
CONFORMANCE_ROWS(ReduceProd, red::product, in, float);
CONFORMANCE_ROWS(ReduceMax, red::maximum, in, float, double, uint8_t);
CONFORMANCE_ROWS(ReduceMin, red::minimum, in, float, uint8_t);
CONFORMANCE_ROWS(ReduceL1, red::sum, F<op::abs>(in), float);
CONFORMANCE_ROWS(ReduceSumSquare, red::sum, in *in, float);

/// The mean of each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ReduceMean(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = sumall_except_dim<0>(in);
  out /= static_cast<float>(in.size(1));
}
MSHADOW_INSTANTIATE(ReduceMean, float);

/// The Euclidean norm of each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ReduceL2(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = sumall_except_dim<0>(in * in);
  out = F<op::square_root>(out);
}
MSHADOW_INSTANTIATE(ReduceL2, float);

/// The logarithm of the sum of each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ReduceLogSum(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = sumall_except_dim<0>(in);
  out = F<op::log>(out);
}
MSHADOW_INSTANTIATE(ReduceLogSum, float);

// The column of the first or the last of the largest or smallest elements of each row.
#define CONFORMANCE_INDEX(Rule, Reducer)                                                     \
  template <typename xpu, typename DType>                                                    \
  MSHADOW_KERNEL void Rule(Tensor<xpu, 1, int64_t> out, const Tensor<xpu, 2, DType> &in) {   \
    Temporary<xpu, 1, DType> best(Shape1(in.size(0)), in.stream_);                           \
    best = reduce_except_dim<0, Reducer>(in);                                                \
    out = tcast<int64_t>(best);                                                              \
  }                                                                                          \
  MSHADOW_INSTANTIATE(Rule, float);                                                          \
  template <typename xpu, typename DType>                                                    \
  MSHADOW_KERNEL void Rule##Last(Tensor<xpu, 1, int64_t> out,                                \
                                 const Tensor<xpu, 2, DType> &in) {                          \
    Temporary<xpu, 1, DType> best(Shape1(in.size(0)), in.stream_);                           \
    best = reduce_except_dim<0, Reducer>(mirror(in));                                        \
    out = tcast<int64_t>(static_cast<float>(in.size(1) - 1) - best);                         \
  }                                                                                          \
  MSHADOW_INSTANTIATE(Rule##Last, float)

CONFORMANCE_INDEX(ArgMax, red::argmax);
CONFORMANCE_INDEX(ArgMin, red::argmin);

/// 1 at the first largest element of each row, else 0.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Hardmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> best(Shape1(in.size(0)), in.stream_);
  best = reduce_except_dim<0, red::argmax>(in);
  out = one_hot_encode<DType>(best, out.size(1));
}
MSHADOW_INSTANTIATE(Hardmax, float);

/// x / sum |x| of each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void L1Normalize(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(F<op::abs>(in), 1);
  out = in / broadcast_keepdim(total, 1, in.size(1));
}
MSHADOW_INSTANTIATE(L1Normalize, float);

/// The matrix product.
template <typename xpu, typename DType>
MSHADOW_KERNEL void MatMul(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                           const Tensor<xpu, 2, DType> &b) {
  out = dot(a, b);
}
MSHADOW_INSTANTIATE(MatMul, float, half::half_t);

/// -weight x at the label of each row, and that weight; 0 for rows with the label `ignored`. The
/// indices are the labels, with any class in the place of `ignored`.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RowLosses(Tensor<xpu, 1, DType> loss, Tensor<xpu, 1, DType> weight,
                              const Tensor<xpu, 2, DType> &log_prob,
                              const Tensor<xpu, 2, DType> &weights,
                              const Tensor<xpu, 1, int64_t> &label,
                              const Tensor<xpu, 1, int64_t> &index, int64_t ignored) {
  weight = mat_choose_row_element(weights, index) * tcast<DType>(label != ignored);
  loss = -mat_choose_row_element(log_prob, index) * weight;
}
MSHADOW_INSTANTIATE(RowLosses, float);

/// x, and `other` where x is `old`.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Replace(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            DType old, DType other) {
  out = where(in == old, other, in);
}
MSHADOW_INSTANTIATE(Replace, int64_t);

/// Indices of which negative ones count from the end of `extent` elements.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void WrapIndex(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                              DType extent) {
  out = where(in < 0, in + extent, in);
}
MSHADOW_INSTANTIATE(WrapIndex, int64_t, float);

// Windows of the last two of four dimensions.
#define CONFORMANCE_POOL(Rule, Reducer, ...)                                                  \
  template <typename xpu, typename DType>                                                     \
  MSHADOW_KERNEL void Rule(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,        \
                           int height, int width, int stride_y, int stride_x) {               \
    out = pool<Reducer>(in, height, width, stride_y, stride_x);                               \
  }                                                                                           \
  MSHADOW_INSTANTIATE(Rule, __VA_ARGS__)

CONFORMANCE_POOL(MaxPool, red::maximum, float, uint8_t);
CONFORMANCE_POOL(SumPool, red::sum, float);

/// The windows of images as the columns of a matrix, with `dilation` - 1 pixels left out between
/// two of a window.
template <typename xpu, typename DType>
MSHADOW_KERNEL void WindowColumns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 4, DType> &in,
                                  int height, int width, int stride_y, int stride_x, int dilation_y,
                                  int dilation_x) {
  out = unpack_patch2col(in, height, width, stride_y, stride_x, dilation_y, dilation_x);
}
MSHADOW_INSTANTIATE(WindowColumns, float);

/// The rows of a matrix that the indices name.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gather(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, int64_t> &indices) {
  out = take(indices, in);
}
MSHADOW_INSTANTIATE(Gather, float, int64_t);

/// One element of each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void GatherElements(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 1, int64_t> &indices) {
  out = mat_choose_row_element(in, indices);
}
MSHADOW_INSTANTIATE(GatherElements, float);

/// Rows of `off` with an `on` at the index.
template <typename xpu, typename DType, typename Index>
MSHADOW_KERNEL void OneHot(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, Index> &indices,
                           DType off, DType on) {
  out = where(one_hot_encode<DType>(indices, out.size(1)), on, off);
}
MSHADOW_INSTANTIATE(OneHot, Types<float, int64_t>, Types<float, float>, Types<int32_t, int64_t>);

/// start, start + delta, and so on.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Range(Tensor<xpu, 1, DType> out, DType start, DType delta) {
  out = range<DType>(0, out.size(0)) * delta + start;
}
MSHADOW_INSTANTIATE(Range, float, int32_t, int64_t);

/// 1 on diagonal k, else 0.
template <typename xpu, typename DType>
MSHADOW_KERNEL void EyeLike(Tensor<xpu, 2, DType> out, int k) {
  auto column = broadcast<1>(range<DType>(0, out.size(1)), out.shape_);
  auto row = broadcast<0>(range<DType>(0, out.size(0)), out.shape_);
  out = (column - row == k);
}
MSHADOW_INSTANTIATE(EyeLike, float, double, int32_t);

/// The elements on and above diagonal k, or on and below it; the others are 0.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Trilu(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int64_t k,
                          bool upper) {
  auto column = broadcast<1>(range<DType>(0, in.size(1)), in.shape_);
  auto row = broadcast<0>(range<DType>(0, in.size(0)), in.shape_);
  const int64_t sign = upper ? 1 : -1;
  out = where((column - row - k) * sign >= 0, in, 0);
}
MSHADOW_INSTANTIATE(Trilu, int64_t);

// Cumulative results of each row, with and without the element itself.
#define CONFORMANCE_SCAN(Rule, scan, Reducer)                                                \
  template <typename xpu, typename DType>                                                    \
  MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {     \
    out = scan<Reducer>(in);                                                                 \
  }                                                                                          \
  MSHADOW_INSTANTIATE(Rule, double, int32_t)

CONFORMANCE_SCAN(CumSum, inclusive_scan, red::sum);
CONFORMANCE_SCAN(CumSumBefore, exclusive_scan, red::sum);
CONFORMANCE_SCAN(CumProd, inclusive_scan, red::product);
CONFORMANCE_SCAN(CumProdBefore, exclusive_scan, red::product);

/// Each row backwards.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reverse(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = mirror(in);
}
MSHADOW_INSTANTIATE(Reverse, float, double, int32_t);

/// The rows of a, each before that of b.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Concat(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                           const Tensor<xpu, 2, DType> &b) {
  out = concat<1>(a, b);
}
MSHADOW_INSTANTIATE(Concat, float, half::half_t, int64_t);

/// The columns from `begin` on, as many as the result has.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Slice(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          int64_t begin) {
  out = slice<1>(in, begin, begin + out.size(1));
}
MSHADOW_INSTANTIATE(Slice, float, half::half_t, uint8_t, int64_t);

/// Rows of `value` with the rows of the input from column `begin` on.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int64_t begin,
                        DType value) {
  out = value;
  MSHADOW_STAGE();
  slice<1>(out, begin, begin + in.size(1)) = F<op::identity>(in);
}
MSHADOW_INSTANTIATE(Pad, float, uint8_t);

/// The two dimensions in the middle, exchanged.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Exchange(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  out = swapaxis<2, 1>(in);
}
MSHADOW_INSTANTIATE(Exchange, float, half::half_t);

/// ONNX's Adam: before the first step there is no correction of the bias.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Adam(Tensor<xpu, dim, DType> weight, Tensor<xpu, dim, DType> mean,
                         Tensor<xpu, dim, DType> variance, const Tensor<xpu, dim, DType> &grad,
                         double lr, int step, double alpha, double beta, double eps,
                         double decay_before, double decay_after) {
  const double root = math::sqrt(1.0 - math::pow(beta, step));
  const double rate = step > 0 ? lr * root / (1.0 - math::pow(alpha, step)) : lr;
  auto g = decay_before * weight + grad;
  mean = alpha * mean + (1.0 - alpha) * g;
  variance = beta * variance + (1.0 - beta) * (g * g);
  weight = (1.0 - decay_after) * (weight - rate * mean / (F<op::square_root>(variance) + eps));
}
MSHADOW_INSTANTIATE(Adam, float);

/// ONNX's Momentum, standard or Nesterov's. The gradient of the first step counts fully.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Momentum(Tensor<xpu, dim, DType> weight, Tensor<xpu, dim, DType> velocity,
                             const Tensor<xpu, dim, DType> &grad, double lr, int step, double alpha,
                             double beta, double decay, bool nesterov) {
  const double share = step > 0 ? beta : 1.0;
  const double from_grad = nesterov ? 1.0 : 0.0, from_velocity = nesterov ? alpha : 1.0;
  auto g = decay * weight + grad;
  velocity = alpha * velocity + share * g;
  weight -= lr * (from_grad * g + from_velocity * velocity);
}
MSHADOW_INSTANTIATE(Momentum, float);

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_ONNX_RULES_H_
