// SPDX-License-Identifier: Apache-2.0
// Fused gives the bits of unfused: every rule and instance of the target, data with every special
// value, all small sizes, every alignment, padded and contiguous, any number of threads, with each
// instruction set of the processor that MSHADOW_TEST_ISAS names. A call runs unfused once, and
// fused with each of them.
#include <gtest/gtest.h>
#include <mshadow/detail/exception.h>
#include <mshadow/emitted/fused.h>
#include <mshadow/emitted/leaves.h>
#include <mshadow/limit_isa.h>
#include <mshadow/streaming.h>

#include <array>
#include <cfenv>
#include <cstdlib>

#include "arguments.h"
#include "misfit.h"

namespace mshadow_test {
namespace {

using mshadow::Isa;

struct Pair {
  RuleEntry fused, unfused;
};

std::vector<Pair> Pairs() {
  const RuleTable fused = FusedRules(), unfused = UnfusedRules();
  EXPECT_EQ(fused.size(), unfused.size());
  EXPECT_FALSE(fused.empty());
  std::vector<Pair> pairs;
  for (size_t i = 0; i < fused.size() && i < unfused.size(); ++i)
    pairs.push_back({fused[i], unfused[i]});
  return pairs;
}

/// Whether the rule takes the arguments.
bool Runs(const Arguments &arguments, const RuleEntry &rule) {
  try {
    arguments.Call(rule);
  } catch (const mshadow::Error &) {
    return false;
  }
  return true;
}

/// Takes every second of the layouts that it is asked about, beginning with the first for every
/// second instance, so that the instances of a rule try all; with MSHADOW_TEST_FULL all of each.
class Turns {
 public:
  explicit Turns(int instance) : turn_(instance) {}
  bool Mine() { return std::getenv("MSHADOW_TEST_FULL") != nullptr || ++turn_ % 2 == 0; }

 private:
  int turn_;
};

constexpr Isa kIsas[] = {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512Vl, Isa::kAvx512};

/// Whether MSHADOW_TEST_ISAS names it.
bool IsNamed(Isa isa) {
  return (" " + std::string(MSHADOW_TEST_ISAS) + " ")
             .find(" " + std::string(mshadow::IsaName(isa)) + " ") != std::string::npos;
}

/// Those to compare, in order. MSHADOW_ISA=avx512, which all tests have, takes the best that there
/// is for loops of every kind.
std::vector<Isa> Isas() {
  std::vector<Isa> isas;
  mshadow::LimitIsa(Isa::kAvx512);
  const Isa best = mshadow::ActiveIsa();
  for (Isa isa : kIsas) {
    if (isa <= best && IsNamed(isa)) isas.push_back(isa);
  }
  return isas;
}

// The whole comparison of one call; returns "" or what differs.
std::string Compare(const Pair &pair, const Layout &layout, uint64_t seed) {
  static const std::vector<Isa> isas = Isas();
  Arguments given(pair.fused, layout);
  given.Fill(seed % 4 == 3 ? Data::kTame : Data::kMixed, seed);
  given.PickScalars(seed);
  const Arguments unfused = given.Clone();
  mshadow::LimitIsa(isas[seed % isas.size()]);
  mshadow::SetLeavesBytes(seed % 3 == 0 ? -1 : 0);
  const bool refused = !Runs(unfused, pair.unfused);
  for (Isa isa : isas) {
    const Arguments fused = given.Clone();
    mshadow::LimitIsa(isa);
    const std::string name = pair.fused.Name() + " with " + mshadow::IsaName(isa);
    if (refused != !Runs(fused, pair.fused)) return name + ": one of them throws";
    const std::string difference = refused ? "" : fused.Difference(unfused);
    if (difference.empty()) continue;
    return name + ", dim " + std::to_string(layout.dim) + ", " + std::to_string(layout.rows) +
           " x " + std::to_string(layout.cols) + ", pad " + std::to_string(layout.pad) +
           ", offset " + std::to_string(layout.offset) + ", seed " + std::to_string(seed) + ": " +
           difference;
  }
  // Only what is empty may be refused, an index of a row or a window of channels; unfused, earlier
  // statements are done then.
  const bool is_empty = layout.rows * layout.cols == 0;
  return !refused || is_empty ? "" : pair.fused.Name() + ": both throw";
}

/// The same of long rows. Half has no numbers for their last elements: rules that find one refuse
/// the rows.
std::string CompareLong(const Pair &pair, const Layout &layout, uint64_t seed) {
  const std::string difference = Compare(pair, layout, seed);
  const bool refuses = difference == pair.fused.Name() + ": both throw" &&
                       difference.find("half_t") != std::string::npos;
  return refuses ? "" : difference;
}

class SameBits : public testing::Test {
 protected:
  void TearDown() override {
    mshadow::LimitIsa(Isa::kAvx512);
    mshadow::SetNumThreads(0);
    mshadow::SetStreamingBytes(-1);
    mshadow::SetLeavesBytes(-1);
  }
};

/// What this processor lacks is not compared, and that is said.
TEST_F(SameBits, EveryInstructionSetIsHere) {
  for (Isa isa : kIsas) {
    if (IsNamed(isa) && isa > mshadow::ActiveIsa()) {
      GTEST_SKIP() << "this processor has no " << mshadow::IsaName(isa);
    }
  }
}

TEST_F(SameBits, TheTwoFunctionsAreTwo) {
  for (const Pair &pair : Pairs()) {
    ASSERT_EQ(pair.fused.Name(), pair.unfused.Name());
    ASSERT_FALSE(pair.fused.Dims(2).empty());
    for (int dim : pair.fused.Dims()) EXPECT_NE(pair.fused.call[dim], pair.unfused.call[dim]);
  }
}

TEST_F(SameBits, EverySmallSize) {
  mshadow::SetNumThreads(1);
  for (const Pair &pair : Pairs()) {
    const std::vector<int> dims = pair.fused.Dims();
    for (int size = 0; size <= 300; size += size < 70 ? 1 : 23) {
      Layout layout;
      layout.dim = dims[static_cast<size_t>(size) % dims.size()];
      layout.cols = size;
      layout.offset = size % 17;
      ASSERT_EQ(Compare(pair, layout, static_cast<uint64_t>(size)), "");
    }
  }
}

TEST_F(SameBits, PaddedRows) {
  mshadow::SetNumThreads(1);
  for (const Pair &pair : Pairs()) {
    const std::vector<int> dims = pair.fused.Dims(2);
    for (int i = 0; i < 12; ++i) {
      Layout layout;
      layout.dim = dims[static_cast<size_t>(i) % dims.size()];
      layout.rows = 1 + i;
      layout.cols = 1 + 7 * i;
      layout.pad = i % 3;
      layout.offset = i;
      ASSERT_EQ(Compare(pair, layout, 1000u + static_cast<uint64_t>(i)), "");
    }
  }
}

/// "" or what is wrong with calls of which one tensor does not fit, in several branches.
std::string CompareMisfits(const Pair &pair, const Layout &layout, size_t tensor) {
  for (const auto &[misfit, what] : kMisfits) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      Arguments arguments(pair.fused, layout);
      if (!Change(&arguments, tensor, misfit)) continue;
      arguments.Fill(Data::kTame, seed);
      arguments.PickScalars(seed);
      const std::string mistake = CompareMisfit(arguments, pair.fused, pair.unfused);
      if (mistake.empty()) continue;
      return mistake + ", tensor " + std::to_string(tensor) + what + ", seed " +
             std::to_string(seed);
    }
  }
  return "";
}

