// SPDX-License-Identifier: Apache-2.0
// A batch of random rules, by all ways of running, on the instruction set of MSHADOW_ISA:
//
//   random_rules IR LEVEL [FIRST]
//
// prints "begin RULE" before each instance from number FIRST on, "fail KIND RULE: what" for what is
// wrong with it, and "done" at the end. LEVEL: "bits" compares fused and unfused; "all" also asks
// the interpreter, whose rules IR has, and the fake GPU.
#include <mshadow/emitted/fused.h>
#include <mshadow/emitted/leaves.h>
#include <mshadow/streaming.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>

#include "ir/walk.h"
#include "misfit.h"
#include "oracle.h"
#include "random_rules_tables.h"

namespace mshadow_test {
namespace {

/// Rows, columns, padding, offset, threads.
using Size = std::array<int, 5>;

/// Every remainder of every packet, rows in several leaves, rows of fewer elements than packets,
/// more than a block of columns, nothing, several threads.
constexpr Size kSizes[] = {
    {1, 0, 0, 0, 1},   {1, 1, 0, 1, 1},    {1, 2, 0, 2, 1},    {1, 3, 0, 0, 1},
    {1, 5, 0, 5, 1},   {1, 7, 0, 7, 1},    {1, 8, 0, 0, 1},    {1, 9, 0, 9, 1},
    {1, 15, 0, 15, 1}, {1, 16, 0, 0, 1},   {1, 17, 0, 1, 1},   {1, 31, 0, 3, 1},
    {1, 33, 0, 16, 1}, {1, 64, 0, 0, 1},   {1, 67, 0, 5, 1},   {1, 130, 0, 0, 1},
    {1, 300, 0, 3, 1}, {0, 7, 0, 0, 1},    {2, 8, 1, 1, 1},    {3, 15, 2, 2, 1},
    {4, 22, 0, 3, 1},  {7, 43, 1, 6, 1},   {12, 78, 2, 11, 1}, {33, 300, 1, 3, 1},
    {97, 21, 1, 2, 1}, {260, 37, 0, 0, 1}, {100, 10, 0, 1, 2}, {514, 3, 0, 1, 2},
    {19, 1, 0, 1, 2},  {16, 129, 0, 1, 3}, {37, 501, 0, 2, 2}, {37, 501, 3, 3, 3},
};
constexpr Size kGpuSizes[] = {{1, 1, 0, 0, 1},  {1, 17, 0, 1, 1},   {1, 255, 0, 0, 1},
                              {9, 40, 0, 0, 1}, {10, 38, 10, 0, 1}, {37, 5, 2, 1, 1}};

Layout LayoutOf(const Size &size, const RuleEntry &rule) {
  Layout layout;
  layout.dim = rule.Dims().front();
  layout.rows = size[0];
  layout.cols = size[1];
  layout.pad = size[2];
  layout.offset = size[3];
  mshadow::SetNumThreads(size[4]);
  return layout;
}

std::string Text(const Size &size) {
  std::string text;
  for (const int number : size) text += (text.empty() ? "" : " x ") + std::to_string(number);
  return text;
}

/// The ways of running one instance.
struct Ways {
  RuleEntry fused, unfused, gpu;
};

/// "" or how two ways differ on arguments that fit.
std::string CompareTwo(const RuleEntry &one, const RuleEntry &other, const Size &size,
                       uint64_t seed) {
  Arguments got(one, LayoutOf(size, one));
  got.Fill(seed % 4 == 3 ? Data::kTame : Data::kMixed, seed);
  got.PickScalars(seed);
  const Arguments want = got.Clone();
  const std::string error = ErrorOf(got, one), other_error = ErrorOf(want, other);
  if (error.empty() != other_error.empty()) {
    return "one throws: " + error + other_error + "at " + Text(size);
  }
  // Unfused, earlier statements are done when one throws.
  const std::string difference = error.empty() ? got.Difference(want) : "";
  if (difference.empty()) return "";
  return difference + ", at " + Text(size) + ", data " + std::to_string(seed);
}

std::string CompareBits(const Ways &ways) {
  uint64_t seed = 0;
  for (const Size &size : kSizes) {
    // Stores past the cache, every other time.
    mshadow::SetStreamingBytes(seed % 2 == 0 ? -1 : 0);
    mshadow::SetLeavesBytes(seed % 3 == 0 ? -1 : 0);
    const std::string difference = CompareTwo(ways.fused, ways.unfused, size, seed++);
    if (!difference.empty()) return difference;
  }
  return "";
}

/// BLAS and cuBLAS add in different orders: rules with products are only run.
std::string CompareGpu(const Ways &ways) {
  uint64_t seed = 100;
  for (const Size &size : kGpuSizes) {
    const bool has_products = ways.gpu.info->products > 0;
    const RuleEntry &other = has_products ? ways.gpu : ways.unfused;
    const std::string difference = CompareTwo(ways.gpu, other, size, seed++);
    if (!difference.empty()) return difference;
  }
  return "";
}

/// A tensor that does not fit, in calls that take some branches or others.
std::string CompareMisfit(const Ways &ways, size_t tensor, Misfit misfit, const char *what) {
  for (uint64_t seed = 7; seed < 10; ++seed) {
    Arguments arguments(ways.fused, LayoutOf({6, 13, 0, 0, 1}, ways.fused));
    if (!Change(&arguments, tensor, misfit)) return "";
    arguments.Fill(Data::kTame, seed);
    arguments.PickScalars(seed);
    std::string mistake = CompareMisfit(arguments, ways.fused, ways.unfused);
    // A GPU checks no indices. BLAS and cuBLAS add in different orders.
    const bool runs = ErrorOf(arguments.Clone(), ways.unfused).empty();
    if (mistake.empty() && runs && ways.gpu.info->products == 0) {
      mistake = CompareMisfit(arguments, ways.gpu, ways.unfused);
      if (!mistake.empty()) mistake = "on a GPU: " + mistake;
    }
    if (!mistake.empty()) return mistake + ", tensor " + std::to_string(tensor) + what;
  }
  return "";
}

std::string CompareMisfits(const Ways &ways) {
  const size_t count = Arguments(ways.fused, Layout()).tensors().size();
  for (size_t tensor = 0; tensor < count; ++tensor) {
    for (const auto &[misfit, what] : kMisfits) {
      const std::string difference = CompareMisfit(ways, tensor, misfit, what);
      if (!difference.empty()) return difference;
    }
  }
  return CompareShapes(ways.fused, ways.unfused, LayoutOf({4, 3, 0, 0, 1}, ways.fused), 300);
}

std::string CompareMeaning(const mgen::Rule &rule, const RuleEntry &fused) {
  const Oracle oracle(rule, fused);
  for (uint64_t seed = 0; seed < 2; ++seed) {
    const bool is_mixed = seed % 2 == 1 && !oracle.HasWideIntegers();
    const Outcome outcome = oracle.Compare(is_mixed ? Data::kMixed : Data::kTame, seed);
    if (!outcome.mistake.empty()) return outcome.mistake + ", data " + std::to_string(seed);
  }
  return "";
}

/// Runs one comparison and prints what it finds.
template <typename Comparison>
void Try(const char *kind, const RuleEntry &rule, Comparison comparison) {
  std::string mistake;
  try {
    mistake = comparison();
  } catch (const std::exception &error) {
    mistake = std::string("throws ") + error.what();
  }
  mshadow::SetNumThreads(0);
  mshadow::SetStreamingBytes(-1);
  mshadow::SetLeavesBytes(-1);
  if (mistake.empty()) return;
  for (char &c : mistake) c = c == '\n' ? ' ' : c;
  std::cout << "fail " << kind << " " << rule.Name() << ": " << mistake << std::endl;
}

void Run(const std::map<std::string, mgen::Rule> &meanings, bool all, size_t first) {
  const RuleTable fused = FusedRules(), unfused = UnfusedRules(), gpu = GpuRules();
  for (size_t i = first; i < fused.size(); ++i) {
    const Ways ways = {fused[i], unfused.at(i), gpu.at(i)};
    std::cout << "begin " << ways.fused.Name() << std::endl;
    Try("bits", ways.fused, [&] { return CompareBits(ways); });
    if (!all) continue;
    const std::string name = ways.fused.Name().substr(0, ways.fused.Name().find('<'));
    const mgen::Rule &meaning = meanings.at(name);
    Try("misfit", ways.fused, [&] { return CompareMisfits(ways); });
    Try("gpu", ways.fused, [&] { return CompareGpu(ways); });
    Try("meaning", ways.fused, [&] { return CompareMeaning(meaning, ways.fused); });
  }
}

}  // namespace
}  // namespace mshadow_test

int main(int argc, char **argv) {
  if (argc < 3) {
    std::cerr << "usage: random_rules IR bits|all [FIRST]\n";
    return 2;
  }
  const char *isa = std::getenv("MSHADOW_ISA");
  if (isa != nullptr && std::strcmp(mshadow::IsaName(mshadow::ActiveIsa()), isa) != 0) {
    std::cout << "done: this processor has no " << isa << std::endl;
    return 0;
  }
  mshadow_test::Run(mshadow_test::ReadRules(argv[1]), std::strcmp(argv[2], "all") == 0,
                    argc > 3 ? std::strtoul(argv[3], nullptr, 0) : 0);
  std::cout << "done" << std::endl;
  return 0;
}
