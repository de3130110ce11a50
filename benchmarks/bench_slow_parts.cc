// SPDX-License-Identifier: Apache-2.0
// How much longer a rule takes that gets a message of -Wperformance than one that does not and
// computes the same: one thread, in cache, in turn in this process; the median of the rounds.
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "slow_parts.gen.h"

namespace {

using namespace mshadow;
using Call = std::function<void()>;

constexpr index_t kRows = 16, kCols = 1024;
constexpr index_t kSide = 128;  ///< of a square matrix of as many elements
static_assert(kSide * kSide == kRows * kCols);

template <typename T>
struct Operands {
  std::vector<T> in = std::vector<T>(kRows * kCols), slow = in, fast = in;

  Operands() {
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i % 101 + 1);
  }
  static Tensor<cpu, 2, T> Of(std::vector<T> &elements) {
    return Tensor<cpu, 2, T>(elements.data(), Shape2(kRows, kCols));
  }
  static Tensor<cpu, 2, T> Square(std::vector<T> &elements) {
    return Tensor<cpu, 2, T>(elements.data(), Shape2(kSide, kSide));
  }
};

double Seconds(const Call &call) {
  constexpr int kCalls = 20;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Prints the ratio of the times. \returns whether the two compute the same
template <typename T, typename U>
bool Compare(const char *id, const Operands<T> &slow, const Call &slow_call,
             const Operands<U> &fast, const Call &fast_call) {
  slow_call();
  fast_call();
  for (size_t i = 0; i < slow.slow.size(); ++i) {
    const auto got = static_cast<double>(slow.slow[i]), want = static_cast<double>(fast.fast[i]);
    if (std::fabs(got - want) <= 1e-5 * std::fabs(want)) continue;
    std::printf("%s: %g and %g at element %zu\n", id, got, want, i);
    return false;
  }
  std::vector<double> ratios;
  for (int round = 0; round < 51; ++round)
    ratios.push_back(Seconds(slow_call) / Seconds(fast_call));
  std::printf("%-20s%8.1f\n", id, Median(std::move(ratios)));
  return true;
}

}  // namespace

int main() {
  SetNumThreads(1);
  Operands<float> floats;
  Operands<int64_t> long_numbers;
  Operands<int32_t> numbers;
  const auto in = floats.Of(floats.in), slow = floats.Of(floats.slow),
             fast = floats.Of(floats.fast);
  const auto compare = [&](const char *id, const Call &slow_call, const Call &fast_call) {
    return Compare(id, floats, slow_call, floats, fast_call);
  };
  std::printf("%-20s%8s\n", "message", "times");
  const bool same[] = {
      compare(
          "element-view", [&] { slow_parts::ElementView(slow, in); },
          [&] { slow_parts::PacketView(fast, in); }),
      compare(
          "wide-arithmetic", [&] { slow_parts::WideArithmetic(slow, in); },
          [&] { slow_parts::FloatArithmetic(fast, in); }),
      compare(
          "constant-power", [&] { slow_parts::ConstantPower(slow, in); },
          [&] { slow_parts::Products(fast, in); }),
      Compare(
          "long-division", long_numbers,
          [&] {
            slow_parts::Division(long_numbers.Of(long_numbers.slow),
                                 long_numbers.Of(long_numbers.in));
          },
          numbers, [&] { slow_parts::Division(numbers.Of(numbers.fast), numbers.Of(numbers.in)); }),
      compare(
          "scalar-division", [&] { slow_parts::ScalarDivision(slow, in, 3.0f); },
          [&] { slow_parts::Reciprocal(fast, in, 3.0f); }),
      compare(
          "read-across",
          [&] { slow_parts::ReadAcross(floats.Square(floats.slow), floats.Square(floats.in)); },
          [&] { slow_parts::ReadInTiles(floats.Square(floats.fast), floats.Square(floats.in)); }),
      compare(
          "scan-again", [&] { slow_parts::ScanAgain(slow, in); },
          [&] { slow_parts::ScanOnce(fast, in); }),
  };
  return std::all_of(std::begin(same), std::end(same), [](bool each) { return each; }) ? 0 : 1;
}
