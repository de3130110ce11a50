// SPDX-License-Identifier: Apache-2.0
#include <first_rule_kernels.h>
#include <mshadow/tensor_container.h>

#include <cmath>
#include <cstdio>

/// What one would write without the generator, and again for every element type and device.
static void UpdateByHand(float *weight, const float *grad, int n, float eta, float lambda) {
  for (int i = 0; i < n; ++i) weight[i] -= eta * (grad[i] + lambda * weight[i]);
}

int main() {
  mshadow::TensorContainer<mshadow::cpu, 2, float> weight(mshadow::Shape2(3, 5), 1.0f);
  mshadow::TensorContainer<mshadow::cpu, 2, float> grad(mshadow::Shape2(3, 5), 0.5f);
  example::UpdateRule(weight, grad, 0.1f, 0.01f);

  float weight_by_hand[5] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
  UpdateByHand(weight_by_hand, grad[0].dptr_, 5, 0.1f, 0.01f);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) {
      if (std::fabs(weight[y][x] - weight_by_hand[x]) > 1e-7f) {
        std::fprintf(stderr, "error: element (%d, %d) is %g, expected %g\n", y, x, weight[y][x],
                     weight_by_hand[x]);
        return 1;
      }
    }
  }
  std::printf("weight -= eta * (grad + lambda * weight): %g\n", weight[0][0]);
  return 0;
}
