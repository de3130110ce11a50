// SPDX-License-Identifier: Apache-2.0
// Checks a target's rules on the GPU of this machine: the bits of each against the CPU's, and its
// time against a copy's. scripts/gpu builds and runs this.
#include <cuda_runtime_api.h>
#include <mshadow/emitted/leaves.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "arguments.h"
#include "gpu_call.h"
#include "gpu_time.h"

namespace mshadow_test {
namespace {

struct Options {
  std::string json;
  int64_t megabytes = 1024;  // that a timed rule moves
  int64_t cols = 8192;       // of its matrices
  int rounds = 15;
  bool times = true;
  bool leaves = false;  // time kernels over rows that also reduce columns
  bool large = true;
};

struct Result {
  std::string rule;
  std::string bits;  // "same", or where they differ
  int64_t elements = 0;
  int bytes = 0;  // per element; 0: not timed
  DeviceBench::Times times = {};

  double ratio() const { return times.copy_ms / times.rule_ms; }
  double gigabytes_per_second() const {
    return static_cast<double>(elements) * bytes / times.rule_ms / 1e6;
  }
};

/// Calls a rule and returns the message of its Error, or "".
std::string ErrorOf(const Arguments &arguments, const RuleEntry &rule) {
  try {
    arguments.Call(rule);
  } catch (const mshadow::Error &error) {
    return std::string("an Error: ") + error.what();
  }
  return "";
}

/// "" or how the results differ. Rules may refuse a shape, then on both devices.
std::string DifferenceOf(const RuleEntry &cpu, const RuleEntry &gpu, const Layout &layout,
                         uint64_t seed) {
  Arguments want(cpu, layout);
  want.Fill(seed % 4 == 3 ? Data::kTame : Data::kMixed, seed);
  want.PickScalars(seed);
  Arguments got = want.Clone();
  mshadow::SetLeavesBytes(seed % 2 == 0 ? 0 : -1);  // sums of columns by kernels over rows
  const std::string error = ErrorOf(want, cpu), gpu_error = ErrorOf(got, gpu);
  if (error.empty() && gpu_error.empty()) return got.Difference(want);
  // A CPU refuses an index that is out of range. A GPU does not look at the data before it runs.
  const bool is_index = layout.rows * layout.cols == 0 || error.find("index") != std::string::npos;
  if ((gpu_error.empty() && is_index) || error.empty() == gpu_error.empty()) return "";
  return error.empty() ? "the GPU alone has " + gpu_error : "the CPU alone has " + error;
}

std::string CompareOne(const RuleEntry &cpu, const RuleEntry &gpu, const Layout &layout,
                       uint64_t seed) {
  const std::string difference = DifferenceOf(cpu, gpu, layout, seed);
  if (difference.empty()) return "";
  return std::to_string(layout.rows) + " x " + std::to_string(layout.cols) + ", pad " +
         std::to_string(layout.pad) + ", offset " + std::to_string(layout.offset) + ", seed " +
         std::to_string(seed) + ": " + difference;
}

/// Whether the rule takes tensors of these shapes.
bool HasResult(const RuleEntry &cpu, const Layout &layout) {
  Arguments arguments(cpu, layout);
  arguments.Fill(Data::kTame, 1);
  arguments.PickScalars(1);
  return ErrorOf(arguments, cpu).empty();
}

/// Small sizes of every kind, some with many blocks, and some whose rows or columns are reduced in
/// chunks.
std::string CompareBits(const RuleEntry &cpu, const RuleEntry &gpu) {
  uint64_t seed = 0;
  for (const int size : {0, 1, 2, 3, 5, 8, 15, 16, 17, 33, 100, 255, 300, 70001}) {
    for (const int offset : {0, 1}) {
      Layout layout;
      layout.dim = 1 + size % 2;
      layout.cols = size;
      layout.offset = offset;
      const std::string difference = CompareOne(cpu, gpu, layout, ++seed);
      if (!difference.empty()) return difference;
    }
  }
  const std::pair<int, int> matrices[] = {{101, 1}, {15, 7},    {2, 64},
                                          {1, 301}, {1025, 33}, {70, 4099}};
  for (const auto &[rows, cols] : matrices) {
    Layout layout;
    layout.rows = rows;
    layout.cols = cols;
    layout.pad = cols % 2 == 0 ? 16 : 3;
    const std::string difference = CompareOne(cpu, gpu, layout, ++seed);
    if (!difference.empty()) return difference;
  }
  return "";
}

/// One rule on the CPU, by its kernel from tensors of the host and of the device, by a graph, and
/// by a list.
struct Ways {
  const RuleEntry &cpu, &gpu, &raw, &graph, &list;
};

Result CheckRule(const Ways &ways, bool timed, const Options &options) {
  const RuleEntry &cpu = ways.cpu;
  Result result;
  result.rule = cpu.Name();
  result.bits = CompareBits(cpu, ways.gpu);
  Layout captured;
  captured.rows = 33;
  captured.cols = 40;
  if (result.bits.empty() && HasResult(cpu, captured)) {
    result.bits = CompareTwice(cpu, ways.graph, "by a graph", captured);
    if (result.bits.empty()) result.bits = CompareTwice(cpu, ways.list, "by a list", captured);
  }
  if (timed) {
    for (const int64_t large_cols : {4096, 4099}) {  // in vectors, and not
      Layout large;
      large.rows = 1031;
      large.cols = large_cols;
      if (result.bits.empty()) result.bits = CompareOne(cpu, ways.gpu, large, 8);
    }
    mshadow::SetLeavesBytes(options.leaves ? 0 : -1);
    const int64_t rows =
        std::max<int64_t>(1, options.megabytes * (1 << 20) / cpu.info->bytes / options.cols);
    DeviceBench bench(ways.raw, rows, options.cols);
    result.elements = rows * options.cols;
    result.bytes = cpu.info->bytes;
    result.times = bench.Measure(result.elements * result.bytes, options.rounds);
  }
  if (result.bits.empty()) result.bits = "same";
  return result;
}

/// CheckRule, but that other rules are still checked if this one throws.
Result CheckOrSayWhyNot(const Ways &ways, bool timed, const Options &options) {
  try {
    return CheckRule(ways, timed, options);
  } catch (const std::exception &error) {
    Result result;
    result.rule = ways.cpu.Name();
    result.bits = std::string("throws: ") + error.what();
    return result;
  }
}

void Print(const Result &r) {
  std::printf("%-44s %-4s", r.rule.c_str(), r.bits == "same" ? "same" : "DIFF");
  if (r.bytes > 0) {
    std::printf("  %3d B/el  %8.3f ms  %7.1f GB/s  %5.1f%% of a copy", r.bytes, r.times.rule_ms,
                r.gigabytes_per_second(), 100 * r.ratio());
  }
  std::printf("%s\n", r.bits == "same" ? "" : ("  " + r.bits).c_str());
  std::fflush(stdout);
}

std::string Quoted(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

void WriteJson(const std::string &path, const std::string &device, const std::string &large,
               const std::vector<Result> &results) {
  std::ofstream out(path);
  out << "{\n  \"device\": " << Quoted(device) << ",\n  \"beyond_2_32_elements\": " << Quoted(large)
      << ",\n  \"rules\": [";
  const char *separator = "\n";
  for (const Result &r : results) {
    out << separator << "    {\"rule\": " << Quoted(r.rule) << ", \"bits\": " << Quoted(r.bits);
    if (r.bytes > 0) {
      out << ", \"elements\": " << r.elements << ", \"bytes_per_element\": " << r.bytes
          << ", \"ms\": " << r.times.rule_ms << ", \"copy_ms\": " << r.times.copy_ms
          << ", \"gigabytes_per_second\": " << r.gigabytes_per_second()
          << ", \"ratio_copy\": " << r.ratio();
    }
    out << "}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

/// Whether a rule takes tensors of any rank alone, and goes over memory once. Such a rule computes
/// each row from that row alone.
bool IsOfRows(const mshadow::RuleInfo &info) {
  return info.passes == 1 && info.calls() == 0 &&
         std::none_of(info.begin(), info.end(), [](const mshadow::ParamInfo &param) {
           return param.is_tensor && param.rank != mshadow::kRankParam;
         });
}

/// Such a rule with the fewest bytes for each element, over more than 2^32 elements: windows of it.
std::string CheckLarge(const RuleTable &cpu, const RuleTable &raw) {
  size_t least = cpu.size();
  for (size_t i = 0; i < cpu.size(); ++i) {
    if (!IsOfRows(*cpu[i].info)) continue;
    if (least == cpu.size() || cpu[i].info->bytes < cpu[least].info->bytes) least = i;
  }
  if (least == cpu.size()) return "not run: no rule computes each row alone";
  const int64_t cols = 4099;  // a prime: rows begin everywhere
  DeviceBench bench(raw[least], (int64_t{1} << 32) / cols + 3, cols);
  const std::string difference = bench.CompareWindows(cpu[least]);
  return cpu[least].Name() + ": " + (difference.empty() ? "same" : difference);
}

std::string DeviceName() {
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess) {
    throw std::runtime_error("no CUDA device");
  }
  return prop.name;
}

/// What is timed has rows and columns: images have other shapes.
bool IsOfMatrices(const mshadow::RuleInfo &info) {
  return std::all_of(info.begin(), info.end(),
                     [](const mshadow::ParamInfo &param) { return param.rank <= 2; });
}

int Run(const Options &options) {
  const std::string device = DeviceName();
  std::printf("device: %s\n", device.c_str());
  const RuleTable cpu = FusedRules(), gpu = GpuFusedRules(), raw = GpuRawRules(),
                  graphs = GpuGraphRules(), lists = GpuListRules();
  std::vector<Result> results;
  int different = 0;
  for (size_t i = 0; i < cpu.size(); ++i) {
    // cuBLAS adds in another order than the CPU's BLAS.
    if (cpu[i].info->products > 0) continue;
    // RuleInfo::bytes is the first instance's.
    const bool is_first = i == 0 || cpu[i].info != cpu[i - 1].info;
    const bool timed = options.times && is_first && IsOfMatrices(*cpu[i].info);
    results.push_back(
        CheckOrSayWhyNot({cpu[i], gpu[i], raw[i], graphs[i], lists[i]}, timed, options));
    Print(results.back());
    different += results.back().bits != "same";
  }
  std::string large = "not run";
  if (options.large) {
    large = CheckLarge(cpu, raw);
    std::printf("beyond 2^32 elements: %s\n", large.c_str());
    different += large.rfind("not run", 0) != 0 &&
                 (large.size() < 4 || large.compare(large.size() - 4, 4, "same") != 0);
  }
  if (!options.json.empty()) WriteJson(options.json, device, large, results);
  std::printf("%zu rules, %d with other bits than the CPU's; without those of matrix products\n",
              results.size(), different);
  return different == 0 ? 0 : 1;
}

Options Parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc) throw std::invalid_argument(flag + " needs a value");
      return argv[++i];
    };
    if (flag == "--json") {
      options.json = value();
    } else if (flag == "--megabytes") {
      options.megabytes = std::stoll(value());
    } else if (flag == "--cols") {
      options.cols = std::stoll(value());
    } else if (flag == "--rounds") {
      options.rounds = std::stoi(value());
    } else if (flag == "--leaves") {
      options.leaves = true;
    } else if (flag == "--no-times") {
      options.times = false;
    } else if (flag == "--no-large") {
      options.large = false;
    } else {
      throw std::invalid_argument("unknown option " + flag +
                                  " (--json FILE, --megabytes N, --cols N, --rounds N, --leaves, "
                                  "--no-times, --no-large)");
    }
  }
  return options;
}

}  // namespace
}  // namespace mshadow_test

int main(int argc, char **argv) {
  try {
    return mshadow_test::Run(mshadow_test::Parse(argc, argv));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gpu_check: %s\n", error.what());
    return 2;
  }
}
