// SPDX-License-Identifier: Apache-2.0
// What stores past the cache are worth: the time of a rule with ordinary stores over its time with
// them, in turn in this process. Once by itself, and once as four that each read what the one
// before wrote, which is in the cache if there is room. Above 1 stores past the cache are faster.
#include <mshadow/parallel.h>
#include <mshadow/streaming.h>
#include <mshadow/tensor.h>
#include <relu.gen.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace {

using namespace mshadow;
using Vector = TensorContainer<cpu, 1, float>;

/// `links` rules, the first from a to b and the next ones from there and back to it.
void RunChain(Vector *a, Vector *b, Vector *c, int links) {
  activation::Relu(*b, *a);
  for (int link = 1; link < links; ++link) {
    if (link % 2 == 1) activation::Relu(*c, *b);
    if (link % 2 == 0) activation::Relu(*b, *c);
  }
}

/// The ratio of the least times.
double Gain(int64_t size, int links) {
  Vector a(Shape1(size), 1.0f), b(Shape1(size), 0.0f), c(Shape1(size), 0.0f);
  const int calls = static_cast<int>(std::max<int64_t>(1, (1 << 23) / size));
  double least[2] = {1e9, 1e9};
  for (int round = 0; round < 20; ++round) {
    const bool streams = round % 2 == 1;
    SetStreamingBytes(streams ? 0 : std::numeric_limits<int64_t>::max());
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) RunChain(&a, &b, &c, links);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    least[streams] = std::min(least[streams], seconds.count());
  }
  SetStreamingBytes(-1);
  return least[0] / least[1];
}

}  // namespace

int main() {
  std::printf("From %.0f MB on rules store past the cache.\n",
              double(StreamingBytes()) / (1 << 20));
  std::printf("threads   moved by a rule   alone   in a chain\n");
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    for (int64_t size = 1 << 19; size <= 1 << 25; size *= 2) {
      const double alone = Gain(size, 1), chain = Gain(size, 4);
      std::printf("%7d %14lld MB %7.2f %12.2f\n", threads, static_cast<long long>(size * 8 >> 20),
                  alone, chain);
    }
  }
  return 0;
}
