// SPDX-License-Identifier: Apache-2.0
/// \file tensor_blob.h
/// TBlob: a view of a tensor whose element type, rank and device are known only at run time. It
/// owns no memory. get<Device, dim, DType>() returns it as a Tensor. Expressions over TBlobs are in
/// blob_exp.h.
#ifndef MSHADOW_TENSOR_BLOB_H_
#define MSHADOW_TENSOR_BLOB_H_

#include "mshadow/detail/dlpack.h"
#include "mshadow/detail/tensor_shape.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/detail/type_switch.h"
#include "mshadow/expr/blob_exp.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// As with tensors, `x = y` makes the blob x view the memory of the blob y. In contrast,
/// `x = expression` and `x = 1.0f` write elements.
class TBlob : public blob::Exp<TBlob> {
 public:
  void *dptr_ = nullptr;
  TShape shape_;
  index_t stride_ = 0;  ///< elements from the start of one row to that of the next
  int type_flag_ = default_type_flag;

  TBlob() = default;
  /// Views memory whose rows are not padded. The memory must outlive the blob.
  /// \param dev_mask cpu::kDevMask or gpu::kDevMask
  /// \param dev_id the device's index; -1: unknown
  template <typename DType, int type_flag = DataType<DType>::kFlag>
  TBlob(DType *dptr, const TShape &shape, int dev_mask, int dev_id = -1)
      : TBlob(dptr, shape, dev_mask, type_flag, dev_id) {}
  TBlob(void *dptr, const TShape &shape, int dev_mask, int type_flag, int dev_id)
      : dptr_(dptr),
        shape_(shape),
        stride_(shape.ndim() == 0 ? 0 : shape[shape.ndim() - 1]),
        type_flag_(type_flag),
        dev_mask_(dev_mask),
        dev_id_(dev_id) {}
  TBlob(void *dptr, const TShape &shape, int dev_mask, int type_flag)
      : TBlob(dptr, shape, dev_mask, type_flag, -1) {}
  /// Views the tensor's memory, with its row stride and its stream.
  template <typename Device, int dim, typename DType>
  TBlob(const Tensor<Device, dim, DType> &tensor)
      : dptr_(tensor.dptr_),
        shape_(tensor.shape_),
        stride_(tensor.stride_),
        type_flag_(DataType<DType>::kFlag),
        dev_mask_(Device::kDevMask),
        stream_(tensor.stream_) {}
  /// Views the memory that a DLTensor views.
  /// \throws Error if TBlob does not support its device or element type, or if its rows are not
  ///     contiguous and evenly spaced
  template <typename DLTensor, std::enable_if_t<detail::kIsDLTensor<DLTensor>, int> = 0>
  explicit TBlob(const DLTensor &t)
      : dptr_(static_cast<char *>(t.data) + t.byte_offset),
        shape_(t.shape, t.shape + t.ndim),
        stride_(detail::RowStrideOfDL(t.ndim, t.shape, t.strides)),
        type_flag_(detail::FlagOfDLType(t.dtype.code, t.dtype.bits, t.dtype.lanes)),
        dev_mask_(detail::DeviceMaskOfDL(detail::DLDevice(t, 0).device_type)),
        dev_id_(detail::DLDevice(t, 0).device_id) {}
  TBlob(const TBlob &) = default;
  TBlob &operator=(const TBlob &) = default;
  template <typename Device, int dim, typename DType>
  TBlob &operator=(const Tensor<Device, dim, DType> &tensor) {
    return *this = TBlob(tensor);
  }

  /// Sets the stream on which assignments to the blob run. A blob made from a tensor starts with
  /// the tensor's stream, any other blob with none.
  /// \throws Error unless the blob is on \p Device
  template <typename Device>
  void set_stream(Stream<Device> *stream) {
    detail::CheckBlobDevice("TBlob.set_stream", dev_mask_, Device::kDevMask);
    stream_ = stream;
  }

  /// The stream, a Stream of the blob's device; null: none.
  void *stream() const { return stream_; }

