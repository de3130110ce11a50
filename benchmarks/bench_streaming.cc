// SPDX-License-Identifier: Apache-2.0
// What stores past the cache are worth: the time of a rule with ordinary stores over its time with
// them, in turn in this process. Above 1 stores past the cache are faster.
//  * a rule alone, and four that each read what the one before wrote, by the bytes that one moves
//  * rules over matrices of 64 MB with rows of their own, by columns
//  * unfused assignments, by the bytes that one moves
#include <bias.gen.h>
#include <mshadow/parallel.h>
#include <mshadow/streaming.h>
#include <mshadow/tensor.h>
#include <relu.gen.h>
#include <softmax.gen.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace {

using namespace mshadow;

/// The ratio of the least times of `run`.
template <typename Run>
double Gain(int calls, const Run &run) {
  double least[2] = {1e9, 1e9};
  for (int round = 0; round < 20; ++round) {
    const bool streams = round % 2 == 1;
    SetStreamingBytes(streams ? 0 : std::numeric_limits<int64_t>::max());
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    least[streams] = std::min(least[streams], seconds.count());
  }
  SetStreamingBytes(-1);
  return least[0] / least[1];
}

void PrintSizes() {
  std::printf("threads   moved by a rule   alone   in a chain\n");
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    for (index_t size = 1 << 19; size <= 1 << 25; size *= 2) {
      TensorContainer<cpu, 1, float> a(Shape1(size), 1.0f), b(Shape1(size), 0.0f),
          c(Shape1(size), 0.0f);
      const int calls = static_cast<int>(std::max<index_t>(1, (1 << 23) / size));
      const double alone = Gain(calls, [&] { activation::Relu(b, a); });
      const double chain = Gain(calls, [&] {
        activation::Relu(b, a);
        activation::Relu(c, b);
        activation::Relu(b, c);
        activation::Relu(c, b);
      });
      std::printf("%7d %14lld MB %7.2f %12.2f\n", threads, static_cast<long long>(size * 8 >> 20),
                  alone, chain);
    }
  }
}

void PrintRows() {
  SetNumThreads(1);
  std::printf("columns   BiasRelu   SoftmaxGrad\n");
  for (const index_t cols : {10, 16, 20, 64, 65, 100, 128, 260, 512, 1001, 1024, 4001, 9001}) {
    const index_t size = (1 << 23) / cols * cols;
    TensorContainer<cpu, 1, float> a(Shape1(size), 1.0f), b(Shape1(size), 0.0f),
        bias(Shape1(cols), 1.0f);
    const Tensor<cpu, 2, float> in(a.dptr_, Shape2(size / cols, cols)), out(b.dptr_, in.shape_);
    std::printf("%7lld %10.2f %13.2f\n", static_cast<long long>(cols),
                Gain(1, [&] { activation::BiasRelu(out, in, bias); }),
                Gain(1, [&] { activation::SoftmaxGrad(out, in, in); }));
  }
}

void PrintUnfused() {
  std::printf("threads   moved   y = x / 2   y = x + z\n");
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    for (const index_t megabytes : {96, 384, 768}) {
      const index_t half = megabytes << 17, third = (megabytes << 18) / 3;
      TensorContainer<cpu, 1, float> x(Shape1(half), 1.0f), y(Shape1(half), 0.0f);
      const Tensor<cpu, 1, float> in(x.dptr_, Shape1(third));
      TensorContainer<cpu, 1, float> z(in.shape_, 2.0f);
      Tensor<cpu, 1, float> out(y.dptr_, in.shape_);
      std::printf("%7d %4d MB %11.2f %11.2f\n", threads, static_cast<int>(megabytes),
                  Gain(1, [&] { y = x * 0.5f; }), Gain(1, [&] { out = in + z; }));
    }
  }
}

}  // namespace

int main() {
  std::printf("%s. From %lld MB on rules store past the cache.\n", IsaName(ActiveIsa()),
              static_cast<long long>(StreamingBytes() >> 20));
  PrintSizes();
  PrintRows();
  PrintUnfused();
  return 0;
}
