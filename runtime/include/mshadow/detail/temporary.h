// SPDX-License-Identifier: Apache-2.0
/// \file temporary.h
/// Temporary: a tensor that a rule names for itself.
#ifndef MSHADOW_TEMPORARY_H_
#define MSHADOW_TEMPORARY_H_

#include "mshadow/detail/tensor_view.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/tensor_container.h"
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

#ifdef __MSHADOW_GEN__  // a name for values: nothing is allocated
template <typename Device, int dimension, typename DType>
struct Temporary : Tensor<Device, dimension, DType> {
  explicit Temporary(const Shape<dimension> &shape, Stream<Device> *stream = nullptr);
#else
/// A tensor of a rule's body, from its declaration to the end of the rule. Unfused it has memory of
/// its own; in a fused kernel its values stay in registers.
///
///     Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
///     total = sumall_except_dim<0>(in);
///     out = in / broadcast<0>(total, in.shape_);
///
/// It has no values before a statement gives it some. Its rows are not padded.
template <typename Device, int dimension, typename DType>
struct Temporary : TensorContainer<Device, dimension, DType> {
  /// \param stream that of the rule's tensors
  /// \throws Error if there is no memory
  explicit Temporary(const Shape<dimension> &shape, Stream<Device> *stream = nullptr)
      : TensorContainer<Device, dimension, DType>(/*pad=*/false) {
    this->set_stream(stream);
    this->Resize(shape);
  }
#endif
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;
  template <typename S, detail::IfScalar<S> = 0>
  Temporary &operator=(S s) {
    this->__assign(s);
    return *this;
  }
  template <typename E, typename EDType, int etype>
  Temporary &operator=(const expr::Exp<E, EDType, etype> &exp) {
    this->__assign(exp);
    return *this;
  }
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TEMPORARY_H_