  /// The device: cpu::kDevMask or gpu::kDevMask.
  int dev_mask() const { return dev_mask_; }
  /// The device's index; -1: unknown.
  int dev_id() const { return dev_id_; }
  int ndim() const { return shape_.ndim(); }
  /// Extent \p i, from 0 to ndim() - 1, which is not checked.
  index_t size(int i) const { return shape_[i]; }
  /// The number of elements.
  index_t Size() const { return shape_.Size(); }
  /// Whether rows follow each other without padding.
  bool CheckContiguous() const { return shape_.ndim() == 0 || shape_[ndim() - 1] == stride_; }

  /// The first element.
  /// \throws Error unless DType is the element type
  template <typename DType>
  DType *dptr() const {
    detail::CheckBlobType("TBlob", DataType<DType>::kFlag, type_flag_);
    return static_cast<DType *>(dptr_);
  }

  /// The blob as DLPack's DLTensor, which is valid while the returned DLView lives:
  /// `const auto view = blob.dltensor<DLTensor>(); f(&*view);`
  template <typename DLTensor>
  DLView<DLTensor> dltensor() const {
    return DLView<DLTensor>(dptr_, shape_, stride_, type_flag_, dev_mask_, dev_id_);
  }

  /// A view of the same memory in shape \p shape.
  /// \throws Error if the number of elements differs, or rows are padded
  TBlob reshape(const TShape &shape) const;

  // Tensors that view the blob's memory. Each function throws Error, with the expected and the
  // actual value, unless device and element type are the blob's and the shape fits. get_with_shape,
  // FlatTo1D, FlatTo3D and FlatToKD also throw Error if rows are padded. The tensor gets the stream
  // \p stream. If that is null, the tensor has no stream, even if the blob has one.

  /// A tensor of the blob's shape; rows may be padded.
  template <typename Device, int dim, typename DType>
  Tensor<Device, dim, DType> get(Stream<Device> *stream = nullptr) const {
    Check<Device, DType>("TBlob.get");
    return Tensor<Device, dim, DType>(static_cast<DType *>(dptr_), shape_.get<dim>(), stride_,
                                      stream);
  }
  /// All elements, as a tensor of \p shape.
  template <typename Device, int dim, typename DType>
  Tensor<Device, dim, DType> get_with_shape(const Shape<dim> &shape,
                                            Stream<Device> *stream = nullptr) const {
    Check<Device, DType>("TBlob.get_with_shape");
    const TBlob same = reshape(shape);
    return Tensor<Device, dim, DType>(static_cast<DType *>(same.dptr_), shape, same.stride_,
                                      stream);
  }
  /// All elements, as a vector.
  template <typename Device, typename DType>
  Tensor<Device, 1, DType> FlatTo1D(Stream<Device> *stream = nullptr) const {
    return get_with_shape<Device, 1, DType>(Shape1(Size()), stream);
  }
  /// Keeps the last extent and collapses the others into one; rows may be padded.
  template <typename Device, typename DType>
  Tensor<Device, 2, DType> FlatTo2D(Stream<Device> *stream = nullptr) const {
    Check<Device, DType>("TBlob.FlatTo2D");
    return Tensor<Device, 2, DType>(static_cast<DType *>(dptr_), shape_.FlatTo2D(), stride_,
                                    stream);
  }
  /// Collapses the dimensions into three: those before axis_begin, those from axis_begin to
  /// axis_end, both included, and those after.
  /// \throws Error unless 0 <= axis_begin <= axis_end < ndim()
  template <typename Device, typename DType>
  Tensor<Device, 3, DType> FlatTo3D(int axis_begin, int axis_end,
                                    Stream<Device> *stream = nullptr) const {
    return get_with_shape<Device, 3, DType>(shape_.FlatTo3D(axis_begin, axis_end), stream);
  }
  template <typename Device, typename DType>
  Tensor<Device, 3, DType> FlatTo3D(int axis, Stream<Device> *stream = nullptr) const {
    return FlatTo3D<Device, DType>(axis, axis, stream);
  }
  /// Keeps the last dim - 1 extents and collapses the others into one. If the blob has fewer than
  /// dim dimensions, puts extents of 1 in front.
  template <typename Device, int dim, typename DType>
  Tensor<Device, dim, DType> FlatToKD(Stream<Device> *stream = nullptr) const {
    Shape<dim> shape;
    const int more = ndim() - dim;
    for (int i = 0; i < dim; ++i) shape[i] = i + more < 0 ? 1 : shape_[i + more];
    if (more > 0) shape[0] = shape_.ProdShape(0, more + 1);
    return get_with_shape<Device, dim, DType>(shape, stream);
  }

