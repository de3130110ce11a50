// SPDX-License-Identifier: Apache-2.0
/// \file tensor_view.h
/// Tensor<Device, dim, DType>: a view of a block of memory, rows of which may be padded. It owns
/// nothing; copying one copies the view (`a = b` between tensors too), while `a = expression` and
/// `a = 1.0f` write elements.
#ifndef MSHADOW_TENSOR_VIEW_H_
#define MSHADOW_TENSOR_VIEW_H_

#include "mshadow/detail/shape.h"
#include "mshadow/expression.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/detail/exception.h"
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A queue of work on a device (stream.h).
template <typename Device>
struct Stream;

/// The base of every tensor and assignable view: its device and rank.
template <typename Container, typename Device, int dimension, typename DType>
struct TRValue : expr::RValueExp<Container, DType> {};

namespace detail {
#ifndef __MSHADOW_GEN__
/// ThrowShapes by value: shapes that nothing takes the address of stay in registers.
template <int a_dim, int b_dim>
[[noreturn]] MSHADOW_NOINLINE void ThrowShapes(const char *what, Shape<a_dim> a, Shape<b_dim> b) {
  ThrowShapes(what, a.shape_, a_dim, b.shape_, b_dim);
}
#endif

#if defined(__MSHADOW_GEN__) || defined(__CUDA_ARCH__)
MSHADOW_XINLINE void CheckSlice(index_t, index_t, index_t) {}
template <int dim>
MSHADOW_XINLINE void CheckFlat(const Shape<dim> &, index_t) {}
#else
MSHADOW_XINLINE void CheckSlice(index_t begin, index_t end, index_t size) {
  const int64_t first = begin;  // an index_t may be unsigned
  if (first < 0 || begin > end || end > size) ThrowSlice(begin, end, size);
}
template <int dim>
MSHADOW_XINLINE void CheckFlat(const Shape<dim> &shape, index_t stride) {
  if (shape[dim - 1] != stride && shape.FlatTo2D()[0] > 1) {
    ThrowNotContiguous(shape.shape_, dim, stride);
  }
}
#endif
}  // namespace detail

/// A tensor of rank \p dimension. Element (…, y, x) is at dptr_[(… + y) * stride_ + x]: rows, and
/// only rows, may be padded.
template <typename Device, int dimension, typename DType MSHADOW_DEFAULT_DTYPE>
struct Tensor : TRValue<Tensor<Device, dimension, DType>, Device, dimension, DType> {
  static_assert(dimension >= 1, "a tensor has at least one dimension");
  static constexpr bool kDevCPU = Device::kDevCPU;
  static constexpr int kSubdim = dimension - 1;

  DType *dptr_ = nullptr;
  Shape<dimension> shape_;
  index_t stride_ = 0;  ///< elements from one row to the next
  Stream<Device> *stream_ = nullptr;

  Tensor() = default;
  MSHADOW_XINLINE Tensor(const Shape<dimension> &shape) : shape_(shape) {}
  MSHADOW_XINLINE Tensor(DType *dptr, const Shape<dimension> &shape)
      : dptr_(dptr), shape_(shape), stride_(shape[kSubdim]) {}
  MSHADOW_XINLINE Tensor(DType *dptr, const Shape<dimension> &shape, Stream<Device> *stream)
      : dptr_(dptr), shape_(shape), stride_(shape[kSubdim]), stream_(stream) {}
  MSHADOW_XINLINE Tensor(DType *dptr, const Shape<dimension> &shape, index_t stride,
                         Stream<Device> *stream)
      : dptr_(dptr), shape_(shape), stride_(stride), stream_(stream) {}
  Tensor(const Tensor &) = default;

  /// The stream on which work on this view runs.
  MSHADOW_XINLINE void set_stream(Stream<Device> *stream) { stream_ = stream; }

  /// Elements that dimensions [startdim, dimension) occupy, padding included.
  template <int startdim>
  MSHADOW_XINLINE index_t MemSize() const {
    return shape_.ProdShape(startdim, kSubdim) * stride_;
  }
  /// Elements that the whole tensor occupies, padding included.
  MSHADOW_XINLINE index_t MSize() const { return MemSize<0>(); }
  /// Whether rows follow each other without padding.
  MSHADOW_XINLINE bool CheckContiguous() const { return shape_[kSubdim] == stride_; }
  /// Extent \p i.
  MSHADOW_XINLINE index_t size(int i) const { return shape_[i]; }

