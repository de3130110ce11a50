// SPDX-License-Identifier: Apache-2.0
// AdamW on many tensors: a list, a loop of calls, and one call on as many elements, in turn in this
// process; on the CPU, and on a GPU if there is one. Least times, in microseconds; on a GPU until
// the work is done. Each run has a new step, as in training.
#include <adamw.gen.h>
#include <mshadow/list.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "models.h"

namespace {

using namespace mshadow;
using mshadow_bench::Sizes;
using Clock = std::chrono::steady_clock;

double MicrosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Floats that AdamW keeps for a parameter, with its gradient; and how many models are compared.
constexpr int kArrays = 4, kModels = 3;

/// Tensors that are updated together.
struct Case {
  std::string name;
  Sizes sizes;
  bool has_groups = false;  ///< Each tensor is a group, with a learning rate of its own.

  float RateOf(size_t i) const { return has_groups ? 1e-3f / static_cast<float>(i + 1) : 1e-3f; }
};

/// The tensors of AdamW, one behind the other, each from a cache line on.
template <typename Device>
struct Model {
  std::vector<index_t> begins;
  const Case &of;
  Stream<Device> *stream;
  TensorContainer<Device, 2, float> memory;

  Model(const Case &tensors, Stream<Device> *on) : of(tensors), stream(on), memory(false) {
    index_t end = 0;
    for (const index_t size : of.sizes) {
      begins.push_back(end);
      end += (size + 15) / 16 * 16;
    }
    memory.Resize(Shape2(kArrays, end), 0.01f);
  }
  Tensor<Device, 1> At(int array, size_t i) const {
    return Tensor<Device, 1>(memory[array].dptr_ + begins[i], Shape1(of.sizes[i]), of.sizes[i],
                             stream);
  }
  void Call(size_t i, int64_t step) const {
    optim::AdamW(At(0, i), At(1, i), At(2, i), At(3, i), of.RateOf(i), 0.9f, 0.999f, 1e-8f, 0.01f,
                 step);
  }
};

/// A list that updates a model, whose step is that of each group.
template <typename Device>
struct ListedModel {
  RuleList list;
  std::vector<RuleGroup<optim::AdamWRule>> groups;

