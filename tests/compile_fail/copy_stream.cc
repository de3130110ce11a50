// SPDX-License-Identifier: Apache-2.0
// expected: Copy: the stream is of the wrong device
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

Tensor<cpu, 2> a;
Tensor<cpu, 2> b;
Stream<cpu> *on_cpu;
Stream<gpu> *on_gpu;

void Run() {
#ifdef MUST_FAIL
  Copy(a, b, on_gpu);
#else
  Copy(a, b, on_cpu);
#endif
}
