// SPDX-License-Identifier: Apache-2.0
/// \file tensor_container.h
/// TensorContainer: a tensor that owns its memory.
#ifndef MSHADOW_TENSOR_CONTAINER_H_
#define MSHADOW_TENSOR_CONTAINER_H_

#include <utility>

#include "mshadow/detail/allocation.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/io.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A tensor that owns its memory. A copy of a container has a copy of its elements. A Tensor that
/// is made from a container is a view, which must not outlive it. From rank 2 on, rows are padded
/// to a multiple of 16 bytes unless `pad` is false.
template <typename Device, int dimension, typename DType MSHADOW_DEFAULT_DTYPE>
class TensorContainer : public Tensor<Device, dimension, DType> {
 public:
  using View = Tensor<Device, dimension, DType>;

  /// A tensor without elements.
  explicit TensorContainer(bool pad = MSHADOW_ALLOC_PAD) : pad_(pad) { SetEmpty(); }
  /// A tensor of \p shape with undefined elements. \throws Error as Resize does
  explicit TensorContainer(const Shape<dimension> &shape) : TensorContainer() { Resize(shape); }
  /// A tensor of \p shape whose elements are \p initv. A bool there is a value, not `pad`:
  /// `t(shape, true)` is full of ones.
  template <typename S, detail::IfScalar<S> = 0>
  TensorContainer(const Shape<dimension> &shape, S initv, bool pad = MSHADOW_ALLOC_PAD)
      : TensorContainer(pad) {
    Resize(shape, initv);
  }
  TensorContainer(const TensorContainer &other) : TensorContainer(other.pad_) { CopyFrom(other); }
  TensorContainer(TensorContainer &&other) noexcept : TensorContainer(other.pad_) { Swap(&other); }
  ~TensorContainer() { Release(); }

  TensorContainer &operator=(const TensorContainer &other) {
    if (this != &other) CopyFrom(other);
    return *this;
  }
  /// Swaps the two containers.
  TensorContainer &operator=(TensorContainer &&other) noexcept {
    Swap(&other);
    return *this;
  }

  /// Assigns to the elements, as Tensor does; the shape stays as it is.
  template <typename S, detail::IfScalar<S> = 0>
  TensorContainer &operator=(S s) {
    this->__assign(s);
    return *this;
  }
  template <typename E, typename EDType, int etype>
  TensorContainer &operator=(const expr::Exp<E, EDType, etype> &exp) {
    this->__assign(exp);
    return *this;
  }
  MSHADOW_CONST_ASSIGNMENT(=)

  /// Gives the container the shape \p shape. The elements become undefined. The memory is kept if
  /// it is large enough.
  /// \throws Error if there is no memory, an extent is negative, or the size overflows index_t
  void Resize(const Shape<dimension> &shape) {
    const index_t cols = shape[dimension - 1];
    index_t rows = 1;
    for (int i = 0; i + 1 < dimension; ++i) rows = detail::CheckedProduct(rows, shape[i]);
    const index_t size = static_cast<index_t>(sizeof(DType));
    const index_t stride = detail::RowStride(cols, size, pad_ && dimension > 1);
    const index_t need = detail::CheckedProduct(rows, stride);
    if (need > block_.shape_[0]) Reallocate(need);
    this->dptr_ = block_.dptr_;
    this->shape_ = shape;
    this->stride_ = stride;
  }
  template <typename S, detail::IfScalar<S> = 0>
  void Resize(const Shape<dimension> &shape, S initv) {
    Resize(shape);
    this->__assign(initv);
  }

  /// Writes the tensor to \p fo, in the format of io.h.
  template <typename TStream>
  void SaveBinary(TStream &fo) const {  // NOLINT: mshadow's signature
    mshadow::SaveBinary(fo, static_cast<const View &>(*this));
  }
  /// Reads a tensor, shape and elements, from \p fi, in the format of io.h.
  /// \throws Error, with the container unchanged, if \p fi has no such tensor
  template <typename TStream>
  void LoadBinary(TStream &fi) {  // NOLINT
    const detail::Loaded<dimension, DType> loaded(&fi);
    Resize(loaded.shape);
    detail::CopyAndWait(static_cast<View &>(*this), loaded.tensor());
  }

  /// Sets whether later calls of Resize pad rows.
  void set_pad(bool pad) { pad_ = pad; }

  /// Frees the memory; the shape becomes all zeros.
  void Release() {
    if (block_.dptr_ != nullptr) FreeSpace(&block_);
    SetEmpty();
  }

 private:
  void SetEmpty() {
    block_ = Tensor<Device, 1, DType>(nullptr, Shape1(0), this->stream_);
    this->dptr_ = nullptr;
    this->stride_ = 0;
    for (int i = 0; i < dimension; ++i) this->shape_[i] = 0;
  }

  void Reallocate(index_t elements) {
    Release();
    Tensor<Device, 1, DType> block(Shape1(elements));
    block.stream_ = this->stream_;
    AllocSpace(&block, false);
    block_ = block;
  }

  void CopyFrom(const TensorContainer &other) {
    this->stream_ = other.stream_;
    pad_ = other.pad_;
    Resize(other.shape_);
    Copy(static_cast<View &>(*this), static_cast<const View &>(other), this->stream_);
  }

  void Swap(TensorContainer *other) noexcept {
    std::swap(static_cast<View &>(*this), static_cast<View &>(*other));
    std::swap(block_, other->block_);
    std::swap(pad_, other->pad_);
  }

  bool pad_;
  Tensor<Device, 1, DType> block_;  ///< the allocated memory; its extent is the capacity
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TENSOR_CONTAINER_H_
