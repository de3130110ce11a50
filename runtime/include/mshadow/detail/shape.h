// SPDX-License-Identifier: Apache-2.0
/// \file shape.h
/// Shape<dim>: the extents of a tensor, outermost first.
#ifndef MSHADOW_SHAPE_H_
#define MSHADOW_SHAPE_H_

#include "mshadow/base.h"
#ifndef __MSHADOW_GEN__
#include <iosfwd>
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The extents of a tensor of rank \p dimension. Not initialised by default. Rank 0 or less, which
/// no tensor has, is left to those who can say what is wrong with their operands.
template <int dimension>
struct Shape {
  static constexpr int kDimension = dimension;
  static constexpr int kSubdim = dimension - 1;
  index_t shape_[static_cast<size_t>(dimension < 1 ? 1 : dimension)];

  template <typename Index>
  MSHADOW_XINLINE index_t &operator[](Index i) {
    return shape_[i];
  }
  template <typename Index>
  MSHADOW_XINLINE const index_t &operator[](Index i) const {
    return shape_[i];
  }

  MSHADOW_XINLINE bool operator==(const Shape &other) const {
    for (int i = 0; i < kDimension; ++i) {
      if (shape_[i] != other.shape_[i]) return false;
    }
    return true;
  }
  MSHADOW_XINLINE bool operator!=(const Shape &other) const { return !(*this == other); }

  /// The number of elements.
  MSHADOW_XINLINE index_t Size() const { return ProdShape(0, kDimension); }

  /// The product of extents [begin, end).
  MSHADOW_XINLINE index_t ProdShape(int begin, int end) const {
    index_t product = 1;
    for (int i = begin; i < end; ++i) product *= shape_[i];
    return product;
  }

  /// The same elements as one row.
  MSHADOW_XINLINE Shape<1> FlatTo1D() const;

  /// The same elements as a matrix: the last extent kept, the others collapsed.
  MSHADOW_XINLINE Shape<2> FlatTo2D() const;

  /// The shape without its first extent.
  MSHADOW_XINLINE Shape<kSubdim> SubShape() const {
    Shape<kSubdim> result;
    for (int i = 0; i < kSubdim; ++i) result.shape_[i] = shape_[i + 1];
    return result;
  }

  /// Extents [begin, end).
  template <int begin, int end>
  MSHADOW_XINLINE Shape<end - begin> Slice() const {
    static_assert(0 <= begin && begin < end && end <= kDimension,
                  "Slice<begin, end> needs dimensions of the shape, and begin < end");
    Shape<end - begin> result;
    for (int i = begin; i < end; ++i) result.shape_[i - begin] = shape_[i];
    return result;
  }
};

template <int dimension>
MSHADOW_XINLINE Shape<1> Shape<dimension>::FlatTo1D() const {
  Shape<1> result;
  result.shape_[0] = Size();
  return result;
}

template <int dimension>
MSHADOW_XINLINE Shape<2> Shape<dimension>::FlatTo2D() const {
  Shape<2> result;
  result.shape_[0] = ProdShape(0, kDimension - 1);
  result.shape_[1] = shape_[kDimension - 1];
  return result;
}

MSHADOW_XINLINE Shape<1> Shape1(index_t s0) { return Shape<1>{{s0}}; }
MSHADOW_XINLINE Shape<2> Shape2(index_t s0, index_t s1) { return Shape<2>{{s0, s1}}; }
MSHADOW_XINLINE Shape<3> Shape3(index_t s0, index_t s1, index_t s2) {
  return Shape<3>{{s0, s1, s2}};
}
MSHADOW_XINLINE Shape<4> Shape4(index_t s0, index_t s1, index_t s2, index_t s3) {
  return Shape<4>{{s0, s1, s2, s3}};
}
MSHADOW_XINLINE Shape<5> Shape5(index_t s0, index_t s1, index_t s2, index_t s3, index_t s4) {
  return Shape<5>{{s0, s1, s2, s3, s4}};
}

#ifndef __MSHADOW_GEN__
namespace detail {
/// For int32_t, uint32_t and int64_t.
template <typename Index>
void PrintExtents(std::ostream &out, const Index *extents, int dim);
}  // namespace detail

/// Prints "(2,3)", and "(3,)" for one dimension, as Python prints tuples.
template <int dimension>
std::ostream &operator<<(std::ostream &out, const Shape<dimension> &shape) {
  detail::PrintExtents(out, shape.shape_, dimension);
  return out;
}
#endif

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_SHAPE_H_