  explicit ListedModel(const Model<Device> &model) {
    for (size_t i = 0; i < model.begins.size(); ++i) {
      if (groups.empty() || model.of.has_groups) {
        groups.push_back(list.Group<optim::AdamWRule>({{"lr", model.of.RateOf(i)}}));
      }
      groups.back().Add(model.At(0, i), model.At(1, i), model.At(2, i), model.At(3, i));
    }
    list.Check();
  }
  void Run(int step) {
    for (auto &group : groups) group.Set("step", step);
    list.Run();
  }
};

/// Whether two models have the same weights and states.
template <typename Device>
bool IsSame(const Model<Device> &a, const Model<Device> &b) {
  bool is_same = true;
  for (int array = 0; array < kArrays; ++array) {  // one at a time, to save memory
    TensorContainer<cpu, 1, float> of_a(a.memory[array].shape_), of_b(b.memory[array].shape_);
    Copy(of_a, a.memory[array]);
    Copy(of_b, b.memory[array]);
    is_same &= std::memcmp(of_a.dptr_, of_b.dptr_, of_a.MSize() * sizeof(float)) == 0;
  }
  return is_same;
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
void Print(const Case &tensors, Stream<Device> *stream) {
  const index_t elements = mshadow_bench::SumOf(tensors.sizes);
  const Case whole = {"", {elements}};
  const Model<Device> in_list(tensors, stream), called(tensors, stream), one(whole, stream);
  const Clock::time_point begin = Clock::now();
  ListedModel<Device> listed(in_list);
  const double build = MicrosecondsSince(begin);
  const int rounds =
      static_cast<int>(std::max<index_t>(30, (index_t{1} << 26) / (elements + 4096)));
  const std::vector<double> times = LeastTimes(
      std::min(rounds, 1000), stream, [&](int step) { listed.Run(step); },
      [&](int step) {
        for (size_t i = 0; i < tensors.sizes.size(); ++i) called.Call(i, step);
      },
      [&](int step) { one.Call(0, step); });
  std::printf("%-24s %9.1f %9.1f %9.1f %10.2f %11.2f %9.0f%s\n", tensors.name.c_str(), times[0],
              times[1], times[2], times[0] / times[2], times[1] / times[0], build,
              IsSame(in_list, called) ? "" : "  DIFFERENT BITS");
  std::fflush(stdout);
}

/// Sizes from 1 to 2^18, small ones more often.
Sizes MixedSizes() {
  Sizes sizes;
  uint64_t state = 1;
  for (int i = 0; i < 1000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int bits = static_cast<int>((state >> 60) * ((state >> 56) & 15) / 12);  // 0 to 18
    sizes.push_back((index_t{1} << bits) + static_cast<index_t>((state >> 40) & 7));
  }
  return sizes;
}

Sizes WithoutClassifier(Sizes resnet) {
  resnet.resize(resnet.size() - 2);
  return resnet;
}

/// Llama 3, as wide as fits so many bytes.
Case ScaledLlama3(double bytes) {
  int64_t divisor = 1;
  const auto fits = [&] {
    const int64_t elements = mshadow_bench::SumOf(mshadow_bench::Llama3(divisor));
    return static_cast<double>(elements * kArrays * kModels * sizeof(float)) <= bytes;
  };
  while (divisor < 128 && !fits()) divisor *= 2;
  return {"Llama 3 8B, width / " + std::to_string(divisor), mshadow_bench::Llama3(divisor)};
}

std::vector<Case> Cases(double bytes) {
  return {{"2,000 x 768", Sizes(2000, 768)},
          {"2,000 x 64", Sizes(2000, 64)},
          {"20,000 x 16", Sizes(20000, 16)},
          {"64 x 49,152", Sizes(64, 49152)},
          {"10,000 x 100", Sizes(10000, 100)},
          {"1,000 of any size", MixedSizes()},
          {"1 x 1", {1}},
          {"1 x 1,000,000", {1000000}},
          {"ResNet-50", mshadow_bench::ResNet({3, 4, 6, 3})},
          {"ResNet-152", mshadow_bench::ResNet({3, 8, 36, 3})},
          {"ResNet-152, 465 groups", WithoutClassifier(mshadow_bench::ResNet({3, 8, 36, 3})), true},
          {"GPT-2 124M", mshadow_bench::Gpt2()},
          ScaledLlama3(bytes)};
}

template <typename Device>
void PrintTable(const std::string &title, const std::vector<Case> &cases) {
  Stream<Device> *const stream = NewStream<Device>(false, false);
  std::printf("%s: microseconds\n", title.c_str());
  std::printf("%-24s %9s %9s %9s %10s %11s %9s\n", "tensors", "list", "calls", "one call",
              "list / one", "calls/list", "build");
  for (const Case &each : cases) Print(each, stream);
  DeleteStream(stream);
}

}  // namespace

int main(int argc, char **argv) {
  CLI::App app("AdamW on many tensors: a list, a loop of calls, and one call on as many elements.");
  double gibibytes = 8;
  std::string filter;
  app.add_option("--memory", gibibytes, "GiB for Llama 3; its widths are divided until it fits");
  app.add_option("--filter", filter, "only those whose name contains this");
  CLI11_PARSE(app, argc, argv);
  std::vector<Case> cases = Cases(gibibytes * (1 << 30));
  cases.erase(
      std::remove_if(cases.begin(), cases.end(),
                     [&](const Case &each) { return each.name.find(filter) == std::string::npos; }),
      cases.end());
  for (const int threads : {1, 2}) {
    SetNumThreads(threads);
    PrintTable<cpu>(std::to_string(threads) + (threads == 1 ? " thread" : " threads"), cases);
    std::printf("\n");
  }
  if (cuda::DeviceCount() > 0) PrintTable<gpu>(cuda::PropertiesOf(0).name, cases);
}
