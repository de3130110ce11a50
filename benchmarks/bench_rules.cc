// SPDX-License-Identifier: Apache-2.0
// Every shipped rule against what others would write for it. All contenders run in turn in one
// process, on the same buffers, with the same threads; a time is the least of all rounds, because
// on a shared machine everything else measures the neighbours.
#include <mshadow/emitted/fused.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <string>

#include "contender.h"
#include "mix.h"
#include "options.h"
#include "rule_table.h"
#include "workload.h"

namespace mshadow_bench {
namespace {

using mshadow_test::RuleEntry;

std::map<std::string, Contender> ByName(std::initializer_list<std::vector<Contender>> tables) {
  std::map<std::string, Contender> contenders;
  for (const auto &table : tables) {
    for (const Contender &contender : table) contenders[contender.rule] = contender;
  }
  return contenders;
}

// A contender's loop over all elements, in the threads that the kernels use.
struct InThreads {
  Loop loop;
  Call call;
  static void Body(const void *context, mshadow::index_t begin, mshadow::index_t end) {
    const auto &self = *static_cast<const InThreads *>(context);
    self.loop(self.call, begin, end);
  }
};

struct Timed {
  const char *who;
  std::function<void()> run;
  double seconds = std::numeric_limits<double>::infinity();  // per call, the least seen
};

double SecondsOf(const std::function<void()> &run, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

void RunRounds(Workload *workload, std::vector<Timed> *contenders, int64_t size, int rounds) {
  // Enough calls that the clock does not matter, few enough that states stay near their start.
  const int calls = static_cast<int>(std::clamp<int64_t>((1 << 20) / size, 1, 64));
  // In another order each round: what a contender leaves in the shared cache can cost the next one
  // a quarter of its time.
  std::vector<Timed *> order;
  for (Timed &contender : *contenders) order.push_back(&contender);
  std::mt19937 random;
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (Timed *contender : order) {
      workload->Reset();
      contender->run();
      contender->seconds = std::min(contender->seconds, SecondsOf(contender->run, calls));
    }
  }
}

std::vector<float> ResultsOf(Workload *workload, const Timed &contender) {
  workload->Reset();
  contender.run();
  return workload->Results();
}

double MeanSize(const std::vector<float> &values) {
  double sum = 0;
  for (float value : values) sum += std::isfinite(value) ? std::fabs(value) : 0.0f;
  return sum / static_cast<double>(values.size());
}

/// Ends the program if a contender does something else than the first one does: a loop that
/// computes less is no contender. Rounding differs, most where long sums cancel, and with it may
/// now and then a sign or a side of a bound.
void CheckResults(const char *rule, Workload *workload, const std::vector<Timed> &contenders) {
  const std::vector<float> want = ResultsOf(workload, contenders[0]);
  const float least = 1e-4f * std::max(1.0f, static_cast<float>(MeanSize(want)));
  for (size_t k = 1; k < contenders.size(); ++k) {
    const std::vector<float> got = ResultsOf(workload, contenders[k]);
    size_t differ = 0;
    for (size_t i = 0; i < want.size(); ++i) {
      const bool near = std::fabs(got[i] - want[i]) <= 1e-3f * std::fabs(want[i]) + least;
      differ += !near && !(got[i] != got[i] && want[i] != want[i]);
    }
    if (differ <= want.size() / 1000) continue;
    std::fprintf(stderr, "bench_rules: %s, %s: %zu of %zu results differ\n", rule,
                 contenders[k].who, differ, want.size());
    std::exit(1);
  }
}

// Moves as many bytes as a rule does, without its arithmetic.
class Copying {
 public:
  Copying(int bytes, const Mix &mix)
      : half_(Floats(mix.size, bytes / 2)),
        from_(Floats(mix.size, std::max(bytes / 2, mix.copied + mix.read)), 1.0f),
        to_(Floats(mix.size, std::max(bytes / 2, mix.updated + mix.copied + mix.written)), 1.0f),
        bytes_(bytes),
        mix_(mix) {
    mix_.from = reinterpret_cast<const char *>(from_.dptr_);
    mix_.to = reinterpret_cast<char *>(to_.dptr_);
  }
  /// Reads one half of the bytes and writes the other.
  void Halves() {
    mshadow::Copy(mshadow::Tensor<mshadow::cpu, 1>(to_.dptr_, half_),
                  mshadow::Tensor<mshadow::cpu, 1>(from_.dptr_, half_));
  }
  /// Reads and writes as many as the rule does.
  void OwnMix() { mshadow::ParallelFor(mix_.size, bytes_, &MoveChunk, &mix_); }

