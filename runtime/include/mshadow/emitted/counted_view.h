// SPDX-License-Identifier: Apache-2.0
/// \file counted_view.h
/// Views whose axes are not the kernel's. An element has a row-major index, which is split by the
/// extents of the view's own axes. These are the axes of a reshape's source, or, for upsampling:
/// rows, repetitions, columns, repetitions.
#ifndef MSHADOW_COUNTED_VIEW_H_
#define MSHADOW_COUNTED_VIEW_H_

#include <cstdint>
#include <initializer_list>

#include "mshadow/detail/divider.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/strided_view.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// How a kernel that counts elements in row-major order reads a tensor or another view.
/// \tparam T the type of the tensor's elements, or ElementsOf<View>
/// \tparam kDirection how the elements along the last axis lie in the source
/// \tparam kBoundsOfIndices how many indices may be out of range; elements there read 0
/// \tparam kRepetitions how often each element is repeated, one repetition after the other
template <typename T, int kAxes, Along kDirection, int kBoundsOfIndices, int kRepetitions = 1>
class CountedView : public ViewSource<T> {
 public:
  using Element = typename ViewSource<T>::Element;
  static constexpr Along kAlong = kDirection;
  static constexpr int kBounds = kBoundsOfIndices;
  static constexpr int kTimes = kRepetitions;

  /// Elements [begin, end), evenly spaced in the source: element n is at `at` + n * step for first
  /// <= n < last. The others are outside the source.
  struct Run {
    typename ViewSource<T>::Position at;
    int64_t step;
    int64_t begin, end;
    int64_t first, last;
  };

  /// \param of, indices as those of StridedView::Set, but each index has up to two axes
  MSHADOW_CINLINE void Set(const typename ViewSource<T>::Shape &of,
                           std::initializer_list<AxisSum> indices) {
    this->SetSource(of);
    origin_ = 0;
    for (int64_t &step : step_) step = 0;
    int after = static_cast<int>(indices.size());
    for (const AxisSum &index : indices) {
      const int64_t step = of.StepFromLast(--after);
      origin_ += index.offset() * step;
      AddTo(step_, index, step);
    }
    bounds_ = 0;
  }
  /// Says that the view has elements only for 0 <= index < extent.
  MSHADOW_CINLINE void Within(const AxisSum &index, int64_t extent) {
    Bound &bound = bound_[bounds_++];
    for (int64_t &step : bound.step) step = 0;
    AddTo(bound.step, index, 1);
    bound.offset = index.offset();
    bound.extent = extent;
  }
  /// Sets the extents of the axes. Call it last: it merges axes that are one run of memory.
  MSHADOW_CINLINE void Over(std::initializer_list<int64_t> extents) {
    int64_t extent[static_cast<size_t>(kAxes)];
    for (int a = 0; a < kAxes; ++a) extent[a] = extents.begin()[a];
    int to = kAxes - 1;
    for (int a = kAxes - 2; a >= 0; --a) {
      if (extent[a] == 1) continue;
      if (IsOneRun(a, to, extent[to])) {
        extent[to] *= extent[a];
      } else {
        Move(a, --to, extent);
      }
    }
    while (to > 0) extent[--to] = 1;
    last_extent_ = extent[kAxes - 1];
    for (int a = 0; a < kAxes; ++a) extent_[a] = detail::Divider(static_cast<index_t>(extent[a]));
  }

