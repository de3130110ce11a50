// SPDX-License-Identifier: Apache-2.0
/// \file strided_view.h
/// Views whose index expressions the generator knows. The distance of an element from the tensor's
/// first is a sum: each coordinate of the kernel times the step of its axis, and a constant.
#ifndef MSHADOW_STRIDED_VIEW_H_
#define MSHADOW_STRIDED_VIEW_H_

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/divider.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/moved_tensor.h"
#include "mshadow/emitted/view_source.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The coordinate along one dimension of a tensor: `step` times that along axis `axis` of the
/// kernel, plus `offset`.
struct AxisIndex {
  int axis;  ///< -1: the coordinate is `offset`
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
  friend MSHADOW_CINLINE AxisIndex operator*(int64_t factor, const AxisIndex &a) {
    return {a.axis, factor * a.step, factor * a.offset};
  }
  friend MSHADOW_CINLINE AxisIndex operator*(const AxisIndex &a, int64_t factor) {
    return factor * a;
  }
};

/// The coordinate along axis \p axis of the kernel.
MSHADOW_CINLINE AxisIndex Axis(int axis) { return {axis, 1, 0}; }

/// A coordinate of a tensor that depends on up to two axes.
struct AxisSum {
  AxisIndex first;
  AxisIndex second = 0;

  MSHADOW_CINLINE AxisSum(int64_t number) : first(number) {}
  MSHADOW_CINLINE AxisSum(const AxisIndex &index) : first(index) {}
  MSHADOW_CINLINE AxisSum(const AxisIndex &a, const AxisIndex &b) : first(a), second(b) {}
  MSHADOW_CINLINE int64_t offset() const { return first.offset + second.offset; }
};

/// How the elements of a row of the kernel lie in the tensor.
enum class Along {
  kForwards,   ///< one after the other
  kBackwards,  ///< one after the other, in reverse order
  kAcross,     ///< some fixed distance apart
  kStay,       ///< all are the same element
  kAny,        ///< some distance apart, which only the launch knows: it may be 1, -1 or 0
};

/// In the place of a number of axes: as many as the launch says.
constexpr int kAnyRank = 0;

/// Rows of a kernel that differ only in the coordinate along one axis.
struct RowLine {
  index_t period = 1;  ///< from one of them to the next
  index_t count = std::numeric_limits<index_t>::max();
};