 private:
  static mshadow::Shape<1> Floats(int64_t size, int bytes) {
    return mshadow::Shape1(size * bytes / static_cast<int64_t>(sizeof(float)));
  }
  static void MoveChunk(const void *mix, mshadow::index_t begin, mshadow::index_t end) {
    MoveMix(*static_cast<const Mix *>(mix), begin, end);
  }

  mshadow::Shape<1> half_;
  mshadow::TensorContainer<mshadow::cpu, 1, float> from_, to_;
  int bytes_;
  Mix mix_;
};

double Ratio(const Timed &peer, const Timed &fused) {
  return peer.run ? peer.seconds / fused.seconds : std::numeric_limits<double>::quiet_NaN();
}

nlohmann::json NumberOrNull(double value) {
  return value == value ? nlohmann::json(value) : nlohmann::json(nullptr);
}

/// Times one rule at one size and returns its row.
nlohmann::json Measure(const RuleEntry &fused, const RuleEntry &unfused, const Contender &hand,
                       const Contender &eigen, int64_t asked_size, int rounds) {
  Workload workload(fused, asked_size);
  const int64_t size = workload.size();
  const Call call = workload.call();
  const int bytes = fused.info->bytes;
  const auto in_threads = [&](const Contender &contender) -> std::function<void()> {
    const Loop loop = contender.loop;
    if (loop == nullptr || (contender.whole && mshadow::NumThreads() > 1)) return nullptr;
    if (contender.whole) return [loop, call, size] { loop(call, 0, size); };
    return [loop, call, size, bytes] {
      const InThreads context = {loop, call};
      mshadow::ParallelFor(size, bytes, &InThreads::Body, &context);
    };
  };
  std::vector<Timed> contenders;
  contenders.push_back({"fused", [&] { fused.call[2](workload.tensors(), workload.scalars()); }});
  contenders.push_back(
      {"unfused", [&] { unfused.call[2](workload.tensors(), workload.scalars()); }});
  contenders.push_back({"by hand", in_threads(hand)});
  contenders.push_back({"Eigen", in_threads(eigen)});
  std::vector<Timed> present;
  for (const Timed &contender : contenders) {
    if (contender.run) present.push_back(contender);
  }
  CheckResults(fused.info->name, &workload, present);
  const int written = std::min(workload.written_bytes(), bytes);
  Copying copying(bytes, MixOf(size, bytes, written, workload.held_bytes()));
  contenders.push_back({"a copy", [&copying] { copying.Halves(); }});
  contenders.push_back({"the same mix", [&copying] { copying.OwnMix(); }});
  present.insert(present.end(), contenders.end() - 2, contenders.end());
  RunRounds(&workload, &present, size, rounds);
  size_t next = 0;
  for (Timed &contender : contenders) {
    if (contender.run) contender.seconds = present[next++].seconds;
  }
  const double gigabytes = static_cast<double>(bytes) * static_cast<double>(size) * 1e-9;
  return {{"rule", fused.info->name},
          {"asked_size", asked_size},
          {"size", size},
          {"threads", mshadow::NumThreads()},
          {"isa", mshadow::IsaName(mshadow::ActiveIsa())},
          {"rounds", rounds},
          {"statements", fused.info->statements},
          {"bytes", bytes},
          {"held_bytes", workload.held_bytes()},
          {"written_bytes", written},
          {"unfused_bytes", fused.info->unfused_bytes},
          {"gb_per_s", gigabytes / contenders[0].seconds},
          {"ratio_unfused", NumberOrNull(Ratio(contenders[1], contenders[0]))},
          {"ratio_hand", NumberOrNull(Ratio(contenders[2], contenders[0]))},
          {"ratio_eigen", NumberOrNull(Ratio(contenders[3], contenders[0]))},
          {"ratio_copy", Ratio(contenders[4], contenders[0])},
          {"ratio_mix", Ratio(contenders[5], contenders[0])}};
}

/// The least ratio of a row.
double Least(const nlohmann::json &row) {
  double least = std::numeric_limits<double>::infinity();
  for (const char *key : {"ratio_unfused", "ratio_hand", "ratio_eigen"}) {
    if (!row[key].is_null()) least = std::min(least, row[key].get<double>());
  }
  return least;
}

std::string Cell(const nlohmann::json &value) {
  if (value.is_null()) return "      -";
  char text[16];
  std::snprintf(text, sizeof(text), "%7.2f", value.get<double>());
  return text;
}

void PrintRow(const nlohmann::json &row) {
  std::printf("%-30s %9lld %5d -> %3d B %s %s %s %s %s   %6.1f GB/s\n",
              row["rule"].get<std::string>().c_str(), row["size"].get<long long>(),
              row["unfused_bytes"].get<int>(), row["bytes"].get<int>(),
              Cell(row["ratio_unfused"]).c_str(), Cell(row["ratio_hand"]).c_str(),
              Cell(row["ratio_eigen"]).c_str(), Cell(row["ratio_copy"]).c_str(),
              Cell(row["ratio_mix"]).c_str(), row["gb_per_s"].get<double>());
  std::fflush(stdout);
}

std::regex FilterOf(const Options &options) {
  try {
    return std::regex(options.filter);
  } catch (const std::regex_error &error) {
    std::fprintf(stderr, "bench_rules: --filter '%s': %s\n", options.filter.c_str(), error.what());
    std::exit(2);
  }
}

int Main(int argc, char **argv) {
  const Options options = ParseOptions(argc, argv);
  mshadow::SetNumThreads(options.threads);
  const auto hand = ByName({HandAdam(), HandOptimizers(), HandElementwise(), HandRows(),
                            HandRowLosses(), HandLosses(), HandCatalogue(), HandScans(),
                            HandColumns(), HandChannels(), HandEverything(), HandProducts()});
  const auto eigen = ByName({EigenAdam(), EigenOptimizers(), EigenElementwise(), EigenRows()});
  const auto find = [](const std::map<std::string, Contender> &contenders, const char *name) {
    const auto found = contenders.find(name);
    return found == contenders.end() ? Contender{name, nullptr} : found->second;
  };
  const mshadow_test::RuleTable fused = mshadow_test::FusedRules(),
                                unfused = mshadow_test::UnfusedRules();
  const std::regex filter = FilterOf(options);
  nlohmann::json rows = nlohmann::json::array();
  std::printf(
      "%d threads, %s. Ratios: time of the other / time of the fused kernel.\n%-30s %9s %14s %7s "
      "%7s %7s %7s %7s\n",
      mshadow::NumThreads(), mshadow::IsaName(mshadow::ActiveIsa()), "rule", "elements", "bytes",
      "unfused", "hand", "eigen", "copy", "mix");
  for (size_t i = 0; i < fused.size(); ++i) {
    const char *name = fused[i].info->name;
    if (!std::regex_search(name, filter)) continue;
    if (!Workload::Fits(*fused[i].info)) continue;
    for (int64_t size : options.sizes) {
      const auto measure = [&](int rounds) {
        return Measure(fused[i], unfused[i], find(hand, name), find(eigen, name), size, rounds);
      };
      nlohmann::json row = measure(options.rounds);
      if (Least(row) < options.again) row = measure(10 * options.rounds);
      PrintRow(row);
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) {
    std::fprintf(stderr, "bench_rules: no rule's name matches '%s'\n", options.filter.c_str());
    return 1;
  }
  if (options.json.empty()) return 0;
  std::ofstream file(options.json);
  file << rows.dump(1) << "\n";
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "bench_rules: cannot write '%s'\n", options.json.c_str());
  return 1;
}

}  // namespace
}  // namespace mshadow_bench

int main(int argc, char **argv) { return mshadow_bench::Main(argc, argv); }