TEST_F(SameBits, OneTensorDoesNotFit) {
  mshadow::SetNumThreads(1);
  for (const Isa isa : Isas()) {
    mshadow::LimitIsa(isa);
    for (const Pair &pair : Pairs()) {
      for (const int dim : pair.fused.Dims()) {
        const Layout layout{dim, 6, 13};
        const size_t count = Arguments(pair.fused, layout).tensors().size();
        for (size_t tensor = 0; tensor < count; ++tensor) {
          EXPECT_EQ(CompareMisfits(pair, layout, tensor), "")
              << pair.fused.Name() << ", rank " << dim;
        }
      }
    }
  }
}

TEST_F(SameBits, SomeTensorsDoNotFit) {
  mshadow::SetNumThreads(1);
  const uint64_t calls = std::getenv("MSHADOW_TEST_FULL") != nullptr ? 1000 : 100;
  for (const Pair &pair : Pairs()) {
    for (const int dim : pair.fused.Dims()) {
      EXPECT_EQ(CompareShapes(pair.fused, pair.unfused, {dim, 4, 3}, calls), "")
          << pair.fused.Name() << ", rank " << dim;
    }
  }
}

// A guard page begins where a tensor ends, or ends where one begins: no instruction set reads or
// writes outside, not even what it then ignores.
TEST_F(SameBits, NothingOutsideIsTouched) {
  mshadow::SetNumThreads(1);
  int instance = 0;
  for (const Pair &pair : Pairs()) {
    Turns turns(instance++);
    const std::vector<int> dims = pair.fused.Dims(2);
    int turn = 0;
    for (const auto &[rows, cols, pad] : {std::array{1, 1, 0},
                                          {1, 67, 0},
                                          {3, 5, 0},
                                          {3, 16, 0},
                                          {4, 33, 3},
                                          {9, 5, 0},
                                          {9, 33, 1},
                                          {40, 3, 0}}) {
      if (!turns.Mine()) continue;
      Layout layout;
      layout.dim = dims[static_cast<size_t>(turn++) % dims.size()];
      layout.rows = rows;
      layout.cols = cols;
      layout.pad = pad;
      for (Guard guard : {Guard::kBefore, Guard::kAfter}) {
        layout.guard = guard;
        ASSERT_EQ(Compare(pair, layout, 5000u + static_cast<uint64_t>(cols)), "");
      }
    }
  }
}

