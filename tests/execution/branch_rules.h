// SPDX-License-Identifier: Apache-2.0
// Kernels that reduce, on the other side of an `if` in which a stage ends from what they are one
// with.
#include <mshadow/kernel.h>

namespace branch_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A layer that may be left out, and a row softmax whose temperature may be: the product, and one
/// kernel.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TemperedSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 2, DType> &weight,
                                    const Tensor<xpu, 1, DType> &bias, float scale, bool layer) {
  Temporary<xpu, 1, float> top(Shape1(out.size(0)), out.stream_);
  Temporary<xpu, 1, float> total(Shape1(out.size(0)), out.stream_);
  if (layer) {
    out = dot(in, weight.T());
    out += broadcast<1>(bias, out.shape_);
  } else {
    out = F<op::identity>(in);
  }
  if (scale != 1.0f) out = tcast<DType>(tcast<float>(out) * scale);
  top = reduce_except_dim<0, red::maximum>(tcast<float>(out));
  auto e = F<op::exp>(tcast<float>(out) - broadcast<0>(top, out.shape_));
  total = sumall_except_dim<0>(e);
  out = tcast<DType>(e / broadcast<0>(total, out.shape_));
}
MSHADOW_INSTANTIATE(TemperedSoftmax, float, bfloat::bf16_t);

/// Layer normalisation, what training keeps of it, and a product of either.
template <typename xpu, typename DType>
MSHADOW_KERNEL void NormBranches(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> kept,
                                 Tensor<xpu, 1, float> mean, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &weight,
                                 const Tensor<xpu, 1, DType> &gain, bool training, bool centred) {
  const float scale = 1.0f / static_cast<float>(in.size(1));
  mean = scale * sumall_except_dim<0>(tcast<float>(in));
  if (centred) {
    out = tcast<DType>(tcast<float>(in) - broadcast<0>(mean, in.shape_));
  } else {
    out = F<op::identity>(in);
  }
  if (training) {
    kept = dot(out, weight);
    kept = kept * broadcast<1>(gain, kept.shape_) + out;
    mean += sumall_except_dim<0>(tcast<float>(kept));
  }
  out = tcast<DType>(tcast<float>(out) * broadcast<0>(mean, out.shape_));
  if (!training) mean *= 0.5f;
}
MSHADOW_INSTANTIATE(NormBranches, float, double);

/// The gradient of a bias, which a product that may be left out stands before.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ColumnBranches(Tensor<xpu, 2, DType> grad, Tensor<xpu, 1, DType> bias,
                                   const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 2, DType> &weight, float decay, bool layer) {
  if (layer) {
    grad = dot(in, weight);
    grad = grad * in + broadcast<1>(bias, grad.shape_);
  }
  if (decay != 0.0f) bias *= decay;
  bias += sum_rows(grad);
  grad = grad - broadcast<1>(bias, grad.shape_);
}
MSHADOW_INSTANTIATE(ColumnBranches, float, double);

/// Clipping by a norm, before a step with momentum or without.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ClipBranches(Tensor<xpu, 2, DType> weight, Tensor<xpu, 2, DType> moment,
                                 Tensor<xpu, 2, DType> grad, const Tensor<xpu, 2, DType> &basis,
                                 float limit, float momentum, bool project) {
  Temporary<xpu, 1, float> norm(Shape1(1), grad.stream_);
  if (project) {
    moment = dot(grad, basis);
    grad = moment * 0.5f;
  }
  norm = reduce_all<red::sum>(F<op::square>(tcast<float>(grad)));
  norm = F<op::square_root>(norm);
  if (limit > 0.0f) {
    grad = tcast<DType>(tcast<float>(grad) * limit / (broadcast_scalar(norm, grad.shape_) + 1.0f));
  }
  if (momentum != 0.0f) {
    moment = DType(0.5f) * moment + grad;
    weight -= moment;
  } else {
    weight -= grad;
  }
}
MSHADOW_INSTANTIATE(ClipBranches, float, bfloat::bf16_t);

/// Elements that indices pick out of a row that may be a product's.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PickBranches(Tensor<xpu, 1, DType> picked, Tensor<xpu, 2, DType> out,
                                 const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &weight,
                                 const Tensor<xpu, 1, int32_t> &label, bool layer) {
  if (layer) {
    out = dot(in, weight);
    out = out * 0.5f;
  }
  picked = mat_choose_row_element(out, label);
  out = out - broadcast<0>(picked, out.shape_);
}
MSHADOW_INSTANTIATE(PickBranches, float);

/// Newton's iteration for 1 / sqrt(a), which ends early where it has converged.
struct rsqrt_by_newton {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    T x = T(0.5f);
    for (int i = 0; i < 6; ++i) {
      const T next = x * (T(1.5f) - T(0.5f) * a * x * x);
      if (next == x) return x;
      x = i % 2 == 0 ? next : T(0.5f) * (x + next);
    }
    return x;
  }
};

/// The number of bits that are set.
struct ones {
  MSHADOW_XINLINE static int32_t Map(int32_t a) {
    int32_t n = 0;
    for (int i = 0; i < 32; ++i) n += (a >> i) & 1;
    return n;
  }
};

/// Loops in operators, and one over statements: a polynomial in another scalar for each power.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LoopBranches(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, int32_t> counts,
                                 const Tensor<xpu, dim, DType> &in,
                                 const Tensor<xpu, dim, int32_t> &bits, float s, bool even) {
  counts = F<ones>(bits);
  out = F<rsqrt_by_newton>(F<op::abs>(in) + DType(0.5f));
  float factor = s;
  for (int i = 1; i <= 4; ++i) {
    if (even || i % 2 == 1) out = out * in + DType(factor);
    factor = factor * s + static_cast<float>(i);
  }
}
MSHADOW_INSTANTIATE(LoopBranches, float, double, bfloat::bf16_t);

}  // namespace branch_rules