  /// The same elements as a vector.
  /// \throws Error if rows are padded
  MSHADOW_XINLINE Tensor<Device, 1, DType> FlatTo1D() const {
    detail::CheckFlat(shape_, stride_);
    return Tensor<Device, 1, DType>(dptr_, shape_.FlatTo1D(), shape_.Size(), stream_);
  }
  /// The same elements as a matrix: the last extent kept, the others collapsed.
  MSHADOW_XINLINE Tensor<Device, 2, DType> FlatTo2D() const {
    return Tensor<Device, 2, DType>(dptr_, shape_.FlatTo2D(), stride_, stream_);
  }
  /// Element \p i of the first dimension.
  MSHADOW_XINLINE Tensor<Device, kSubdim, DType> operator[](index_t i) const {
    return Tensor<Device, kSubdim, DType>(dptr_ + MemSize<1>() * i, shape_.SubShape(), stride_,
                                          stream_);
  }
  /// Elements [begin, end) of the first dimension.
  /// \throws Error if they do not lie within it
  MSHADOW_XINLINE Tensor Slice(index_t begin, index_t end) const {
    detail::CheckSlice(begin, end, shape_[0]);
    Shape<dimension> shape = shape_;
    shape[0] = end - begin;
    return Tensor(dptr_ + MemSize<1>() * begin, shape, stride_, stream_);
  }

  /// Views the same memory as \p other: nothing is copied.
  Tensor &operator=(const Tensor &other) = default;
  /// Writes elements (expr/rvalue.h).
  template <typename S, detail::IfScalar<S> = 0>
  Tensor &operator=(S s) {
    return this->__assign(s);
  }
  template <typename E, typename EDType, int etype>
  Tensor &operator=(const expr::Exp<E, EDType, etype> &exp) {
    return this->__assign(exp);
  }
  MSHADOW_CONST_ASSIGNMENT(=)
};

/// A vector: one row.
template <typename Device, typename DType>
struct Tensor<Device, 1, DType> : TRValue<Tensor<Device, 1, DType>, Device, 1, DType> {
  static constexpr bool kDevCPU = Device::kDevCPU;
  static constexpr int kSubdim = 0;

  DType *dptr_ = nullptr;
  Shape<1> shape_;
  index_t stride_ = 0;
  Stream<Device> *stream_ = nullptr;

  Tensor() = default;
  MSHADOW_XINLINE Tensor(const Shape<1> &shape) : shape_(shape), stride_(shape[0]) {}
  MSHADOW_XINLINE Tensor(DType *dptr, const Shape<1> &shape)
      : dptr_(dptr), shape_(shape), stride_(shape[0]) {}
  MSHADOW_XINLINE Tensor(DType *dptr, const Shape<1> &shape, Stream<Device> *stream)
      : dptr_(dptr), shape_(shape), stride_(shape[0]), stream_(stream) {}
  MSHADOW_XINLINE Tensor(DType *dptr, const Shape<1> &shape, index_t stride, Stream<Device> *stream)
      : dptr_(dptr), shape_(shape), stride_(stride), stream_(stream) {}
  Tensor(const Tensor &) = default;

  MSHADOW_XINLINE void set_stream(Stream<Device> *stream) { stream_ = stream; }

  template <int startdim>
  MSHADOW_XINLINE index_t MemSize() const {
    static_assert(startdim == 0, "a vector has one dimension");
    return shape_[0];
  }
  MSHADOW_XINLINE index_t MSize() const { return shape_[0]; }
  MSHADOW_XINLINE bool CheckContiguous() const { return true; }
  /// The length, whatever \p i is.
  MSHADOW_XINLINE index_t size(int i) const {
    static_cast<void>(i);
    return shape_[0];
  }

  MSHADOW_XINLINE Tensor FlatTo1D() const { return *this; }
  /// One row.
  MSHADOW_XINLINE Tensor<Device, 2, DType> FlatTo2D() const {
    return Tensor<Device, 2, DType>(dptr_, shape_.FlatTo2D(), stride_, stream_);
  }
  MSHADOW_XINLINE DType &operator[](index_t i) { return dptr_[i]; }
  MSHADOW_XINLINE const DType &operator[](index_t i) const { return dptr_[i]; }
  /// Elements [begin, end).
  /// \throws Error if they do not lie within the vector
  MSHADOW_XINLINE Tensor Slice(index_t begin, index_t end) const {
    detail::CheckSlice(begin, end, shape_[0]);
    return Tensor(dptr_ + begin, Shape1(end - begin), end - begin, stream_);
  }

  Tensor &operator=(const Tensor &other) = default;
  template <typename S, detail::IfScalar<S> = 0>
  Tensor &operator=(S s) {
    return this->__assign(s);
  }
  template <typename E, typename EDType, int etype>
  Tensor &operator=(const expr::Exp<E, EDType, etype> &exp) {
    return this->__assign(exp);
  }
  MSHADOW_CONST_ASSIGNMENT(=)
};

#ifdef __MSHADOW_GEN__
/// `dst saver exp`: expr/engine.h.
template <typename Saver, typename RV, typename Device, int dim, typename DType, typename E,
          int etype>
void MapExp(TRValue<RV, Device, dim, DType> *, const expr::Exp<E, DType, etype> &) {
  expr::detail::UseSaver<Saver, DType>();
}
#endif

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TENSOR_VIEW_H_
