// SPDX-License-Identifier: Apache-2.0
// Unfused expressions against mshadow's own headers: the same text compiled with both, in turn in
// one process, on the same buffers. A ratio is the median of those of all rounds, which other work
// on the machine does not move; a time is the least. Results are compared first.
#include <mshadow/parallel.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "mshadow_cases.h"
#include "options.h"

namespace mshadow_bench {
namespace {

constexpr double kLeastSeconds = 20e-6;  ///< a measurement repeats what takes less

/// The buffers of one size: numbers between 0.5 and 1.5, nothing that arithmetic is slow on.
class Memory {
 public:
  Memory(int64_t edge, int64_t batch, int64_t channels, int64_t height)
      : size_(static_cast<size_t>(edge * edge)), words_(21 * size_ + 4096) {
    arena_.edge = edge;
    arena_.batch = batch;
    arena_.channels = channels;
    arena_.height = height;
    float *at = words_.data();
    const auto take = [&at](size_t floats) {
      at += 16 - (reinterpret_cast<uintptr_t>(at) / 4) % 16;
      float *const begin = at;
      at += floats;
      return begin;
    };
    for (float **buffer : {&arena_.x, &arena_.y, &arena_.z, &arena_.w}) *buffer = take(size_ + 64);
    for (float **buffer : {&arena_.v, &arena_.index}) *buffer = take(static_cast<size_t>(edge));
    for (double **buffer : {&arena_.x64, &arena_.y64, &arena_.z64})
      *buffer = reinterpret_cast<double *>(take(2 * size_));
    for (int32_t **buffer : {&arena_.x32, &arena_.y32, &arena_.z32})
      *buffer = reinterpret_cast<int32_t *>(take(size_));
    for (uint16_t **buffer : {&arena_.x16, &arena_.y16, &arena_.z16})
      *buffer = reinterpret_cast<uint16_t *>(take(size_ / 2));
    arena_.scratch = take(5 * size_ + 256);
    Reset();
  }
  const Arena &arena() const { return arena_; }

  void Reset() {
    unsigned state = 1;
    for (float &word : words_) word = Next(&state);
    for (size_t i = 0; i < size_; ++i) {
      arena_.x64[i] = arena_.z64[i] = arena_.y64[i] = static_cast<double>(Next(&state));
      arena_.x32[i] = arena_.z32[i] = arena_.y32[i] = static_cast<int32_t>(i % 1000);
      arena_.x16[i] = arena_.z16[i] = arena_.y16[i] = static_cast<uint16_t>(0x3800 + i % 0x700);
    }
    const int64_t edge = arena_.edge;
    for (int64_t i = 0; i < edge; ++i) arena_.index[i] = static_cast<float>((i * 37 + 5) % edge);
  }

 private:
  static float Next(unsigned *state) {
    *state = *state * 1664525 + 1013904223;
    return 0.5f + static_cast<float>(*state >> 8) * 0x1p-24f;
  }