  // What an expression calls on each of its operands (blob_exp.h).
  int ptype() const { return type_flag_; }
  /// \throws Error if the blob views nothing: a shape without extents would mean a scalar, which
  ///     fits every shape
  TShape shape() const {
    detail::CheckBlobHasShape("operand of an expression over blobs", shape_);
    return shape_;
  }
  template <typename Device, typename DType>
  Tensor<Device, 2, DType> Build() const {
    return FlatTo2D<Device, DType>(static_cast<Stream<Device> *>(stream_));
  }

  /// Assigns to each element a scalar, converted to the element type, or an expression's element.
  /// \throws Error if the expression's element type, shape or device is not this blob's; if an
  ///     operand overlaps the blob only in part; for a blob on a GPU, if the file is not compiled
  ///     by nvcc
#define MSHADOW_BLOB_ASSIGNMENT(symbol, Saver)      \
  template <typename S, detail::IfScalar<S> = 0>    \
  TBlob &operator symbol(S s) {                     \
    blob::Assign<Saver>(*this, blob::Scalar(s));    \
    return *this;                                   \
  }                                                 \
  template <typename E>                             \
  TBlob &operator symbol(const blob::Exp<E> &exp) { \
    blob::Assign<Saver>(*this, exp.self());         \
    return *this;                                   \
  }
  MSHADOW_BLOB_ASSIGNMENT(=, sv::saveto)
  MSHADOW_BLOB_ASSIGNMENT(+=, sv::plusto)
  MSHADOW_BLOB_ASSIGNMENT(-=, sv::minusto)
  MSHADOW_BLOB_ASSIGNMENT(*=, sv::multo)
  MSHADOW_BLOB_ASSIGNMENT(/=, sv::divto)
#undef MSHADOW_BLOB_ASSIGNMENT

 private:
  template <typename Device, typename DType>
  void Check(const char *what) const {
    detail::CheckBlobDevice(what, Device::kDevMask, dev_mask_);
    detail::CheckBlobType(what, DataType<DType>::kFlag, type_flag_);
  }

  int dev_mask_ = cpu::kDevMask;
  int dev_id_ = -1;
  void *stream_ = nullptr;  ///< a Stream of the device
};

namespace blob {

/// Evaluates \p exp into \p dst on Device.
template <typename Saver, typename Device, typename E>
void AssignOn(const TBlob &dst, const E &exp) {
  MSHADOW_TYPE_SWITCH(dst.type_flag_, DType, {
    Tensor<Device, 2, DType> tensor = dst.template Build<Device, DType>();
    expr::ExpEngine<Saver, Tensor<Device, 2, DType>, DType>::Eval(
        &tensor, exp.template Build<Device, DType>());
  });
}

/// Checks that element type, shape and device of \p exp are those of \p dst, then evaluates \p exp.
template <typename Saver, typename E>
void Assign(const TBlob &dst, const E &exp) {
  const int type = exp.ptype(), device = exp.dev_mask();
  const TShape shape = exp.shape();
  detail::CheckBlobHasShape("destination of an assignment to a blob", dst.shape_);
  if (type != kAnyType) detail::CheckBlobType("assignment to a blob", dst.type_flag_, type);
  if (shape.ndim() != 0) detail::CheckBlobShape("assignment to a blob", dst.shape_, shape);
  if (device != kAnyDevice) detail::CheckBlobDevice("assignment to a blob", dst.dev_mask(), device);
  if (dst.dev_mask() == cpu::kDevMask) {
    AssignOn<Saver, cpu>(dst, exp);
  } else {
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
    AssignOn<Saver, gpu>(dst, exp);
#else
    detail::ThrowError(
        "assignment to a blob: expressions on a GPU are evaluated by kernels; compile this file "
        "with nvcc");
#endif
  }
}

}  // namespace blob

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TENSOR_BLOB_H_
