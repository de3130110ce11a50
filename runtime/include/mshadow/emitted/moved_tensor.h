// SPDX-License-Identifier: Apache-2.0
/// \file moved_tensor.h
/// Views of rules for any rank whose functions give elements other coordinates. The functions name
/// dimensions from the first or from the last, so only the launch, which has the tensors, knows
/// where an element lies. The members of MovedTensors are these functions.
#ifndef MSHADOW_MOVED_TENSOR_H_
#define MSHADOW_MOVED_TENSOR_H_

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "mshadow/emitted/launch.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A dimension of a view: elements that differ by 1 in its coordinate i are `step` apart. There are
/// elements for begin <= i < end; others are 0.
struct MovedAxis {
  int64_t step;
  int64_t extent;
  int64_t begin, end;

  /// Whether all coordinates have elements.
  MSHADOW_CINLINE bool IsInside() const { return begin <= 0 && extent <= end; }
  /// Whether this axis and \p inner, the next one, are one run of memory.
  MSHADOW_CINLINE bool IsOneRunWith(const MovedAxis &inner) const {
    return IsInside() && inner.IsInside() && step == inner.step * inner.extent;
  }
};

/// A tensor whose elements have other coordinates.
template <typename DType>
struct MovedTensor {
  const DType *elements;
  int64_t origin;  ///< where the element with coordinates 0 is, perhaps outside the tensor
  MovedAxis axes[kMaxRank];
};

/// Tensors through functions that give their elements other coordinates, one after the other: one
/// tensor, or several that are joined. All have the same rank and extents. An element is of the
/// first tensor that has it. Each function changes the object. A dimension `dim` below 0 counts
/// from the end: -1 is the last one.
template <typename DType, int kCount>
class MovedTensors {
 public:
  MSHADOW_CINLINE explicit MovedTensors(const TensorArg<DType> &tensor) : rank_(tensor.dim) {
    static_assert(kCount == 1, "of more than one tensor: see Joined");
    tensors_[0] = {tensor.dptr, 0, {}};
    for (int a = 0; a < rank_; ++a) {
      const int64_t extent = tensor.shape[a];
      tensors_[0].axes[a] = {tensor.StepFromLast(rank_ - 1 - a), extent, 0, extent};
    }
  }
  /// concat<dim>(left, right)
  template <int kLeft>
  MSHADOW_CINLINE MovedTensors(int dim, MovedTensors<DType, kLeft> left,
                               MovedTensors<DType, kCount - kLeft> right)
      : rank_(left.rank()) {
    const int64_t before = left.extent(dim), after = right.extent(dim);
    left.Extend(dim, 0, after);
    right.Extend(dim, before, 0);
    for (int i = 0; i < kCount; ++i) {
      tensors_[i] = i < kLeft ? left.tensors()[i] : right.tensors()[i - kLeft];
    }
  }

  /// flip(…, dim)
  MSHADOW_CINLINE MovedTensors &Flip(int dim) {
    const int at = Dim(dim);
    return Each([=](MovedTensor<DType> *tensor) {
      MovedAxis &axis = tensor->axes[at];
      tensor->origin += (axis.extent - 1) * axis.step;
      axis = {-axis.step, axis.extent, axis.extent - axis.end, axis.extent - axis.begin};
    });
  }
  /// slice<dim>(…, begin, end)
  MSHADOW_CINLINE MovedTensors &Slice(int dim, int64_t begin, int64_t end) {
    return Extend(dim, -begin, end - extent(dim));
  }
  /// crop(…, Shape2(rows, columns), y, x)
  MSHADOW_CINLINE MovedTensors &Crop(int64_t rows, int64_t columns, int64_t y, int64_t x) {
    return Slice(-2, y, y + rows).Slice(-1, x, x + columns);
  }
  /// crop(…, Shape2(rows, columns))
  MSHADOW_CINLINE MovedTensors &Crop(int64_t rows, int64_t columns) {
    return Crop(rows, columns, (extent(-2) - rows) / 2, (extent(-1) - columns) / 2);
  }
  /// pad(…, y, x)
  MSHADOW_CINLINE MovedTensors &Pad(int64_t y, int64_t x) {
    return Extend(-2, y, y).Extend(-1, x, x);
  }
  /// swapaxis<a, b>(…)
  MSHADOW_CINLINE MovedTensors &Swap(int a, int b) {
    const int first = Dim(a), second = Dim(b);
    return Each(
        [=](MovedTensor<DType> *tensor) { std::swap(tensor->axes[first], tensor->axes[second]); });
  }
  /// broadcast_keepdim(…, dim, extent)
  MSHADOW_CINLINE MovedTensors &Repeat(int dim, int64_t extent) {
    const int at = Dim(dim);
    return Each([=](MovedTensor<DType> *tensor) {
      MovedAxis &axis = tensor->axes[at];
      const bool has_element = axis.begin <= 0 && 0 < axis.end;
      axis = {0, extent, 0, has_element ? extent : 0};
    });
  }
  /// broadcast_to(…, extents)
  MSHADOW_CINLINE MovedTensors &BroadcastTo(const int64_t *extents) {
    for (int a = 0; a < rank_; ++a) {
      if (extent(a) != extents[a]) Repeat(a, extents[a]);
    }
    return *this;
  }
  MSHADOW_CINLINE MovedTensors &BroadcastTo(std::initializer_list<int64_t> extents) {
    return BroadcastTo(extents.begin());
  }
  /// Adds coordinates at the ends of a dimension, or takes some away. New ones have no elements.
  MSHADOW_CINLINE MovedTensors &Extend(int dim, int64_t before, int64_t after) {
    const int at = Dim(dim);
    return Each([=](MovedTensor<DType> *tensor) {
      MovedAxis &axis = tensor->axes[at];
      const int64_t extent = axis.extent + before + after;
      const int64_t begin = axis.begin + before, end = axis.end + before;
      tensor->origin -= before * axis.step;
      axis = {axis.step, extent, begin < 0 ? 0 : begin, end > extent ? extent : end};
    });
  }

  MSHADOW_CINLINE int rank() const { return rank_; }
  MSHADOW_CINLINE int64_t extent(int dim) const { return tensors_[0].axes[Dim(dim)].extent; }
  /// As many as there are.
  MSHADOW_CINLINE const MovedTensor<DType> *tensors() const { return tensors_; }

 private:
  MSHADOW_CINLINE int Dim(int dim) const { return dim < 0 ? dim + rank_ : dim; }
  template <typename Move>
  MSHADOW_CINLINE MovedTensors &Each(const Move &move) {
    for (MovedTensor<DType> &tensor : tensors_) move(&tensor);
    return *this;
  }

  int rank_;
  MovedTensor<DType> tensors_[static_cast<size_t>(kCount)];
};

template <typename DType>
MSHADOW_CINLINE MovedTensors<DType, 1> Moved(const TensorArg<DType> &tensor) {
  return MovedTensors<DType, 1>(tensor);
}

/// concat<dim>(left, right)
template <typename DType, int kLeft, int kRight>
MSHADOW_CINLINE MovedTensors<DType, kLeft + kRight> Joined(
    int dim, const MovedTensors<DType, kLeft> &left, const MovedTensors<DType, kRight> &right) {
  return {dim, left, right};
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_MOVED_TENSOR_H_
