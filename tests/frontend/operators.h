// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Early returns, nested branches, variables that change.
struct steps {
  template <typename T>
  static T Map(T a, T b) {
    if (a < b) return b;
    T r = a;
    if (a > T(2)) {
      if (b == T(0)) return T(1);
      r += b;
      r = r * r;
    } else if (!(b > T(1)) || a != b) {
      r -= b;
    }
    const bool large = r > T(100) && b > a;
    return large ? T(100) : r;
  }
};

/// A division that its guard must protect once both branches are computed.
struct guarded {
  static int32_t Map(int32_t a, int32_t b) {
    if (b == 0) return -1;
    int32_t q = a / b;
    if (a > 4 && 8 % (a - 4) == 0) ++q;
    return b > 3 ? q % b : q % 3;
  }
};

inline float Square(float x) { return x * x; }
constexpr float Third() { return 1.0f / 4.0f; }
constexpr float kScale = 0.25f;
enum Kind { kFirst = 3 };

/// Calls of other functions, constants, three operands.
struct called {
  static float Map(float a, float b, float c) {
    return Square(Square(a)) * kScale + Third() * b - static_cast<float>(kFirst) * c;
  }
};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Operators(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<steps>(out, in);
}
MSHADOW_INSTANTIATE(Operators, float, half::half_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Guarded(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<guarded>(out, in);
}
MSHADOW_INSTANTIATE(Guarded, int32_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Called(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<called>(out, in, 2.0f);
}
MSHADOW_INSTANTIATE(Called, float);
}  // namespace specs
