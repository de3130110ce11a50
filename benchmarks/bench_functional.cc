// SPDX-License-Identifier: Apache-2.0
// Expressions of specs/functional within mshadow's own: the time of the spec's templates over that
// of the emitted functions, in turn in this process, one thread. Above 1 the emitted are faster.
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <vector>

#include "functional.h"

namespace {

using namespace mshadow;
using Assign = void (*)(int, const FunctionalTensors &);

double Seconds(Assign assign, int which, const FunctionalTensors &tensors, int calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) assign(which, tensors);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The median over the rounds.
double Ratio(int which, const FunctionalTensors &tensors) {
  constexpr int kRounds = 15;
  const int calls = std::max(1, (1 << 20) / static_cast<int>(tensors.out.size(1)));
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double ours = Seconds(AssignEmitted, which, tensors, calls);
    ratios.push_back(Seconds(AssignTemplates, which, tensors, calls) / ours);
  }
  std::nth_element(ratios.begin(), ratios.begin() + kRounds / 2, ratios.end());
  return ratios[kRounds / 2];
}

}  // namespace

int main() {
  SetNumThreads(1);
  std::printf("%-28s%10s\n", "templates / emitted", "elements");
  for (size_t which = 0; which < std::size(kFunctional); ++which) {
    for (int size : {1 << 7, 1 << 14, 1 << 20}) {
      const Shape<2> shape = Shape2(1, size);
      TensorContainer<cpu, 2, float> out(shape, 0.0f), a(shape, 0.0f), b(shape, 0.0f);
      for (int x = 0; x < size; ++x) {
        a[0][x] = static_cast<float>(x % 100) / 25 - 2;
        b[0][x] = static_cast<float>(x % 77) / 30 - 1;
      }
      const FunctionalTensors tensors = {out, a, b};
      const int number = static_cast<int>(which);
      std::printf("%-28s%10d%10.2f\n", kFunctional[which], size, Ratio(number, tensors));
    }
  }
}
