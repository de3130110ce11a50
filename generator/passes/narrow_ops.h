// SPDX-License-Identifier: Apache-2.0
/// \file narrow_ops.h
/// Narrows operations. The front end shows an operation on a narrow type in the type that C++
/// computes in. With float and half instances only, `sqrt(float(a))` is right for both. With a
/// double instance, which has no float, it must be `sqrt(a)` in the element type. Part of
/// `merge_instances`.
#ifndef MSHADOW_GENERATOR_PASSES_NARROW_OPS_H_
#define MSHADOW_GENERATOR_PASSES_NARROW_OPS_H_

#include <map>
#include <utility>

#include "ir/expr.h"

namespace mgen {

class Narrowing {
 public:
  /// The same value computed in the narrow type, or null:
  ///
  ///     cast<f16>(sqrt(cast<f32>(a)))     →   sqrt(a)        which is defined as this
  ///     lt(cast<f32>(a), 0.0f32)          →   lt(a, 0.0f16)  widening is exact and keeps the order
  ///     cast<i8>(add(mul(x, y), 300i32))  →   add(cast<i8>(mul(x, y)), cast<i8>(300i32))
  ///
  /// The last operation wraps around, and needs only the low bits of its operands.
  Expr operator()(const Expr &expr);
  /// The reverse, for operations that round nothing:
  ///
  ///     cast<f32>(neg(a))                 →   neg(cast<f32>(a))
  Expr Widened(const Expr &expr);

 private:
  Expr LowBitsOf(const Expr &cast);
  Expr Converted(Type type, const Expr &expr);

  std::map<std::pair<const Node *, ScalarKind>, Expr> casts_;  ///< so that shared nodes stay shared
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_NARROW_OPS_H_
