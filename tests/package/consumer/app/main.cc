// SPDX-License-Identifier: Apache-2.0
#include <mshadow/tensor.h>
#include <mshadow/tensor_view.h>  // an older path
#include <toy/toy_kernels.h>
#include <vendor/tuned/tuned_rules.h>

#include <cstdio>

int main() {
  using namespace mshadow;
  float w[] = {1, 2, 3}, g[] = {2, 4, 6};
  Tensor<cpu, 1, float> weight(w, Shape1(3)), grad(g, Shape1(3));
  toy::Step(weight, grad);
  vendor::tuned::toy::Tuned(weight);
  toy::Scale(weight, 2.0f);
  std::printf("%g %g %g\n", w[0], w[1], w[2]);
}