  /// The run that element \p n is in.
  MSHADOW_XINLINE Run RunOf(int64_t n) const {
    constexpr int kLast = kAxes - 1;
    int64_t i[static_cast<size_t>(kAxes)];
    CoordinatesOf(n, i);
    int64_t at = origin_;
    for (int a = 0; a < kLast; ++a) at += i[a] * step_[a];
    const int64_t begin = n - i[kLast];
    const int64_t length = kAxes == 1 ? INT64_MAX - begin : last_extent_;
    Run run = {this->origin() + (at - begin * step_[kLast]),
               step_[kLast],
               begin,
               begin + length,
               begin,
               begin + length};
    for (int b = 0; b < kBounds; ++b) Limit(bound_[b], i, &run);
    return run;
  }
  /// Element \p n, counted without repetitions.
  MSHADOW_XINLINE Element At(int64_t n) const {
    int64_t i[static_cast<size_t>(kAxes)];
    CoordinatesOf(n, i);
    int64_t at = origin_;
    for (int a = 0; a < kAxes; ++a) at += i[a] * step_[a];
    for (int b = 0; b < kBounds; ++b) {
      int64_t index = bound_[b].offset;
      for (int a = 0; a < kAxes; ++a) index += i[a] * bound_[b].step[a];
      if (index < 0 || index >= bound_[b].extent) return ScalarCast<Element>(0);
    }
    return this->Get(this->origin() + at);
  }

 private:
  struct Bound {
    int64_t step[static_cast<size_t>(kAxes)];
    int64_t offset;
    int64_t extent;
  };
  static constexpr size_t kBoundsSize = kBounds > 0 ? kBounds : 1;

  static MSHADOW_CINLINE void AddTo(int64_t *step, const AxisSum &sum, int64_t distance) {
    for (const AxisIndex *index : {&sum.first, &sum.second}) {
      if (index->axis >= 0) step[index->axis] += index->step * distance;
    }
  }
  /// Whether axis \p a and the axis \p next after it, of extent \p extent, are one run of memory,
  /// and all of that is in the tensor.
  MSHADOW_CINLINE bool IsOneRun(int a, int next, int64_t extent) const {
    for (int b = 0; b < bounds_; ++b) {
      if (bound_[b].step[a] != 0 || bound_[b].step[next] != 0) return false;
    }
    return step_[a] == step_[next] * extent;
  }
  MSHADOW_CINLINE void Move(int from, int to, int64_t *extent) {
    extent[to] = extent[from];
    step_[to] = step_[from];
    for (int b = 0; b < bounds_; ++b) bound_[b].step[to] = bound_[b].step[from];
  }
  MSHADOW_XINLINE void CoordinatesOf(int64_t n, int64_t *i) const {
    auto rest = static_cast<index_t>(n);
    for (int a = kAxes - 1; a > 0; --a) i[a] = static_cast<int64_t>(extent_[a].Split(&rest));
    i[0] = static_cast<int64_t>(rest);
  }
  /// Cuts from a run what a bound excludes. \param i the coordinates of an element of the run
  static MSHADOW_XINLINE void Limit(const Bound &bound, const int64_t *i, Run *run) {
    constexpr int kLast = kAxes - 1;
    const int64_t step = bound.step[kLast];
    int64_t index = bound.offset;  // of the run's first element
    for (int a = 0; a < kLast; ++a) index += i[a] * bound.step[a];
    if (step == 0) {
      if (index < 0 || index >= bound.extent) run->last = run->first;
      return;
    }
    // The first element that is not before the tensor, and the first that is after it.
    const int64_t low = step > 0 ? -index : index - bound.extent + 1;
    const int64_t high = step > 0 ? bound.extent - index : index + 1;
    const int64_t first = run->begin + Above(low, step > 0 ? step : -step);
    const int64_t last = run->begin + Above(high, step > 0 ? step : -step);
    if (first > run->first) run->first = first;
    if (last < run->last) run->last = last;
    if (run->last < run->first) run->last = run->first;
  }
  /// number / step, rounded up, but at least 0.
  static MSHADOW_XINLINE int64_t Above(int64_t number, int64_t step) {
    if (number <= 0) return 0;
    return step == 1 ? number : (number + step - 1) / step;
  }

  int64_t origin_ = 0;  ///< where the element with coordinates 0 is, perhaps outside the tensor
  int64_t step_[static_cast<size_t>(kAxes)] = {};
  detail::Divider extent_[static_cast<size_t>(kAxes)];
  int64_t last_extent_ = 0;
  int bounds_ = 0;
  Bound bound_[kBoundsSize];
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_COUNTED_VIEW_H_
