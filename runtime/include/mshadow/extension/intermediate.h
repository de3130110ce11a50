// SPDX-License-Identifier: Apache-2.0
/// \file intermediate.h
/// Tensors that an assignment evaluates first, and nothing but the assignment reads.
#ifndef MSHADOW_EXTENSION_INTERMEDIATE_H_
#define MSHADOW_EXTENSION_INTERMEDIATE_H_

#include "mshadow/expr/kept_scope.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
template <typename Device, int dimension, typename DType>
class TensorContainer;
MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A tensor without padding, not initialised, while this lives: in memory of its own on the CPU,
template <typename Device, int dim, typename DType>
class Intermediate {
 public:
  Intermediate(const Shape<dim> &shape, Stream<Device> *stream) : tensor_(false) {
    tensor_.set_stream(stream);
    tensor_.Resize(shape);
  }
  Tensor<Device, dim, DType> view() const { return tensor_; }

 private:
  TensorContainer<Device, dim, DType> tensor_;
};
/// of its stream on a GPU.
template <int dim, typename DType>
class Intermediate<gpu, dim, DType> {
 public:
  Intermediate(const Shape<dim> &shape, Stream<gpu> *stream)
      : scope_(stream), view_(::mshadow::detail::KeptScope::Allocate<DType>(shape, stream)) {}
  Tensor<gpu, dim, DType> view() const { return view_; }

 private:
  ::mshadow::detail::KeptScope scope_;
  Tensor<gpu, dim, DType> view_;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_INTERMEDIATE_H_
