// SPDX-License-Identifier: Apache-2.0
// What it is worth to reduce rows and columns in one pass: the time of two rules, one after the
// other, over the time of one that does both, in turn in this process. Above 1 the one rule is
// faster. In the last column the one rule for LayerNorm runs two kernels.
#include <layer_norm.gen.h>
#include <mshadow/emitted/leaves.h>
#include <mshadow/isa.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>
#include <rms_norm.gen.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace {

using namespace mshadow;

using Matrix = TensorContainer<cpu, 2, float>;
using Vector = TensorContainer<cpu, 1, float>;

template <typename Run>
double Seconds(int calls, const Run &run) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The least time of `first` over that of `second`.
template <typename First, typename Second>
double Ratio(int calls, const First &first, const Second &second) {
  double least_first = 1e9, least_second = 1e9;
  for (int round = 0; round < 60; ++round) {
    least_first = std::min(least_first, Seconds(calls, first));
    least_second = std::min(least_second, Seconds(calls, second));
  }
  return least_first / least_second;
}

/// The arguments of the backward rules.
struct Arguments {
  Arguments(index_t rows, index_t cols)
      : in_grad(Shape2(rows, cols), 0.0f),
        out_grad(Shape2(rows, cols), 0.5f),
        in(Shape2(rows, cols), 1.5f),
        gain_grad(Shape1(cols), 0.0f),
        bias_grad(Shape1(cols), 0.0f),
        gain(Shape1(cols), 1.0f),
        mean(Shape1(rows), 1.0f),
        scale(Shape1(rows), 2.0f) {}

  void LayerNormOne() {
    normalize::LayerNormBackward(in_grad, gain_grad, bias_grad, out_grad, in, mean, scale, gain);
  }
  void LayerNormTwo() {
    normalize::LayerNormGradGain(gain_grad, bias_grad, out_grad, in, mean, scale);
    normalize::LayerNormGrad(in_grad, out_grad, in, mean, scale, gain);
  }
  void RmsNormOne() { normalize::RmsNormBackward(in_grad, gain_grad, out_grad, in, scale, gain); }
  void RmsNormTwo() {
    normalize::RmsNormGradGain(gain_grad, out_grad, in, scale);
    normalize::RmsNormGrad(in_grad, out_grad, in, scale, gain);
  }

  Matrix in_grad, out_grad, in;
  Vector gain_grad, bias_grad, gain, mean, scale;
};

void Print(index_t rows, index_t cols) {
  Arguments a(rows, cols);
  const int calls = static_cast<int>(std::max<index_t>(1, (1 << 21) / (rows * cols)));
  const auto one = [&] { a.LayerNormOne(); };
  const auto two = [&] { a.LayerNormTwo(); };
  const double layer = Ratio(calls, two, one);
  const double rms = Ratio(
      calls, [&] { a.RmsNormTwo(); }, [&] { a.RmsNormOne(); });
  SetLeavesBytes(std::numeric_limits<int64_t>::max());
  const double apart = Ratio(calls, two, one);
  SetLeavesBytes(-1);
  std::printf("%7d %8lld x %-8lld %9.2f %9.2f %12.2f\n", NumThreads(), static_cast<long long>(rows),
              static_cast<long long>(cols), layer, rms, apart);
}

}  // namespace

int main() {
  std::printf("%s\nthreads       matrix        LayerNorm   RmsNorm   two kernels\n",
              IsaName(ActiveIsa()));
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    Print(64, 1024);
    Print(512, 256);
    Print(100, 3000);
    Print(512, 4096);
    Print(4096, 1000);
    Print(4096, 1024);
    Print(2048, 2048);
    Print(32768, 256);
    Print(1024, 16384);
  }
  return 0;
}
