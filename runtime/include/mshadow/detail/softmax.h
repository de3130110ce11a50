// SPDX-License-Identifier: Apache-2.0
/// \file softmax.h
/// Softmax over classes, and the gradient of cross entropy behind it. Classes are the columns of a
/// matrix (rows, classes), or the middle dimension of (batch, classes, positions).
#ifndef MSHADOW_SOFTMAX_H_
#define MSHADOW_SOFTMAX_H_

#include "mshadow/detail/element_loop.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/operands.h"

#include "mshadow/detail/strict_push.h"
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
#include "mshadow/cuda/softmax.cuh"
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// dst = exp(energy) / sum over the classes of exp(energy), for float, double, half_t or bf16_t;
/// 16-bit floats compute in float and round once. dst may be energy. A GPU gives the CPU's bits.
/// \throws Error if the shapes differ or the memory of the two overlaps partly
template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy);
template <typename DType>
void Softmax(Tensor<cpu, 3, DType> dst, const Tensor<cpu, 3, DType> &energy);
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
template <typename DType>
void Softmax(Tensor<gpu, 2, DType> dst, const Tensor<gpu, 2, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  cuda::SoftmaxRows(dst, energy);
}
template <typename DType>
void Softmax(Tensor<gpu, 3, DType> dst, const Tensor<gpu, 3, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  cuda::SoftmaxColumns(dst, energy);
}
#endif

/// Of what has no such classes.
template <typename Device, int dim, typename DType, typename From, int from_dim, typename FromDType>
void Softmax(Tensor<Device, dim, DType>, const Tensor<From, from_dim, FromDType> &) {
  constexpr bool kRanks = dim == from_dim && (dim == 2 || dim == 3);
  constexpr bool kTypes = detail::IsSame<DType, FromDType>::value;
  static_assert(kRanks,
                "Softmax takes two matrices (rows, classes) or two tensors of rank 3 "
                "(batch, classes, positions): view a vector as one row");
  static_assert(!kRanks || kTypes, "Softmax: the tensors have different element types");
  static_assert(
      !kRanks || !kTypes,
      "Softmax: the tensors are on different devices, or on a GPU in a file that nvcc does "
      "not compile");
}

namespace detail {

/// What is subtracted from a probability: of the label's class, of the others.
template <typename DType>
struct LabelTarget {
  double hit;
  double miss;
  bool ignores;
  int64_t ignored;

  MSHADOW_XINLINE DType Grad(DType probability, bool is_label, bool is_ignored) const {
    if (is_ignored) return ScalarCast<DType>(0);
    return ScalarCast<DType>(static_cast<Promoted<DType>>(probability) -
                             static_cast<Promoted<DType>>(is_label ? hit : miss));
  }
  MSHADOW_XINLINE bool IsIgnored(int64_t label) const { return ignores && label == ignored; }
};

/// Rows of classes; label[y] is the class of row y.
template <typename Device, typename DType>
struct SoftmaxGradRows {
  Tensor<Device, 2, DType> dst, src;
  Tensor<Device, 1, DType> label;
  LabelTarget<DType> target;
  index_t rows, cols;

  MSHADOW_XINLINE void operator()(index_t y, index_t begin, index_t end) const {
    const int64_t k = ScalarCast<int64_t>(label.dptr_[y]);
    const bool ignored = target.IsIgnored(k);
    DType *const to = dst.dptr_ + y * dst.stride_;
    const DType *const from = src.dptr_ + y * src.stride_;
    // As if no class were the label's, and then that one: a comparison in the loop takes longer
    // than the rest of it. dst may be src.
    const bool here = static_cast<int64_t>(begin) <= k && k < static_cast<int64_t>(end);
    const DType hit = here ? target.Grad(from[k], true, ignored) : DType(0);
    for (index_t x = begin; x < end; ++x) to[x] = target.Grad(from[x], false, ignored);
    if (here) to[k] = hit;
  }
};

/// (batch, classes, positions); label[n][x] is the class at position x of n.
template <typename Device, typename DType>
struct SoftmaxGradColumns {
  Tensor<Device, 3, DType> dst, src;
  Tensor<Device, 2, DType> label;
  LabelTarget<DType> target;
  index_t rows, cols;

