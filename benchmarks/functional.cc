// SPDX-License-Identifier: Apache-2.0
// Compiled twice: with the emitted functions, and with MSHADOW_UNFUSED, where they are the spec's.
#include "functional.h"

#include <mshadow/tensor.h>

#include "functional.gen.h"

#ifdef MSHADOW_UNFUSED
#define ASSIGN AssignTemplates
#else
#define ASSIGN AssignEmitted
#endif

void ASSIGN(int which, const FunctionalTensors &t) {
  using namespace functional;
  mshadow::Tensor<mshadow::cpu, 2, float> out = t.out, a = t.a, b = t.b;
  switch (which) {
    case 0:
      out = gelu(a);
      break;
    case 1:
      out = b * gelu(a + b);
      break;
    case 2:
      out = silu(a) * b;
      break;
    case 3:
      out = huber(a, b);
      break;
    case 4:
      out = 0.5f * huber(2.0f * a + b, b * b);
      break;
    case 5:
      out = silu(gelu_tanh(a));
      break;
  }
}
