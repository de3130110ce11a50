// SPDX-License-Identifier: Apache-2.0
/// \file strided_view.h
/// Views whose index expressions the generator knows: an element of a tensor for each element of
/// the kernel, found by a step along each axis.
#ifndef MSHADOW_STRIDED_VIEW_H_
#define MSHADOW_STRIDED_VIEW_H_

#include <cstdint>
#include <initializer_list>

#include "mshadow/detail/divider.h"
#include "mshadow/emitted/launch.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// An index of an element along one dimension of a tensor: `step` times an axis of the kernel, and
/// `offset`.
struct AxisIndex {
  int axis;  ///< -1: none
  int64_t step;
  int64_t offset;

  MSHADOW_CINLINE AxisIndex(int64_t number) : axis(-1), step(0), offset(number) {}
  MSHADOW_CINLINE AxisIndex(int along, int64_t by, int64_t from)
      : axis(along), step(by), offset(from) {}

  friend MSHADOW_CINLINE AxisIndex operator+(const AxisIndex &a, int64_t number) {
    return {a.axis, a.step, a.offset + number};
  }
  friend MSHADOW_CINLINE AxisIndex operator+(int64_t number, const AxisIndex &a) {
    return a + number;
  }
  friend MSHADOW_CINLINE AxisIndex operator-(const AxisIndex &a, int64_t number) {
    return {a.axis, a.step, a.offset - number};
  }
  friend MSHADOW_CINLINE AxisIndex operator-(int64_t number, const AxisIndex &a) {
    return {a.axis, -a.step, number - a.offset};
  }
};

/// The number of an element along axis \p axis of the kernel.
MSHADOW_CINLINE AxisIndex Axis(int axis) { return {axis, 1, 0}; }

/// Where neighbours in a row of a kernel lie in the tensor.
enum class Along {
  kForwards,   ///< beside each other
  kBackwards,  ///< beside each other, the first one last
  kAcross,     ///< any distance apart
  kStay,       ///< all are one element
};

/// A tensor as a kernel of kAxes axes reads it. The last axis is a row's.
/// \tparam kHasEdge whether the tensor has no element for some of the kernel's: those are 0
template <typename DType, int kAxes, Along kAlong, bool kHasEdge>
class StridedView {
 public:
  /// Element x of a row is at[x * step] for begin <= x < end.
  struct Row {
    const DType *at;
    int64_t step;
    int64_t begin, end;
  };

  /// \param indices one for each dimension of the tensor, or its row and the last one; over at most
  /// one axis each
  MSHADOW_CINLINE void Set(const TensorArg<DType> &tensor,
                           std::initializer_list<AxisIndex> indices) {
    elements_ = tensor.dptr;
    origin_ = 0;
    for (int a = 0; a < kAxes; ++a) {
      step_[a] = 0;
      begin_[a] = 0;
      end_[a] = INT64_MAX;
    }
    int64_t distance = 1;
    const int count = static_cast<int>(indices.size());
    for (int d = count - 1; d >= 0; --d) {
      const AxisIndex &index = indices.begin()[d];
      origin_ += index.offset * distance;
      if (index.axis >= 0) step_[index.axis] += index.step * distance;
      distance = d == count - 1 ? tensor.stride : distance * tensor.shape[d];
    }
  }
  /// Says that there is no element but where 0 <= index < extent.
  MSHADOW_CINLINE void Within(const AxisIndex &index, int64_t extent) {
    const int64_t last = extent - 1 - index.offset;
    if (index.axis < 0) {
      if (index.offset < 0 || last < 0) end_[0] = 0;
      return;
    }
    const int64_t begin = index.step > 0 ? -index.offset : -last;
    const int64_t end = (index.step > 0 ? last : index.offset) + 1;
    if (begin > begin_[index.axis]) begin_[index.axis] = begin;
    if (end < end_[index.axis]) end_[index.axis] = end;
  }
  /// The extents of axes 1 to kAxes - 2, which say what number of a row stands for which of them.
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    for (size_t i = 0; i < extents.size(); ++i) {
      extent_[i] = detail::Divider(static_cast<index_t>(extents.begin()[i]));
    }
  }

  MSHADOW_XINLINE Row row(index_t y) const {
    int64_t at = origin_;
    bool is_inside = true;
    for (int a = kAxes - 2; a >= 0; --a) {
      const auto i = static_cast<int64_t>(a > 0 ? extent_[a - 1].Split(&y) : y);
      at += i * step_[a];
      is_inside = is_inside && begin_[a] <= i && i < end_[a];
    }
    constexpr int kLast = kAxes - 1;
    if (!is_inside) return {elements_, 0, 0, 0};
    return {elements_ + at, step_[kLast], begin_[kLast], end_[kLast]};
  }

 private:
  static constexpr size_t kDividers = kAxes > 2 ? kAxes - 2 : 1;

  const DType *elements_ = nullptr;
  int64_t origin_ = 0;  ///< where the element for the first one of the kernel is, or would be
  int64_t step_[static_cast<size_t>(kAxes)] = {};
  int64_t begin_[static_cast<size_t>(kAxes)] = {};
  int64_t end_[static_cast<size_t>(kAxes)] = {};
  detail::Divider extent_[kDividers];
};

/// Several views, the first of which that has an element is read.
template <typename DType, int kAxes, Along kFirst, Along... kOthers>
struct JoinedView {
  StridedView<DType, kAxes, kFirst, true> first;
  JoinedView<DType, kAxes, kOthers...> rest;
};
template <typename DType, int kAxes, Along kFirst, Along kLast>
struct JoinedView<DType, kAxes, kFirst, kLast> {
  StridedView<DType, kAxes, kFirst, true> first;
  StridedView<DType, kAxes, kLast, true> rest;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_STRIDED_VIEW_H_
