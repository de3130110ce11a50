// SPDX-License-Identifier: Apache-2.0
/// \file range_view.h
/// A range as the inner view of another one (nested_view.h).
#ifndef MSHADOW_RANGE_VIEW_H_
#define MSHADOW_RANGE_VIEW_H_

#include <cstdint>

#include "mshadow/extension/range.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The vector start, start + step, … of which each element is repeated: range<DType>(start, stop,
/// step, repeat).
template <typename DType>
class RangeView {
 public:
  using Element = DType;
  struct Row {};

  /// The expression has checked the numbers.
  MSHADOW_CINLINE void Set(double start, double stop, double step, int repeat) {
    counts_ = start == 0 && step == 1 && repeat == 1;
    elements_ = expr::Plan<expr::RangeExp<DType>, DType>({start, stop, step, repeat});
  }

  /// Whether it is 0, 1, 2, …
  MSHADOW_XINLINE bool counts() const { return counts_; }
  MSHADOW_XINLINE Row row(index_t) const { return {}; }
  MSHADOW_XINLINE DType ElementAt(const Row &, int64_t x) const {
    return elements_.Eval(0, static_cast<index_t>(x));
  }

 private:
  bool counts_ = true;
  expr::Plan<expr::RangeExp<DType>, DType> elements_ =
      expr::Plan<expr::RangeExp<DType>, DType>({0, 0, 1, 1});
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RANGE_VIEW_H_
