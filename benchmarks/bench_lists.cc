// SPDX-License-Identifier: Apache-2.0
// AdamW on many tensors: a list, a loop of calls, and one call on as many elements, in turn in this
// process. Least times, in microseconds. Each run has a new step, as in training.
#include <adamw.gen.h>
#include <mshadow/list.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace mshadow;
using Clock = std::chrono::steady_clock;

double MicrosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// The tensors of AdamW, one behind the other, each from a cache line on.
struct Model {
  std::vector<index_t> sizes;
  std::vector<index_t> begins;
  TensorContainer<cpu, 2, float> memory;

  explicit Model(const std::vector<index_t> &tensors) : sizes(tensors), memory(false) {
    index_t end = 0;
    for (const index_t size : sizes) {
      begins.push_back(end);
      end += (size + 15) / 16 * 16;
    }
    memory.Resize(Shape2(4, end), 0.01f);
  }
  Tensor<cpu, 1> At(int array, size_t i) const {
    return Tensor<cpu, 1>(memory[array].dptr_ + begins[i], Shape1(sizes[i]));
  }
  void Call(size_t i, int64_t step) const {
    optim::AdamW(At(0, i), At(1, i), At(2, i), At(3, i), 1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f, step);
  }
};

/// The least times of functions that are called in turn with the number of a step.
template <typename... Run>
std::vector<double> LeastTimes(int rounds, const Run &...runs) {
  std::vector<double> least(sizeof...(runs), 1e12);
  for (int round = 1; round <= rounds; ++round) {
    size_t i = 0;
    const auto measure = [&](const auto &run) {
      const Clock::time_point begin = Clock::now();
      run(round);
      least[i] = std::min(least[i], MicrosecondsSince(begin));
      ++i;
    };
    (measure(runs), ...);
  }
  return least;
}

void Print(const std::string &name, const std::vector<index_t> &sizes) {
  index_t elements = 0;
  for (const index_t size : sizes) elements += size;
  const Model listed(sizes), called(sizes), one({elements});
  const Clock::time_point begin = Clock::now();
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 1e-3}});
  for (size_t i = 0; i < sizes.size(); ++i) {
    adam.Add(listed.At(0, i), listed.At(1, i), listed.At(2, i), listed.At(3, i));
  }
  list.Check();
  const double build = MicrosecondsSince(begin);
  const int rounds =
      static_cast<int>(std::max<index_t>(30, (index_t{1} << 26) / (elements + 4096)));
  const std::vector<double> times = LeastTimes(
      std::min(rounds, 1000),
      [&](int step) {
        adam.Set("step", step);
        list.Run();
      },
      [&](int step) {
        for (size_t i = 0; i < sizes.size(); ++i) called.Call(i, step);
      },
      [&](int step) { one.Call(0, step); });
  const bool is_same = std::memcmp(listed.memory.dptr_, called.memory.dptr_,
                                   listed.memory.MSize() * sizeof(float)) == 0;
  std::printf("%-18s %9.1f %9.1f %9.1f %10.2f %11.2f %9.0f%s\n", name.c_str(), times[0], times[1],
              times[2], times[0] / times[2], times[1] / times[0], build,
              is_same ? "" : "  DIFFERENT BITS");
}

/// Sizes from 1 to 2^18, small ones more often.
std::vector<index_t> MixedSizes() {
  std::vector<index_t> sizes;
  uint64_t state = 1;
  for (int i = 0; i < 1000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int bits = static_cast<int>((state >> 60) * ((state >> 56) & 15) / 12);  // 0 to 18
    sizes.push_back((index_t{1} << bits) + static_cast<index_t>((state >> 40) & 7));
  }
  return sizes;
}

}  // namespace

int main() {
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    std::printf("%s%d thread%s: microseconds\n", threads == 1 ? "" : "\n", threads,
                threads == 1 ? "" : "s");
    std::printf("%-18s %9s %9s %9s %10s %11s %9s\n", "tensors", "list", "calls", "one call",
                "list / one", "calls/list", "build");
    Print("2,000 x 768", std::vector<index_t>(2000, 768));
    Print("2,000 x 64", std::vector<index_t>(2000, 64));
    Print("20,000 x 16", std::vector<index_t>(20000, 16));
    Print("64 x 49,152", std::vector<index_t>(64, 49152));
    Print("10,000 x 100", std::vector<index_t>(10000, 100));
    Print("1,000 of any size", MixedSizes());
    Print("1 x 1", {1});
    Print("1 x 1,000,000", {1000000});
  }
}
