// SPDX-License-Identifier: Apache-2.0
// expected: a scan needs a reducer with Merge
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

struct sum_only {
  template <typename T>
  static void Reduce(T &value, T other) {
    value += other;
  }
  template <typename T>
  static void SetInitValue(T &value) {
    value = T(0);
  }
};

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;

void Run() {
#ifdef MUST_FAIL
  a = inclusive_scan<sum_only>(b);
#else
  a = inclusive_scan<red::sum>(b);
#endif
}
