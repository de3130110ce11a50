// SPDX-License-Identifier: Apache-2.0
#include <mshadow/tensor.h>
#include <mshadow_specs.h>

#include <cstdio>

int main() {
  using namespace mshadow;
  float w[] = {1}, g[] = {1};
  Tensor<cpu, 1, float> weight(w, Shape1(1)), grad(g, Shape1(1));
  optim::SGD(weight, grad, 0.1f);
  std::printf("%g\n", w[0]);
}
