// SPDX-License-Identifier: Apache-2.0
/// \file rounding.h
/// What rounding to a float kind can do to a value; part of estimate.h.
#ifndef MSHADOW_TESTS_EXECUTION_ROUNDING_H_
#define MSHADOW_TESTS_EXECUTION_ROUNDING_H_

#include "estimate.h"

namespace mshadow_test {

/// A float kind: precision in bits (the hidden one included), exponents of the least and the
/// largest normal number.
struct FloatFormat {
  int digits;
  int min_exponent;
  int max_exponent;

  long double unit_roundoff() const;    ///< 2^-digits
  long double half_subnormal() const;   ///< half the least subnormal number
  long double overflow_limit() const;   ///< values from here on round to infinity
  bool Holds(long double value) const;  ///< whether it is a number of the format
};
FloatFormat FormatOf(mgen::ScalarKind kind);

/// The result of an operation whose exact value lies within `bound` of `value`, when a kernel
/// computes it with an error of at most `ulps` units in the last place of f32 (f64 for f64) and
/// rounds it to `kind`. ulps = 0: correctly rounded.
Estimate Rounded(mgen::ScalarKind kind, long double value, long double bound, double ulps = 0);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ROUNDING_H_
