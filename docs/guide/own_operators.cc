// SPDX-License-Identifier: Apache-2.0
// Program 4: any function of elements can be an operator: a struct with a static Map. This is the
// library itself; from here on nothing is a toy.
#include <mshadow/tensor.h>

#include <cstdio>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

struct maximum {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a > b ? a : b;
  }
};

struct clamp {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T low, T high) {
    return a < low ? low : a > high ? high : a;
  }
};

int main() {
  TensorContainer<cpu, 2> a(Shape2(2, 3), 1.0f), b(Shape2(2, 3), 2.0f), c(Shape2(2, 3));
  a[1][2] = 5.0f;
  c = b * F<maximum>(a, b);             // one loop: b * (a > b ? a : b)
  c -= F<clamp>(a, 0, 3) + 1;           // an operand may be a number
  auto named = F<maximum>(c, a) * 0.5;  // names the expression, evaluates nothing
  c = named + named;
  for (index_t y = 0; y < c.size(0); ++y) {
    for (index_t x = 0; x < c.size(1); ++x) std::printf("%g ", c[y][x]);
    std::printf("\n");
  }
  return c[0][0] == 2 && c[1][2] == 6 ? 0 : 1;
}
