// SPDX-License-Identifier: Apache-2.0
/// \file tensor_shape.h
/// TShape: the extents of a tensor whose rank is known only at run time.
#ifndef MSHADOW_TENSOR_SHAPE_H_
#define MSHADOW_TENSOR_SHAPE_H_

#include <initializer_list>
#include <iosfwd>

#include "mshadow/detail/exception.h"
#include "mshadow/detail/shape.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The extents of a tensor, outermost first; at most kMaxDim of them. No extents at all: no shape.
class TShape {
 public:
  static constexpr int kMaxDim = 32;

  TShape() = default;
  /// \p ndim extents of 1.
  /// \throws Error unless 0 <= ndim <= kMaxDim
  explicit TShape(int ndim) { SetDim(ndim); }
  TShape(std::initializer_list<index_t> extents) { assign(extents.begin(), extents.end()); }
  template <typename Iterator, typename = decltype(*Iterator())>
  TShape(Iterator begin, Iterator end) {
    assign(begin, end);
  }
  template <int dim>
  TShape(const Shape<dim> &shape) {
    assign(shape.shape_, shape.shape_ + dim);
  }

  /// Takes the extents that a std::vector or the like holds.
  template <typename Container>
  auto operator=(const Container &extents) -> decltype(extents.begin(), extents.size(), *this) {
    assign(extents.begin(), extents.end());
    return *this;
  }

  /// Takes the extents of a range; old code says CopyFrom.
  template <typename Iterator>
  void assign(Iterator begin, Iterator end) {
    int ndim = 0;
    for (Iterator i = begin; i != end; ++i) ++ndim;
    SetDim(ndim);
    for (int i = 0; i < ndim; ++i, ++begin) extents_[i] = static_cast<index_t>(*begin);
  }

  template <typename Iterator>
  void CopyFrom(Iterator begin, Iterator end) {
    assign(begin, end);
  }

  int ndim() const { return ndim_; }
  index_t *data() { return extents_; }
  const index_t *data() const { return extents_; }
  const index_t *begin() const { return extents_; }
  const index_t *end() const { return extents_ + ndim_; }
  template <typename Index>
  index_t &operator[](Index i) {
    return extents_[i];
  }
  template <typename Index>
  const index_t &operator[](Index i) const {
    return extents_[i];
  }

  /// The number of elements.
  index_t Size() const { return ProdShape(0, ndim_); }
  /// The product of extents [begin, end).
  index_t ProdShape(int begin, int end) const {
    index_t product = 1;
    for (int i = begin; i < end; ++i) product *= extents_[i];
    return product;
  }

  /// As a matrix: the last extent kept, the others collapsed. (0,0) for no shape.
  Shape<2> FlatTo2D() const {
    if (ndim_ == 0) return Shape2(0, 0);
    return Shape2(ProdShape(0, ndim_ - 1), extents_[ndim_ - 1]);
  }
  /// Extents [axis_begin, axis_end] collapsed into the middle one; what is before and behind them,
  /// too.
  /// \throws Error unless 0 <= axis_begin <= axis_end < ndim
  Shape<3> FlatTo3D(int axis_begin, int axis_end) const {
    CheckAxes(axis_begin, axis_end);
    return Shape3(ProdShape(0, axis_begin), ProdShape(axis_begin, axis_end + 1),
                  ProdShape(axis_end + 1, ndim_));
  }
  Shape<3> FlatTo3D(int axis) const { return FlatTo3D(axis, axis); }

  /// The same extents as a Shape.
  /// \throws Error if there are not \p dim of them
  template <int dim>
  Shape<dim> get() const {
    CheckDim(dim);
    Shape<dim> shape;
    for (int i = 0; i < dim; ++i) shape[i] = extents_[i];
    return shape;
  }

  bool operator==(const TShape &other) const {
    if (ndim_ != other.ndim_) return false;
    for (int i = 0; i < ndim_; ++i) {
      if (extents_[i] != other.extents_[i]) return false;
    }
    return true;
  }
  bool operator!=(const TShape &other) const { return !(*this == other); }
  template <int dim>
  bool operator==(const Shape<dim> &other) const {
    return *this == TShape(other);
  }
  template <int dim>
  bool operator!=(const Shape<dim> &other) const {
    return !(*this == TShape(other));
  }

  /// Writes the rank (uint32) and the extents (int64 each).
  template <typename Stream>
  void Save(Stream *stream) const {
    const uint32_t ndim = static_cast<uint32_t>(ndim_);
    stream->Write(&ndim, sizeof(ndim));
    for (int i = 0; i < ndim_; ++i) {
      const int64_t extent = static_cast<int64_t>(extents_[i]);
      stream->Write(&extent, sizeof(extent));
    }
  }
  /// Reads what Save wrote. False, and nothing changed, if the stream ends early or holds no shape.
  template <typename Stream>
  bool Load(Stream *stream) {
    uint32_t ndim = 0;
    if (stream->Read(&ndim, sizeof(ndim)) != sizeof(ndim)) return false;
    if (ndim > static_cast<uint32_t>(kMaxDim)) return false;
    TShape read(static_cast<int>(ndim));
    for (int i = 0; i < read.ndim_; ++i) {
      int64_t extent = 0;
      if (stream->Read(&extent, sizeof(extent)) != sizeof(extent) || extent < 0) return false;
      read[i] = static_cast<index_t>(extent);
      if (static_cast<int64_t>(read[i]) != extent) return false;  // a narrower index_t
    }
    *this = read;
    return true;
  }

 private:
  void SetDim(int ndim);
  void CheckDim(int dim) const;
  void CheckAxes(int begin, int end) const;

  int ndim_ = 0;
  index_t extents_[kMaxDim] = {};
};

/// Prints and reads "(2,3)", "(3,)", "()".
std::ostream &operator<<(std::ostream &out, const TShape &shape);
std::istream &operator>>(std::istream &in, TShape &shape);

namespace detail {
std::string ShapeText(const TShape &shape);
}  // namespace detail

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TENSOR_SHAPE_H_