// Columns of several leaves, and without elements; columns, and channels, beyond a block's.
TEST_F(SameBits, ManyRows) {
  mshadow::SetNumThreads(1);
  int instance = 0;
  for (const Pair &pair : Pairs()) {
    Turns turns(instance++);
    const std::vector<int> dims = pair.fused.Dims(2);
    for (const auto &[rows, cols] : {std::pair{0, 7}, {33, 300}, {97, 21}, {260, 37}, {1025, 5}}) {
      if (!turns.Mine()) continue;
      Layout layout;
      layout.dim = dims[static_cast<size_t>(rows) % dims.size()];
      layout.rows = rows;
      layout.cols = cols;
      layout.pad = rows % 2;
      layout.offset = rows % 5;
      ASSERT_EQ(Compare(pair, layout, 2000u + static_cast<uint64_t>(rows)), "");
    }
  }
}

// Rows of few elements, which are taken several at a time; by several threads, which begin within a
// row.
TEST_F(SameBits, ShortRows) {
  int instance = 0;
  for (const Pair &pair : Pairs()) {
    Turns turns(instance++);
    for (const auto &[rows, cols, pad] : {std::array{100, 10, 0},
                                          {514, 3, 0},
                                          {300, 16, 0},
                                          {19, 1, 0},
                                          {16, 128, 0},
                                          {16, 129, 0},
                                          {100, 10, 6},
                                          {70, 1, 15},
                                          {37, 2, 0},
                                          {37, 2, 3},
                                          {70, 3, 1},
                                          {37, 5, 0},
                                          {70, 5, 11},
                                          {37, 7, 0},
                                          {70, 7, 2},
                                          {37, 17, 0},
                                          {70, 33, 3},
                                          {40, 64, 0},
                                          {37, 65, 1},
                                          {20011, 2, 0}}) {
      if (!turns.Mine()) continue;
      Layout layout;
      layout.dim = pair.fused.Dims(2).front();
      layout.rows = rows;
      layout.cols = cols;
      layout.pad = pad;
      layout.offset = rows % 3;
      mshadow::SetNumThreads(1 + rows % 3);
      ASSERT_EQ(Compare(pair, layout, 4000u + static_cast<uint64_t>(rows)), "");
    }
  }
}

// Rows that are too long for a buffer (mshadow/detail/row_tree.h).
TEST_F(SameBits, LongRows) {
  mshadow::SetNumThreads(1);
  for (const Pair &pair : Pairs()) {
    Layout layout;
    layout.dim = pair.fused.Dims(2).front();
    layout.rows = 2;
    layout.cols = 33001;
    layout.offset = 3;
    ASSERT_EQ(CompareLong(pair, layout, 33001u), "");
  }
}

// A launch computes scalars, elements and products rounding to nearest, whatever its caller's mode.
TEST_F(SameBits, AnyRoundingMode) {
  constexpr int kModes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  uint64_t seed = 0;
  for (const Pair &pair : Pairs()) {
    for (const auto &[rows, cols] : {std::pair{5, 33}, {40, 90}}) {
      Layout layout;
      layout.dim = pair.fused.Dims(2).front();
      layout.rows = rows;
      layout.cols = cols;
      Arguments nearest(pair.fused, layout);
      nearest.Fill(Data::kTame, ++seed);
      nearest.PickScalars(seed);
      const Arguments other = nearest.Clone();
      const bool runs = Runs(nearest, pair.fused);
      std::fesetround(kModes[seed % 3]);
      const bool other_runs = Runs(other, pair.fused);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(runs, other_runs) << pair.fused.Name();
      ASSERT_EQ(other.Difference(nearest), "") << pair.fused.Name() << ", seed " << seed;
    }
  }
}

// Non-temporal stores, as in launches that move more than the cache holds.
TEST_F(SameBits, PastTheCache) {
  mshadow::SetStreamingBytes(0);
  int instance = 0;
  for (const Pair &pair : Pairs()) {
    Turns turns(instance++);
    for (const auto &[rows, cols, pad, offset] : {std::array{1, 300, 0, 0},
                                                  {1, 33001, 0, 3},
                                                  {5, 48, 0, 0},
                                                  {37, 320, 16, 0},
                                                  {33, 300, 0, 0},
                                                  {3, 1801, 7, 2},
                                                  {70, 128, 0, 0}}) {
      if (!turns.Mine()) continue;
      Layout layout;
      layout.dim = pair.fused.Dims(2).front();
      layout.rows = rows;
      layout.cols = cols;
      layout.pad = pad;
      layout.offset = offset;
      mshadow::SetNumThreads(1 + rows % 3);
      ASSERT_EQ(CompareLong(pair, layout, 3000u + static_cast<uint64_t>(cols)), "");
    }
  }
}

TEST_F(SameBits, AnyNumberOfThreads) {
  int instance = 0;
  for (const Pair &pair : Pairs()) {
    Turns turns(instance++);
    for (const auto &[threads, pad] : {std::pair{1, 0}, {2, 3}, {3, 0}, {8, 3}}) {
      if (!turns.Mine()) continue;
      mshadow::SetNumThreads(threads);
      Layout layout;
      layout.rows = 37;
      layout.cols = 1801;
      layout.pad = pad;
      layout.offset = threads;
      ASSERT_EQ(Compare(pair, layout, 46), "") << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace mshadow_test
