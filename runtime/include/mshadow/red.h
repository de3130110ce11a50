// SPDX-License-Identifier: Apache-2.0
/// \file red.h
/// Reducers: how two values become one, and what to start with.
#ifndef MSHADOW_RED_H_
#define MSHADOW_RED_H_

#include <limits>

#include "mshadow/op.h"
#include "mshadow/strict_push.h"

namespace mshadow {
namespace red {

namespace limits {
/// The value below, and above, all others of its type; infinities where it has them.
template <typename DType>
MSHADOW_XINLINE DType MinValue() {
  using Limits = std::numeric_limits<DType>;
  return Limits::has_infinity ? static_cast<DType>(-Limits::infinity()) : Limits::lowest();
}
template <typename DType>
MSHADOW_XINLINE DType MaxValue() {
  using Limits = std::numeric_limits<DType>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}
}  // namespace limits

/// The sum.
struct sum {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = op::plus::Map(dst, src);
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = DType(0);
  }
};

/// The largest value; a NaN on either side makes it a NaN.
struct maximum {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = !(src <= dst) && dst == dst ? src : dst;
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = limits::MinValue<DType>();
  }
};

/// The smallest value; a NaN on either side makes it a NaN.
struct minimum {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = !(src >= dst) && dst == dst ? src : dst;
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = limits::MaxValue<DType>();
  }
};

}  // namespace red
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_RED_H_
