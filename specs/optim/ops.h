// SPDX-License-Identifier: Apache-2.0
/// \file optim/ops.h
/// Operators of the shipped optimizers, beyond those of mshadow::op.
#ifndef SPECS_OPTIM_OPS_H_
#define SPECS_OPTIM_OPS_H_

#include <mshadow/kernel.h>

namespace optim {

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

}  // namespace optim

#endif  // SPECS_OPTIM_OPS_H_
