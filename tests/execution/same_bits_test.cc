// SPDX-License-Identifier: Apache-2.0
// Fused gives the bits of unfused: every rule and instance of the target, data with every special
// value, all small sizes, every alignment, padded and contiguous, any number of threads. The test
// is run once for each instruction set (MSHADOW_ISA).
#include <gtest/gtest.h>
#include <mshadow/exception.h>
#include <mshadow/fused.h>
#include <mshadow/streaming.h>

#include <array>

#include "arguments.h"

namespace mshadow_test {
namespace {

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

// The whole comparison of one call; returns "" or what differs.
std::string Compare(const Pair &pair, const Layout &layout, uint64_t seed) {
  Arguments fused(pair.fused, layout);
  fused.Fill(seed % 4 == 3 ? Data::kTame : Data::kMixed, seed);
  fused.PickScalars(seed);
  const Arguments unfused = fused.Clone();
  const bool refused = !Runs(fused, pair.fused);
  if (refused != !Runs(unfused, pair.unfused)) return pair.fused.Name() + ": one of them throws";
  // Only what is empty may be refused, an index of a row or a window of channels; unfused, earlier
  // statements are done then.
  const bool is_empty = layout.rows * layout.cols == 0;
  if (refused) return is_empty ? "" : pair.fused.Name() + ": both throw";
  const std::string difference = fused.Difference(unfused);
  if (difference.empty()) return "";
  return pair.fused.Name() + ", dim " + std::to_string(layout.dim) + ", " +
         std::to_string(layout.rows) + " x " + std::to_string(layout.cols) + ", pad " +
         std::to_string(layout.pad) + ", offset " + std::to_string(layout.offset) + ", seed " +
         std::to_string(seed) + ": " + difference;
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
  void SetUp() override {
    const char *isa = std::getenv("MSHADOW_ISA");
    if (isa != nullptr && std::string(mshadow::IsaName(mshadow::ActiveIsa())) != isa) {
      GTEST_SKIP() << "this processor has no " << isa;
    }
  }
  void TearDown() override {
    mshadow::SetNumThreads(0);
    mshadow::SetStreamingBytes(-1);
  }
};

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

// Columns of several leaves, and without elements; columns, and channels, beyond a block's.
TEST_F(SameBits, ManyRows) {
  mshadow::SetNumThreads(1);
  for (const Pair &pair : Pairs()) {
    const std::vector<int> dims = pair.fused.Dims(2);
    for (const auto &[rows, cols] : {std::pair{0, 7}, {33, 300}, {97, 21}, {260, 37}, {1025, 5}}) {
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

// Rows of fewer elements than packets have lanes, which are taken several at a time where there are
// no gaps between them; by several threads, which begin within a row.
TEST_F(SameBits, ShortRows) {
  for (const Pair &pair : Pairs()) {
    for (const auto &[rows, cols, pad] : {std::array{100, 10, 0},
                                          {514, 3, 0},
                                          {19, 1, 0},
                                          {16, 128, 0},
                                          {16, 129, 0},
                                          {100, 10, 6},
                                          {20011, 2, 0}}) {
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

// Rows that are too long for a buffer (mshadow/row_tree.h).
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

// What is only written goes past the cache, as in launches that move more than it holds.
TEST_F(SameBits, PastTheCache) {
  mshadow::SetStreamingBytes(0);
  for (const Pair &pair : Pairs()) {
    for (const auto &[rows, cols, pad, offset] : {std::array{1, 300, 0, 0},
                                                  {1, 33001, 0, 3},
                                                  {5, 48, 0, 0},
                                                  {37, 320, 16, 0},
                                                  {33, 300, 0, 0},
                                                  {3, 1801, 7, 2},
                                                  {70, 128, 0, 0}}) {
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
  for (const Pair &pair : Pairs()) {
    for (int threads : {1, 2, 3, 8}) {
      mshadow::SetNumThreads(threads);
      for (int pad : {0, 3}) {
        Layout layout;
        layout.rows = 37;
        layout.cols = 1801;
        layout.pad = pad;
        layout.offset = threads;
        ASSERT_EQ(Compare(pair, layout, 42), "") << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace mshadow_test
