// SPDX-License-Identifier: Apache-2.0
/// \file moved_tensor.h
/// Views of rules for any rank whose functions give elements other coordinates. The functions name
/// dimensions from the first or from the last, so only the launch, which has the tensors, knows
/// where an element lies. The members of MovedTensor are these functions.
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

/// A tensor through functions that give its elements other coordinates, one after the other. Each
/// function changes the object. A dimension `dim` below 0 counts from the end: -1 is the last one.
template <typename DType>
class MovedTensor {
 public:
  MSHADOW_CINLINE explicit MovedTensor(const TensorArg<DType> &tensor)
      : elements_(tensor.dptr), origin_(0), rank_(tensor.dim) {
    int64_t step = 1;
    for (int a = rank_ - 1; a >= 0; --a) {
      axes_[a] = {step, tensor.shape[a], 0, tensor.shape[a]};
      step = a == rank_ - 1 ? tensor.stride : step * tensor.shape[a];
    }
  }

  /// flip(…, dim)
  MSHADOW_CINLINE MovedTensor &Flip(int dim) {
    MovedAxis &axis = At(dim);
    origin_ += (axis.extent - 1) * axis.step;
    axis = {-axis.step, axis.extent, axis.extent - axis.end, axis.extent - axis.begin};
    return *this;
  }
  /// slice<dim>(…, begin, end)
  MSHADOW_CINLINE MovedTensor &Slice(int dim, int64_t begin, int64_t end) {
    return Extend(dim, -begin, end - At(dim).extent);
  }
  /// crop(…, Shape2(rows, columns), y, x)
  MSHADOW_CINLINE MovedTensor &Crop(int64_t rows, int64_t columns, int64_t y, int64_t x) {
    return Slice(-2, y, y + rows).Slice(-1, x, x + columns);
  }
  /// crop(…, Shape2(rows, columns))
  MSHADOW_CINLINE MovedTensor &Crop(int64_t rows, int64_t columns) {
    return Crop(rows, columns, (At(-2).extent - rows) / 2, (At(-1).extent - columns) / 2);
  }
  /// pad(…, y, x)
  MSHADOW_CINLINE MovedTensor &Pad(int64_t y, int64_t x) {
    return Extend(-2, y, y).Extend(-1, x, x);
  }
  /// swapaxis<a, b>(…)
  MSHADOW_CINLINE MovedTensor &Swap(int a, int b) {
    std::swap(At(a), At(b));
    return *this;
  }
  /// broadcast_keepdim(…, dim, extent)
  MSHADOW_CINLINE MovedTensor &Repeat(int dim, int64_t extent) {
    MovedAxis &axis = At(dim);
    const bool has_element = axis.begin <= 0 && 0 < axis.end;
    axis = {0, extent, 0, has_element ? extent : 0};
    return *this;
  }
  /// broadcast_to(…, extents)
  MSHADOW_CINLINE MovedTensor &BroadcastTo(const int64_t *extents) {
    for (int a = 0; a < rank_; ++a) {
      if (axes_[a].extent != extents[a]) Repeat(a, extents[a]);
    }
    return *this;
  }
  MSHADOW_CINLINE MovedTensor &BroadcastTo(std::initializer_list<int64_t> extents) {
    return BroadcastTo(extents.begin());
  }
  /// Adds coordinates at the ends of a dimension, or takes some away. New ones have no elements.
  MSHADOW_CINLINE MovedTensor &Extend(int dim, int64_t before, int64_t after) {
    MovedAxis &axis = At(dim);
    const int64_t extent = axis.extent + before + after;
    const int64_t begin = axis.begin + before, end = axis.end + before;
    origin_ -= before * axis.step;
    axis = {axis.step, extent, begin < 0 ? 0 : begin, end > extent ? extent : end};
    return *this;
  }

  MSHADOW_CINLINE const DType *elements() const { return elements_; }
  /// Where the element with coordinates 0 is, perhaps outside the tensor.
  MSHADOW_CINLINE int64_t origin() const { return origin_; }
  MSHADOW_CINLINE int rank() const { return rank_; }
  MSHADOW_CINLINE const MovedAxis &axis(int a) const { return axes_[a]; }
  MSHADOW_CINLINE int64_t extent(int dim) const {
    return axes_[dim < 0 ? dim + rank_ : dim].extent;
  }

 private:
  MSHADOW_CINLINE MovedAxis &At(int dim) { return axes_[dim < 0 ? dim + rank_ : dim]; }

  const DType *elements_;
  int64_t origin_;
  int rank_;
  MovedAxis axes_[kMaxRank];
};

template <typename DType>
MSHADOW_CINLINE MovedTensor<DType> Moved(const TensorArg<DType> &tensor) {
  return MovedTensor<DType>(tensor);
}

/// Two tensors that are joined: an element is of the first one if that has it.
template <typename DType>
struct JoinedTensors {
  MovedTensor<DType> first, rest;

  MSHADOW_CINLINE JoinedTensors &Flip(int dim) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->Flip(dim); });
  }
  MSHADOW_CINLINE JoinedTensors &Slice(int dim, int64_t begin, int64_t end) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->Slice(dim, begin, end); });
  }
  MSHADOW_CINLINE JoinedTensors &Repeat(int dim, int64_t extent) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->Repeat(dim, extent); });
  }
  MSHADOW_CINLINE JoinedTensors &BroadcastTo(const int64_t *extents) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->BroadcastTo(extents); });
  }
  MSHADOW_CINLINE JoinedTensors &BroadcastTo(std::initializer_list<int64_t> extents) {
    return BroadcastTo(extents.begin());
  }
  template <typename... Numbers>
  MSHADOW_CINLINE JoinedTensors &Crop(Numbers... numbers) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->Crop(numbers...); });
  }
  MSHADOW_CINLINE JoinedTensors &Pad(int64_t y, int64_t x) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->Pad(y, x); });
  }
  MSHADOW_CINLINE JoinedTensors &Swap(int a, int b) {
    return Both([=](MovedTensor<DType> *tensor) { tensor->Swap(a, b); });
  }

 private:
  template <typename Move>
  MSHADOW_CINLINE JoinedTensors &Both(const Move &move) {
    move(&first);
    move(&rest);
    return *this;
  }
};

/// concat<dim>(left, right)
template <typename DType>
MSHADOW_CINLINE JoinedTensors<DType> Joined(int dim, MovedTensor<DType> left,
                                            MovedTensor<DType> right) {
  const int64_t before = left.extent(dim), after = right.extent(dim);
  return {left.Extend(dim, 0, after), right.Extend(dim, before, 0)};
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_MOVED_TENSOR_H_