  MSHADOW_XINLINE void operator()(index_t y, index_t begin, index_t end) const {
    const index_t n = y / dst.shape_[1], c = y - n * dst.shape_[1];
    for (index_t x = begin; x < end; ++x) {
      const int64_t k = ScalarCast<int64_t>(label.dptr_[n * label.stride_ + x]);
      dst.dptr_[y * dst.stride_ + x] = target.Grad(
          src.dptr_[y * src.stride_ + x], static_cast<int64_t>(c) == k, target.IsIgnored(k));
    }
  }
};

template <typename Device, int dim, typename DType>
void RunSoftmaxGrad(const char *what, const Tensor<Device, dim, DType> &dst,
                    const Tensor<Device, dim, DType> &src,
                    const Tensor<Device, dim - 1, DType> &label, const LabelTarget<DType> &target) {
  CheckSameShape(what, dst.shape_, src.shape_);
  expr::detail::CheckAliasing(dst, src);
  const Shape<2> shape = dst.shape_.FlatTo2D();
  if constexpr (dim == 2) {
    CheckExpected(label.shape_[0] == dst.shape_[0], what, "a label for each row", dst.shape_,
                  label.shape_);
    RunBody(what, SoftmaxGradRows<Device, DType>{dst, src, label, target, shape[0], shape[1]},
            2 * sizeof(DType), dst.stream_);
  } else {
    CheckExpected(label.shape_ == Shape2(dst.shape_[0], dst.shape_[2]), what,
                  "a label for each position", dst.shape_, label.shape_);
    RunBody(what, SoftmaxGradColumns<Device, DType>{dst, src, label, target, shape[0], shape[1]},
            2 * sizeof(DType), dst.stream_);
  }
}

/// alpha goes from the label's class to the others, in equal parts.
template <typename DType>
LabelTarget<DType> SmoothTarget(float alpha, index_t classes) {
  return {1 - double(alpha), classes > 1 ? double(alpha) / double(classes - 1) : 0, false, 0};
}

}  // namespace detail

/// dst = src, with 1 subtracted at the class that the label names: the gradient of the mean-free
/// cross entropy by the energies, src being their softmax. dst may be src. Labels are whole numbers
/// of the tensors' own type: a vector of rows, or (batch, positions) for rank 3.
/// \throws Error if the shapes do not fit, before anything is written
template <typename Device, int dim, typename DType>
void SoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                 const Tensor<Device, dim - 1, DType> &label) {
  detail::RunSoftmaxGrad("SoftmaxGrad", dst, src, label, {1, 0, false, 0});
}
/// Where the label is \p ignore_label the gradient is 0.
template <typename Device, int dim, typename DType, typename Label, detail::IfScalar<Label> = 0>
void SoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                 const Tensor<Device, dim - 1, DType> &label, const Label &ignore_label) {
  detail::RunSoftmaxGrad("SoftmaxGrad", dst, src, label,
                         {1, 0, true, ScalarCast<int64_t>(ignore_label)});
}

/// The same with a smoothed target: 1 - \p alpha for the label's class, alpha / (classes - 1) for
/// each other.
template <typename Device, int dim, typename DType>
void SmoothSoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                       const Tensor<Device, dim - 1, DType> &label, float alpha) {
  detail::RunSoftmaxGrad("SmoothSoftmaxGrad", dst, src, label,
                         detail::SmoothTarget<DType>(alpha, dst.shape_[1]));
}
template <typename Device, int dim, typename DType, typename Label, detail::IfScalar<Label> = 0>
void SmoothSoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                       const Tensor<Device, dim - 1, DType> &label, const Label &ignore_label,
                       float alpha) {
  auto target = detail::SmoothTarget<DType>(alpha, dst.shape_[1]);
  target.ignores = true;
  target.ignored = ScalarCast<int64_t>(ignore_label);
  detail::RunSoftmaxGrad("SmoothSoftmaxGrad", dst, src, label, target);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_SOFTMAX_H_
