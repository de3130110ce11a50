// SPDX-License-Identifier: Apache-2.0
/// \file activation/ops.h
/// Activation functions and their derivatives as operators, beyond those of mshadow::op. A
/// derivative takes the gradient with respect to the output, then the output (`y`) or the input
/// (`x`), whichever needs fewer operations.
#ifndef SPECS_ACTIVATION_OPS_H_
#define SPECS_ACTIVATION_OPS_H_

#include <mshadow/kernel.h>

namespace activation {

struct relu_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T y) {
    return y <= T(0) ? T(0) : grad;
  }
};

struct leaky_relu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x, T slope) {
    return x < T(0) ? slope * x : x;
  }
};

struct leaky_relu_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T x, T slope) {
    return x <= T(0) ? slope * grad : grad;
  }
};

/// alpha (e^x - 1) for x < 0. expm1 keeps the small values that e^x - 1 cancels.
struct elu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x, T alpha) {
    return x < T(0) ? alpha * mshadow::math::expm1(x) : x;
  }
};

struct elu_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T y, T alpha) {
    return y <= T(0) ? grad * (y + alpha) : grad;
  }
};

/// What to take off the inputs of a row before their exponentials: the largest, but 0 where that is
/// infinite.
struct finite_or_zero {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a - a == T(0) ? a : T(0);
  }
};

struct sigmoid_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T y) {
    return grad * (y * (T(1) - y));
  }
};

/// Two factors: 1 - y * y would have few digits where y is near 1 or -1.
struct tanh_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T y) {
    return grad * ((T(1) - y) * (T(1) + y));
  }
};

/// x Phi(x), Phi the normal distribution function.
struct gelu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x) {
    const T root_half = T(0.70710678118654752);
    return T(0.5) * x * (T(1) + mshadow::math::erf(x * root_half));
  }
};

/// Phi(x) + x phi(x), phi the normal density.
struct gelu_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T x) {
    const T root_half = T(0.70710678118654752);
    const T inv_root_two_pi = T(0.39894228040143268);
    const T cdf = T(0.5) * (T(1) + mshadow::math::erf(x * root_half));
    const T pdf = inv_root_two_pi * mshadow::math::exp(T(-0.5) * x * x);
    return grad * (cdf + x * pdf);
  }
};

/// gelu with Phi(x) approximated by (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
struct gelu_tanh {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x) {
    const T root_two_over_pi = T(0.79788456080286536);
    const T u = root_two_over_pi * (x + T(0.044715) * x * x * x);
    return T(0.5) * x * (T(1) + mshadow::math::tanh(u));
  }
};

struct gelu_tanh_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T x) {
    const T root_two_over_pi = T(0.79788456080286536);
    const T u = root_two_over_pi * (x + T(0.044715) * x * x * x);
    const T du = root_two_over_pi * (T(1) + T(0.134145) * x * x);
    const T t = mshadow::math::tanh(u);
    return grad * (T(0.5) * (T(1) + t) + T(0.5) * x * (T(1) - t * t) * du);
  }
};

struct silu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x) {
    return x * mshadow::math::sigmoid(x);
  }
};

struct silu_grad {
  template <typename T>
  MSHADOW_XINLINE static T Map(T grad, T x) {
    const T s = mshadow::math::sigmoid(x);
    return grad * (s * (T(1) + x * (T(1) - s)));
  }
};

/// log(1 + e^x) as max(x, 0) + log1p(e^-|x|): neither overflows nor cancels.
struct softplus {
  template <typename T>
  MSHADOW_XINLINE static T Map(T x) {
    const T tail = mshadow::math::log1p(mshadow::math::exp(-mshadow::math::abs(x)));
    return mshadow::op::relu::Map(x) + tail;
  }
};

}  // namespace activation

#endif  // SPECS_ACTIVATION_OPS_H_
