// SPDX-License-Identifier: Apache-2.0
// AdamW on many tensors: a list, a loop of calls, and one call on as many elements, in turn in this
// process; on the CPU, and on a GPU if there is one. Least times, in microseconds; on a GPU until
// the work is done. Each run has a new step, as in training.
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
template <typename Device>
struct Model {
  std::vector<index_t> sizes;
  std::vector<index_t> begins;
  Stream<Device> *stream;
  TensorContainer<Device, 2, float> memory;

  Model(const std::vector<index_t> &tensors, Stream<Device> *on)
      : sizes(tensors), stream(on), memory(false) {
    index_t end = 0;
    for (const index_t size : sizes) {
      begins.push_back(end);
      end += (size + 15) / 16 * 16;
    }
    memory.Resize(Shape2(4, end), 0.01f);
  }
  Tensor<Device, 1> At(int array, size_t i) const {
    return Tensor<Device, 1>(memory[array].dptr_ + begins[i], Shape1(sizes[i]), sizes[i], stream);
  }
  void Call(size_t i, int64_t step) const {
    optim::AdamW(At(0, i), At(1, i), At(2, i), At(3, i), 1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f, step);
  }
};

/// Whether two models have the same weights and states.
template <typename Device>
bool IsSame(const Model<Device> &a, const Model<Device> &b) {
  TensorContainer<cpu, 2, float> of_a(a.memory.shape_), of_b(b.memory.shape_);
  Copy(of_a, a.memory);
  Copy(of_b, b.memory);
  return std::memcmp(of_a.dptr_, of_b.dptr_, of_a.MSize() * sizeof(float)) == 0;
}

/// The least times of functions that are called in turn with the number of a step.
template <typename Device, typename... Run>
std::vector<double> LeastTimes(int rounds, Stream<Device> *stream, const Run &...runs) {
  std::vector<double> least(sizeof...(runs), 1e12);
  for (int round = 1; round <= rounds; ++round) {
    size_t i = 0;
    const auto measure = [&](const auto &run) {
      const Clock::time_point begin = Clock::now();
      run(round);
      stream->Wait();
      least[i] = std::min(least[i], MicrosecondsSince(begin));
      ++i;
    };
    (measure(runs), ...);
  }
  return least;
}

template <typename Device>
void Print(const std::string &name, const std::vector<index_t> &sizes, Stream<Device> *stream) {
  index_t elements = 0;
  for (const index_t size : sizes) elements += size;
  const Model<Device> listed(sizes, stream), called(sizes, stream), one({elements}, stream);
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
      std::min(rounds, 1000), stream,
      [&](int step) {
        adam.Set("step", step);
        list.Run();
      },
      [&](int step) {
        for (size_t i = 0; i < sizes.size(); ++i) called.Call(i, step);
      },
      [&](int step) { one.Call(0, step); });
  std::printf("%-18s %9.1f %9.1f %9.1f %10.2f %11.2f %9.0f%s\n", name.c_str(), times[0], times[1],
              times[2], times[0] / times[2], times[1] / times[0], build,
              IsSame(listed, called) ? "" : "  DIFFERENT BITS");
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

template <typename Device>
void PrintTable(const std::string &title) {
  Stream<Device> *const stream = NewStream<Device>(false, false);
  std::printf("%s: microseconds\n", title.c_str());
  std::printf("%-18s %9s %9s %9s %10s %11s %9s\n", "tensors", "list", "calls", "one call",
              "list / one", "calls/list", "build");
  Print("2,000 x 768", std::vector<index_t>(2000, 768), stream);
  Print("2,000 x 64", std::vector<index_t>(2000, 64), stream);
  Print("20,000 x 16", std::vector<index_t>(20000, 16), stream);
  Print("64 x 49,152", std::vector<index_t>(64, 49152), stream);
  Print("10,000 x 100", std::vector<index_t>(10000, 100), stream);
  Print("1,000 of any size", MixedSizes(), stream);
  Print("1 x 1", {1}, stream);
  Print("1 x 1,000,000", {1000000}, stream);
  DeleteStream(stream);
}

}  // namespace

int main() {
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    PrintTable<cpu>(std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
    std::printf("\n");
  }
  if (cuda::DeviceCount() > 0) PrintTable<gpu>(cuda::PropertiesOf(0).name);
}
