// SPDX-License-Identifier: Apache-2.0
/// \file optim/ops.h
/// Operators of the shipped optimizers, beyond those of mshadow::op.
#ifndef SPECS_OPTIM_OPS_H_
#define SPECS_OPTIM_OPS_H_

#include <mshadow/kernel.h>

namespace optim {

/// 1 - beta^t, by which Adam divides a running mean that began at 0. In double: for a beta near 1,
/// which is what all of them are, the difference has few of float's digits in the first steps.
MSHADOW_XINLINE double bias_correction(double beta, int step) {
  return 1.0 - mshadow::math::pow(static_cast<double>(beta), step);
}

/// \name Weight decay, decoupled or not
/// The penalty that the gradient includes, and the factor of the weight. One of the two does
/// something.
/// \{
MSHADOW_XINLINE double l2_penalty(bool decoupled, double decay) { return decoupled ? 0.0 : decay; }
MSHADOW_XINLINE double kept_share(bool decoupled, double share) {
  return decoupled ? 1.0 - share : 1.0;
}
/// \}

/// MXNet's clip_gradient: `a` limited to [-bound, bound]; a negative bound means no limit.
struct clip_unless_negative {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T bound) {
    return bound < T(0) ? a : mshadow::op::clip::Map(a, bound);
  }
};

/// The soft threshold sign(a) max(|a| - t, 0), the proximal step of an L1 penalty. NaN stays NaN.
struct shrink {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T t) {
    return a > t ? a - t : (a < -t ? a + t : (a <= t ? T(0) : a));
  }
};

/// The ratio of two norms, at which a layer-wise method scales its update; 1 unless both are
/// positive.
struct norm_ratio {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a > T(0) && b > T(0) ? a / b : T(1);
  }
};

/// a + b, and 0 if a is: a norm that says "no gradient" still says so when something was added.
struct nonzero_plus {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a > T(0) ? a + b : T(0);
  }
};

}  // namespace optim

#endif  // SPECS_OPTIM_OPS_H_