/// Where elements of a kernel of kAxes axes lie, of which the last runs along a row: at a constant
/// plus multiples of the coordinates; and for which coordinates there are elements.
template <int kAxes>
class StridedAxes {
 public:
  /// Says that the view has elements only for 0 <= index < extent.
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
  /// The rows that differ only along \p axis, which is not the last one.
  MSHADOW_XINLINE RowLine LineAlong(int axis) const {
    RowLine line = {1, axis > 0 ? extent_[axis - 1].divisor() : RowLine().count};
    for (int a = axis + 1; a < kAxes - 1; ++a) line.period *= extent_[a - 1].divisor();
    return line;
  }
  /// Sets the extents of axes 1 to kAxes - 2. With them, a row's number is split into a coordinate
  /// for each axis.
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    for (size_t i = 0; i < extents.size(); ++i) {
      extent_[i] = detail::Divider(static_cast<index_t>(extents.begin()[i]));
      plane_ = extent_[i].divisor();
    }
  }
  /// Of a view that has all its elements: how many rows of \p cols elements continue each other,
  /// so that the next row begins where one more element of a row would be. They differ along the
  /// axis before that along a row.
  MSHADOW_CINLINE index_t RowsOfRun(index_t cols) const {
    static_assert(kAxes > 2, "the extent of axis 0 is not known");
    const int64_t row = step_[kAxes - 1] * static_cast<int64_t>(cols);
    return step_[kAxes - 2] == row ? plane_ : 1;
  }
  /// Takes them as one row.
  MSHADOW_CINLINE void JoinRows() {
    detail::Divider &rows = extent_[kAxes - 3];
    rows = detail::Divider(rows.divisor() / plane_);
    step_[kAxes - 2] *= static_cast<int64_t>(plane_);
    plane_ = 1;
  }

 protected:
  /// Element x of a row is at `at` + x * step for begin <= x < end. The other x have no elements.
  struct Place {
    int64_t at, step;
    int64_t begin, end;
  };

  /// All elements are at 0.
  MSHADOW_CINLINE void Clear() {
    origin_ = 0;
    for (int a = 0; a < kAxes; ++a) {
      step_[a] = 0;
      begin_[a] = 0;
      end_[a] = INT64_MAX / 2;  // with which sums do not overflow
    }
  }
  /// Takes two axes outside of a row as one, if one step along the outer axis is as far as all
  /// steps along the inner one. The view has all its elements.
  MSHADOW_CINLINE void MergeAxes() {
    int inner = kAxes - 2;
    for (int a = inner - 1; a > 0; --a) {
      detail::Divider &extent = extent_[inner - 1];
      if (step_[a] != step_[inner] * static_cast<int64_t>(extent.divisor())) {
        inner = a;
        continue;
      }
      extent = detail::Divider(extent.divisor() * extent_[a - 1].divisor());
      extent_[a - 1] = detail::Divider(1);
      step_[a] = 0;
    }
  }
  /// Adds a coordinate times \p distance.
  MSHADOW_CINLINE void Add(const AxisIndex &index, int64_t distance) {
    origin_ += index.offset * distance;
    if (index.axis >= 0) step_[index.axis] += index.step * distance;
  }

  /// Row \p y of the kernel. If it is outside, it has no elements.
  MSHADOW_XINLINE Place PlaceOf(index_t y) const {
    int64_t at = origin_;
    bool is_inside = true;
    for (int a = kAxes - 2; a >= 0; --a) {
      const auto i = static_cast<int64_t>(a > 0 ? extent_[a - 1].Split(&y) : y);
      at += i * step_[a];
      is_inside = is_inside && begin_[a] <= i && i < end_[a];
    }
    constexpr int kLast = kAxes - 1;
    if (!is_inside) return {0, 0, 0, 0};
    return {at, step_[kLast], begin_[kLast], end_[kLast]};
  }
  /// Row \p i of a view of two axes. It need not be a row of the kernel.
  MSHADOW_XINLINE Place PlaceAt(int64_t i) const {
    static_assert(kAxes == 2, "such a row is found by one coordinate");
    if (i < begin_[0] || i >= end_[0]) return {0, 0, 0, 0};
    return {origin_ + i * step_[0], step_[1], begin_[1], end_[1]};
  }
  /// The distance between rows that differ by 1 in the last axis before that along a row.
  MSHADOW_XINLINE int64_t StepOfRows() const { return step_[kAxes - 2]; }

 private:
  static constexpr size_t kDividers = kAxes > 2 ? kAxes - 2 : 1;

  int64_t origin_ = 0;  ///< where the kernel's element (0, ..., 0) is, perhaps outside
  int64_t step_[static_cast<size_t>(kAxes)] = {};
  int64_t begin_[static_cast<size_t>(kAxes)] = {};
  int64_t end_[static_cast<size_t>(kAxes)] = {};
  detail::Divider extent_[kDividers];
  index_t plane_ = 1;  ///< the extent of axis kAxes - 2, unless that is axis 0
};

/// How a kernel of kAxes axes reads a tensor or another view. The last axis runs along a row.
/// \tparam T the type of the tensor's elements, or ElementsOf<View>
/// \tparam kDirection how the elements of a row of the kernel lie in the source
/// \tparam kEdge whether some elements of the kernel lie outside the source; these read 0
template <typename T, int kAxes, Along kDirection, bool kEdge>
class StridedView : public StridedAxes<kAxes>, public ViewSource<T> {
 public:
  using Element = typename ViewSource<T>::Element;
  static constexpr Along kAlong = kDirection;
  static constexpr bool kHasEdge = kEdge;
  /// Whether all elements of a row are the same element of the source.
  static constexpr bool kStays = kAlong == Along::kStay;

  /// Element x of a row is at `at` + x * step for begin <= x < end; others are 0.
  struct Row {
    typename ViewSource<T>::Position at;
    int64_t step;
    int64_t begin, end;
  };

  /// \param of the tensor, or the extents of the other view
  /// \param indices one index for each dimension of the source. Each has at most one axis. For a
  ///     tensor of any rank the first index may be that of all dimensions before the others
  MSHADOW_CINLINE void Set(const typename ViewSource<T>::Shape &of,
                           std::initializer_list<AxisIndex> indices) {
    this->SetSource(of);
    this->Clear();
    int after = static_cast<int>(indices.size());
    for (const AxisIndex &index : indices) this->Add(index, of.StepFromLast(--after));
  }

  /// See StridedAxes. After Set.
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    StridedAxes<kAxes>::Over(extents);
    if (!kHasEdge) this->MergeAxes();
  }

  /// Row \p y of the kernel. If it is outside the source, it has no elements.
  MSHADOW_XINLINE Row row(index_t y) const { return RowOf(this->PlaceOf(y)); }
  /// The distance between rows that differ by 1 in the last axis before that along a row.
  MSHADOW_XINLINE int64_t row_step() const { return this->StepOfRows(); }
  static MSHADOW_XINLINE bool Has(const Row &row, int64_t x) {
    return row.begin <= x && x < row.end;
  }
  /// Element \p x of a row.
  MSHADOW_XINLINE Element ElementAt(const Row &row, int64_t x) const {
    return Has(row, x) ? this->Get(row.at + x * row.step) : Element(0.0f);
  }

 protected:
  using Place = typename StridedAxes<kAxes>::Place;
  MSHADOW_XINLINE Row RowOf(const Place &place) const {
    return {this->origin() + place.at, place.step, place.begin, place.end};
  }
};