  size_t size_;
  std::vector<float> words_;
  Arena arena_{};
};

double SecondsOf(const Case &c, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) c.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

/// Whether both compute the same, but for the order of sums.
bool Agrees(const Case &ours, const Case &theirs, Memory *memory) {
  const auto count = static_cast<size_t>(ours.count);
  memory->Reset();
  theirs.run();
  const std::vector<float> want(theirs.result, theirs.result + count);
  memory->Reset();
  ours.run();
  if (ours.bits) return std::memcmp(want.data(), ours.result, 4 * count) == 0;
  for (size_t i = 0; i < count; ++i) {
    const float error = std::fabs(ours.result[i] - want[i]);
    if (!(error <= 1e-4f * std::max(1.0f, std::fabs(want[i])))) return false;
  }
  return true;
}

/// What a point of the table is; zeros where a case does not exist.
struct Times {
  double ours = 0;   ///< seconds of a call, the least of all rounds
  double ratio = 0;  ///< mshadow's time by ours
};

Times Measure(const Case &ours, const Case &theirs, int rounds) {
  const double once = std::min(SecondsOf(ours, 1), SecondsOf(ours, 1));
  const int times = std::max(1, static_cast<int>(kLeastSeconds / std::max(once, 1e-9)));
  double least = std::numeric_limits<double>::infinity(), least_theirs = least;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    double ours_now = 0, theirs_now = 0;
    if (round % 2 == 0) ours_now = SecondsOf(ours, times);  // who is first alternates
    theirs_now = SecondsOf(theirs, times);
    if (round % 2 != 0) ours_now = SecondsOf(ours, times);
    ratios.push_back(theirs_now / ours_now);
    least = std::min(least, ours_now);
    least_theirs = std::min(least_theirs, theirs_now);
  }
  if (mshadow::NumThreads() > 1) return {least, least_theirs / least};
  const auto middle = ratios.begin() + rounds / 2;
  std::nth_element(ratios.begin(), middle, ratios.end());
  return {least, *middle};
}

struct Size {
  int64_t edge, batch, channels, height;
};
constexpr Size kSizes[] = {{4, 1, 1, 4}, {32, 2, 8, 8}, {256, 4, 16, 32}, {2048, 16, 64, 64}};
constexpr int kSizeCount = 4;

/// By name, for each size.
using Table = std::map<std::string, std::array<Times, kSizeCount>>;

/// Fills a column of the table. Returns false if the two sides do not compute the same.
bool MeasureSize(int column, const Options &options, std::vector<std::string> *names,
                 Table *table) {
  const Size &size = kSizes[column];
  Memory memory(size.edge, size.batch, size.channels, size.height);
  std::vector<Case> theirs;
  const std::vector<Case> ours = OurCases(memory.arena());
  MshadowCases(memory.arena(), &theirs);
  bool agree = true;
  for (size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].name.find(options.filter) == std::string::npos) continue;
    if (!Agrees(ours[i], theirs[i], &memory)) {
      std::fprintf(stderr, "bench_mshadow: %s computes something else (size %d)\n",
                   ours[i].name.c_str(), static_cast<int>(size.edge));
      agree = false;
    }
    memory.Reset();
    if (table->count(ours[i].name) == 0) names->push_back(ours[i].name);
    Times times = Measure(ours[i], theirs[i], options.rounds);
    if (times.ratio < options.again) times = Measure(ours[i], theirs[i], 10 * options.rounds);
    (*table)[ours[i].name][static_cast<size_t>(column)] = times;
  }
  return agree;
}

void Print(const std::vector<std::string> &names, const Table &table) {
  std::printf("%d threads. Time of mshadow / time here, for matrices of so many rows.\n%-28s",
              mshadow::NumThreads(), "expression");
  for (const Size &size : kSizes) std::printf(" %8d", static_cast<int>(size.edge));
  std::printf("\n");
  double logs = 0;
  int count = 0, slower = 0;
  for (const std::string &name : names) {
    std::printf("%-28s", name.c_str());
    for (const Times &times : table.at(name)) {
      if (times.ours == 0) {
        std::printf("        -");
        continue;
      }
      std::printf(" %8.2f", times.ratio);
      logs += std::log(times.ratio);
      slower += times.ratio < 0.95 ? 1 : 0;
      ++count;
    }
    std::printf("\n");
  }
  std::printf("geometric mean %.2f; %d of %d below 0.95\n", std::exp(logs / count), slower, count);
}

int WriteJson(const Table &table, const std::string &path) {
  if (path.empty()) return 0;
  nlohmann::json rows = nlohmann::json::array();
  for (const auto &[name, sizes] : table) {
    for (size_t i = 0; i < kSizeCount; ++i) {
      if (sizes[i].ours == 0) continue;
      rows.push_back({{"expression", name},
                      {"edge", kSizes[i].edge},
                      {"seconds", sizes[i].ours},
                      {"ratio_mshadow", sizes[i].ratio}});
    }
  }
  std::ofstream file(path);
  file << rows.dump(1) << "\n";
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "bench_mshadow: cannot write '%s'\n", path.c_str());
  return 1;
}

int Main(int argc, char **argv) {
  const Options options = ParseOptions(argc, argv);
  mshadow::SetNumThreads(options.threads);
  SetMshadowThreads(mshadow::NumThreads());
  std::vector<std::string> names;
  Table table;
  bool agree = true;
  for (int column = 0; column < kSizeCount; ++column) {
    agree &= MeasureSize(column, options, &names, &table);
  }
  if (names.empty()) {
    std::fprintf(stderr, "bench_mshadow: no expression's name contains '%s'\n",
                 options.filter.c_str());
    return 1;
  }
  Print(names, table);
  return WriteJson(table, options.json) + (agree ? 0 : 1);
}

}  // namespace
}  // namespace mshadow_bench

int main(int argc, char **argv) { return mshadow_bench::Main(argc, argv); }
