// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

constexpr int kSteps = 3;

/// Steps of Newton's iteration for 1 / a, from a given guess. The counter is a literal in each.
struct reciprocal_by_newton {
  template <typename T>
  static T Map(T a, T guess) {
    T x = guess;
    for (int i = 0; i < kSteps; ++i) {
      const int rest = i % 2;
      if (rest == 1) continue;
      x = x * (T(2) - a * x) + T(i);
    }
    return x;
  }
};

/// A loop whose body comes first, in another one; the result is returned from within.
struct nested {
  static float Map(float a) {
    int n = 1;
    do {
      for (unsigned k = 4; k > 2; k /= 2) a += static_cast<float>(k * n);
      if (a > 100.0f) return 100.0f;
      if (n == 4) break;
      n <<= 1;
    } while (n < 16 && n != 0);
    return a;
  }
};

/// The bits that are set.
struct ones {
  static int32_t Map(int32_t a) {
    int32_t n = 0;
    int i = 0;
    while (!(i >= 4)) n += (a >> i++) & 1;
    return n;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Loops(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<reciprocal_by_newton>(in, out);
}
MSHADOW_INSTANTIATE(Loops, float, double);

template <typename xpu, int dim>
MSHADOW_KERNEL void Nested(Tensor<xpu, dim, float> out, const Tensor<xpu, dim, float> &in) {
  out = F<nested>(in);
}
MSHADOW_INSTANTIATE(Nested, Types<>);

template <typename xpu, int dim>
MSHADOW_KERNEL void Ones(Tensor<xpu, dim, int32_t> out, const Tensor<xpu, dim, int32_t> &in) {
  out = F<ones>(in);
}
MSHADOW_INSTANTIATE(Ones, Types<>);

/// Statements that are unrolled; a scalar that each iteration computes anew; a number that is known
/// from before the loop.
template <typename xpu, int dim>
MSHADOW_KERNEL void Statements(Tensor<xpu, dim, float> out, const Tensor<xpu, dim, float> &in,
                               float s) {
  float factor = s;
  int left = 2;
  for (int i = 0; i < 4; i += 2) {
    auto term = factor * in;
    out += term * static_cast<float>(i);
    if (i == 0) out = out + 1.0f;
    factor *= s;
  }
  while (left-- > 0) out = out * in;
}
MSHADOW_INSTANTIATE(Statements, Types<>);
/// A rule that is called in a loop, with a temporary for each iteration.
template <typename xpu>
MSHADOW_KERNEL void Square(Tensor<xpu, 2, float> x) {
  Temporary<xpu, 2, float> product(x.shape_, x.stream_);
  product = dot(x, x);
  x = 0.5f * x + product;
}
MSHADOW_INSTANTIATE(Square, Types<>);

constexpr bool kIsOff = false;

template <typename xpu>
MSHADOW_KERNEL void Calls(Tensor<xpu, 2, float> x) {
  for (int i = 0; i < 2; ++i) Square(x);
  if (!kIsOff) x += 1.0f;
}
MSHADOW_INSTANTIATE(Calls, Types<>);
}  // namespace specs