/// The same in a rule for any rank, if only the launch knows which axes the view's functions name.
/// \tparam kAlong Along::kAny
template <typename DType, Along kAlong, bool kHasEdge>
class StridedView<DType, kAnyRank, kAlong, kHasEdge> {
 public:
  using Element = DType;
  struct Row {
    const DType *at;
    int64_t step;
    int64_t begin, end;
  };

  MSHADOW_CINLINE void Set(const MovedTensors<DType, 1> &tensor) {
    SetTo(tensor.tensors(), tensor.rank());
  }
  /// Axes that are one run of memory become one.
  MSHADOW_CINLINE void SetTo(const MovedTensor<DType> *tensor, int rank) {
    elements_ = tensor->elements;
    origin_ = tensor->origin;
    last_ = tensor->axes[rank - 1];
    outer_ = 0;
    for (int a = rank - 2; a >= 0; --a) {
      const MovedAxis &axis = tensor->axes[a];
      if (axis.extent == 1 && axis.IsInside()) continue;
      if (outer_ > 0 && axis.IsOneRunWith(axes_[outer_ - 1])) {
        MovedAxis &next = axes_[outer_ - 1];
        next.extent *= axis.extent;
        next.end = next.extent;
      } else {
        axes_[outer_++] = axis;
      }
    }
    for (int a = 0; a < outer_; ++a) {
      extent_[a] = detail::Divider(static_cast<index_t>(axes_[a].extent));
    }
  }

  /// Row \p y of the kernel. If it is outside the tensor, it has no elements.
  MSHADOW_XINLINE Row row(index_t y) const {
    int64_t at = origin_;
    bool is_inside = true;
    for (int a = 0; a < outer_; ++a) {
      const auto i = static_cast<int64_t>(a + 1 < outer_ ? extent_[a].Split(&y) : y);
      at += i * axes_[a].step;
      is_inside = is_inside && axes_[a].begin <= i && i < axes_[a].end;
    }
    if (kHasEdge && !is_inside) return {elements_, 0, 0, 0};
    return {elements_ + at, last_.step, last_.begin, last_.end};
  }

 private:
  const DType *elements_ = nullptr;
  int64_t origin_ = 0;
  int outer_ = 0;  ///< axes outside of a row, from the inner one outwards
  MovedAxis last_ = {};
  MovedAxis axes_[kMaxRank - 1] = {};
  detail::Divider extent_[kMaxRank - 1];
};

/// Two strided views, the second of which may be a JoinedView. An element is read from the first
/// view that has it.
template <typename First, typename Rest>
struct JoinedView {
  using Element = typename First::Element;
  struct Row {
    typename First::Row first;
    typename Rest::Row rest;
  };

  First first;
  Rest rest;

  /// In a rule for any rank.
  template <int kCount>
  MSHADOW_CINLINE void Set(const MovedTensors<Element, kCount> &tensors) {
    SetTo(tensors.tensors(), tensors.rank());
  }
  MSHADOW_CINLINE void SetTo(const MovedTensor<Element> *tensors, int rank) {
    first.SetTo(tensors, rank);
    rest.SetTo(tensors + 1, rank);
  }

  MSHADOW_XINLINE Row row(index_t y) const { return {first.row(y), rest.row(y)}; }
  static MSHADOW_XINLINE bool Has(const Row &row, int64_t x) {
    return First::Has(row.first, x) || Rest::Has(row.rest, x);
  }
  MSHADOW_XINLINE Element ElementAt(const Row &row, int64_t x) const {
    return First::Has(row.first, x) ? first.ElementAt(row.first, x) : rest.ElementAt(row.rest, x);
  }
};

/// A strided view of two axes that reads the rows named by a vector of indices: the coordinate
/// along axis 0 is an element of the vector, truncated to an integer.
template <typename Index, typename View>
class GatheredView : public View {
 public:
  /// \param index one index for each row of the kernel
  MSHADOW_CINLINE void By(const TensorArg<Index> &index) {
    index_ = index.dptr;
    count_ = static_cast<index_t>(index.Size());
  }
  /// Row \p y of the kernel. In a variant that does not read the view, it has no elements.
  MSHADOW_XINLINE auto row(index_t y) const {
    return this->RowOf(this->PlaceAt(y < count_ ? ScalarCast<int64_t>(index_[y]) : -1));
  }

 private:
  const Index *index_ = nullptr;
  index_t count_ = 0;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_STRIDED_VIEW_H_
