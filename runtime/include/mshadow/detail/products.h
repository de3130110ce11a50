// SPDX-License-Identifier: Apache-2.0
/// \file products.h
/// Products by name rather than by expression: VectorDot, BatchGEMM, GetBatchedView.
#ifndef MSHADOW_PRODUCTS_H_
#define MSHADOW_PRODUCTS_H_

#include "mshadow/detail/element_loop.h"
#include "mshadow/expr/dot_engine.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

namespace detail {
/// Whether a product needs nothing but its numbers: vectors that have some, of one length, and a
/// destination that is apart from them.
template <typename DType>
MSHADOW_CINLINE bool IsPlainInner(const Tensor<cpu, 1, DType> &dst,
                                  const Tensor<cpu, 1, DType> &lhs,
                                  const Tensor<cpu, 1, DType> &rhs) {
  const index_t count = lhs.shape_[0];
  const auto to = reinterpret_cast<uintptr_t>(dst.dptr_);
  const auto bytes = static_cast<uintptr_t>(count) * sizeof(DType);
  const auto is_apart = [&](const DType *from) {
    return to + sizeof(DType) - 1 - reinterpret_cast<uintptr_t>(from) >= bytes + sizeof(DType) - 1;
  };
  return dst.shape_[0] == 1 && count > 0 && count == rhs.shape_[0] && dst.dptr_ != nullptr &&
         lhs.dptr_ != nullptr && rhs.dptr_ != nullptr && is_apart(lhs.dptr_) && is_apart(rhs.dptr_);
}
/// `dst = dot(lhs, rhs)`, out of the way of what is quicker. It takes addresses and lengths, so
/// that tensors need no memory where this is not called.
template <typename DType>
MSHADOW_NOINLINE void DotOf(DType *dst, index_t dst_size, DType *lhs, index_t lhs_size, DType *rhs,
                            index_t rhs_size) {
  Tensor<cpu, 1, DType>(dst, Shape1(dst_size)) = expr::dot(
      Tensor<cpu, 1, DType>(lhs, Shape1(lhs_size)), Tensor<cpu, 1, DType>(rhs, Shape1(rhs_size)));
}
}  // namespace detail

/// dst[0] = the inner product of \p lhs and \p rhs.
/// \throws Error unless dst has one element, and the vectors one length
template <typename Device, typename DType>
void VectorDot(Tensor<Device, 1, DType> dst, const Tensor<Device, 1, DType> &lhs,
               const Tensor<Device, 1, DType> &rhs) {
  if constexpr (Device::kDevCPU && TypeList<float, double>::template Has<DType>()) {
    if (detail::IsPlainInner(dst, lhs, rhs)) {
      *dst.dptr_ = blas::Inner(lhs.shape_[0], lhs.dptr_, rhs.dptr_);
    } else {  // says what does not fit
      detail::DotOf(dst.dptr_, dst.shape_[0], lhs.dptr_, lhs.shape_[0], rhs.dptr_, rhs.shape_[0]);
    }
  } else {
    dst = expr::dot(lhs, rhs);
  }
}

/// dst[i] = alpha op(lhs[i]) op(rhs[i]) + beta dst[i] for each matrix of a batch; a flag says that
/// the matrices of that operand are to be transposed. Rows may be padded; \p workspace is not
/// needed.
/// \throws Error if the shapes do not fit, or dst shares memory with an operand
template <bool transpose_left, bool transpose_right, typename Device, typename DType>
void BatchGEMM(Tensor<Device, 3, DType> dst, const Tensor<Device, 3, DType> &lhs,
               const Tensor<Device, 3, DType> &rhs, DType alpha, DType beta,
               Tensor<Device, 1, DType *> workspace = Tensor<Device, 1, DType *>(Shape1(0))) {
  namespace parts = expr::detail;
  static_cast<void>(workspace);
  parts::CheckBatchProduct(dst.shape_, transpose_left, lhs.shape_, transpose_right, rhs.shape_);
  const parts::OperandCheck<Tensor<Device, 3, DType>, 3> check{dst, parts::CheckedSpan(dst), true,
                                                               dst.shape_};
  check(lhs, true);
  check(rhs, true);
  expr::BLASEngine<Device, DType>::Gemm(
      dst.stream_, transpose_left, transpose_right, alpha, parts::Const(parts::AsBatch(lhs)),
      parts::Const(parts::AsBatch(rhs)), beta, parts::AsBatch(dst));
}

namespace detail {
template <typename DType>
struct PointerSteps {
  DType **dst;
  DType *src;
  std::ptrdiff_t stride;
  index_t rows, cols;
  MSHADOW_XINLINE void operator()(index_t, index_t begin, index_t end) const {
    for (index_t i = begin; i < end; ++i) dst[i] = src + static_cast<std::ptrdiff_t>(i) * stride;
  }
};
}  // namespace detail

/// dst[i] = src + i * stride for each i below \p num: the pointers that batched functions of BLAS
/// take. dst is memory of the device.
template <typename Device, typename DType>
void GetBatchedView(DType **dst, DType *src, int num, int stride, Stream<Device> *stream) {
  detail::RunBody("GetBatchedView",
                  detail::PointerSteps<DType>{dst, src, stride, 1, static_cast<index_t>(num)},
                  static_cast<index_t>(sizeof(DType *)), stream);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_PRODUCTS_H_
