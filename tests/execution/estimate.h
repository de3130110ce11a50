// SPDX-License-Identifier: Apache-2.0
/// \file estimate.h
/// Arithmetic with a running forward error bound. A float is a pair (value, bound): whatever a
/// correct kernel computes lies within `bound` of `value`, however its compiler contracts. Integers
/// and bools are exact. What rounding may decide either way is undecided.
///
/// Bounds: for each operation the first-order propagation of its operands' bounds, and its own
/// rounding, u |value| + eta, with u the unit roundoff of its type and eta half its least subnormal
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2.2 and 3.3); for monotone
/// functions the values at the ends of the operands' intervals. Values are computed in long double,
/// whose own rounding is below every u.
#ifndef MSHADOW_TESTS_EXECUTION_ESTIMATE_H_
#define MSHADOW_TESTS_EXECUTION_ESTIMATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace mshadow_test {

/// One value of a scalar kind. Only one of the two forms is meant, the kind says which.
struct Estimate {
  mgen::ScalarKind kind = mgen::ScalarKind::kFloat32;
  bool undecided = false;
  long double value = 0;  ///< floats; may be infinite or NaN, then it is exact
  double bound = 0;       ///< floats: absolute
  int64_t integer = 0;    ///< integers and bools: the value; u64 as its bits

  /// Whether a kernel that computed `computed` (u64 as its bits) did it right. An undecided
  /// estimate accepts everything; NaN is accepted for NaN.
  bool Accepts(double computed) const;
  bool AcceptsInteger(int64_t computed) const { return undecided || computed == integer; }
};

/// How far quotients, square roots and their reciprocals of float and double may be off, in units
/// of the last place; 0: they are rounded correctly. For rules generated with --numerics=fast.
inline double approximation_ulps = 0;

Estimate ExactFloat(mgen::ScalarKind kind, double value);
/// `value` wraps to the kind.
Estimate ExactInteger(mgen::ScalarKind kind, int64_t value);
Estimate Undecided(mgen::ScalarKind kind);

/// `op` of class Infix, Compare or Packet, or kSelect, with a result of `kind`.
/// \throws std::invalid_argument for others
Estimate Apply(mgen::Op op, mgen::ScalarKind kind, const std::vector<Estimate> &args);
Estimate Convert(mgen::ScalarKind kind, const Estimate &value);
/// libm's function: "expf", "sin", "pow", ….
/// \throws std::invalid_argument if it is not known here
Estimate CallLibm(const std::string &name, mgen::ScalarKind kind,
                  const std::vector<Estimate> &args);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ESTIMATE_H_
