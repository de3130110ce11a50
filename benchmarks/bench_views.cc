// SPDX-License-Identifier: Apache-2.0
// Rules for any rank that read and write at other places: the time of the same rule with its rank
// fixed over theirs, in turn in this process, one thread. Above 1 the rule for any rank is faster.
#include <bench_views_rules.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace mshadow;
using Matrix = Tensor<cpu, 2, float>;

struct Pair {
  const char *name;
  void (*any)(Matrix, const Matrix &);
  void (*fixed)(Matrix, const Matrix &);
};

constexpr Pair kPairs[] = {
    {"flip", [](Matrix out, const Matrix &in) { views::FlipAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Flip(out, in); }},
    {"concat of slices", [](Matrix out, const Matrix &in) { views::SwapAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Swap(out, in); }},
    {"pool of pad", [](Matrix out, const Matrix &in) { views::PoolAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Pool(out, in); }},
    {"halves, written and read", [](Matrix out, const Matrix &in) { views::GateAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Gate(out, in); }},
};

double Seconds(void (*rule)(Matrix, const Matrix &), const Matrix &out, const Matrix &in,
               int calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) rule(out, in);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The median over the rounds; which of the two is first changes.
double Ratio(const Pair &pair, const Matrix &out, const Matrix &in) {
  constexpr int kRounds = 51;
  const int calls = std::max(1, (1 << 20) / static_cast<int>(in.shape_.Size()));
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool any_first = round % 2 == 0;
    const double first = Seconds(any_first ? pair.any : pair.fixed, out, in, calls);
    const double second = Seconds(any_first ? pair.fixed : pair.any, out, in, calls);
    ratios.push_back(any_first ? second / first : first / second);
  }
  std::nth_element(ratios.begin(), ratios.begin() + kRounds / 2, ratios.end());
  return ratios[kRounds / 2];
}

bool SameBits(const Pair &pair, const Matrix &out, const Matrix &in) {
  const size_t count = out.shape_.Size();
  std::vector<float> any(count);
  pair.any(out, in);
  std::copy(out.dptr_, out.dptr_ + count, any.begin());
  std::fill(out.dptr_, out.dptr_ + count, 0.0f);
  pair.fixed(out, in);
  return std::memcmp(any.data(), out.dptr_, count * sizeof(float)) == 0;
}

}  // namespace

int main() {
  SetNumThreads(1);
  std::printf("%-28s%10s\n", "fixed rank / any rank", "rows");
  for (const Pair &pair : kPairs) {
    for (const index_t rows : {index_t{8}, index_t{128}, index_t{1024}, index_t{4096}}) {
      std::vector<float> from(static_cast<size_t>(rows * rows)), to(from.size());
      for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i % 100) / 25 - 2;
      const Matrix in(from.data(), Shape2(rows, rows)), out(to.data(), in.shape_);
      if (!SameBits(pair, out, in)) {
        std::printf("%s: the two differ\n", pair.name);
        return 1;
      }
      std::printf("%-28s%10d%10.2f\n", pair.name, static_cast<int>(rows), Ratio(pair, out, in));
    }
  }
}
