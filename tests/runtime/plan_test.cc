// SPDX-License-Identifier: Apache-2.0
// The runtime's generic MapPlan runs Plans: those of expressions, and a rule's own.
#include <mshadow/emitted/channels.h>
#include <mshadow/emitted/launch.h>
#include <mshadow/emitted/leaves.h>
#include <mshadow/emitted/plan.h>
#include <mshadow/emitted/row_fold.h>
#include <mshadow/isa.h>
#include <mshadow/limit_isa.h>
#include <mshadow/streaming.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>
#if defined(__linux__)
#include <unistd.h>
#endif

#include "testing.h"

namespace {
/// What a generated header declares for a rule: weight -= lr * grad; count += 1.
struct SgdRule;
}  // namespace

namespace mshadow {
namespace expr {
template <typename DType>
class Plan<SgdRule, DType> {
 public:
  PlanView<DType> weight;
  PlanView<int32_t> count;
  PlanView<const DType> grad;
  DType lr;
  index_t rows, cols;
  MSHADOW_XINLINE void Map(index_t y, index_t x) const {
    weight.row(y)[x] -= lr * grad.row(y)[x];
    count.row(y)[x] += 1;
  }
};
}  // namespace expr
}  // namespace mshadow

namespace {
using namespace testing_runtime;

TEST(MapPlan, RunsAGeneratedPlan) {
  auto weight = Make<float>(Shape2(3, 5), 1);
  auto grad = Make<float>(Shape2(3, 5), 2, false);
  TensorContainer<cpu, 2, int32_t> count(Shape2(3, 5), 0);
  const TensorContainer<cpu, 2> old(weight);
  Plan<SgdRule, float> plan{{weight.dptr_, weight.stride_},
                            {count.dptr_, count.stride_},
                            {grad.dptr_, grad.stride_},
                            0.5f,
                            3,
                            5};
  MapPlan(plan);
  ForEach(old.shape_, [&](index_t y, index_t x) {
    EXPECT_EQ(At(weight, y, x), At(old, y, x) - 0.5f * At(grad, y, x));
    EXPECT_EQ(At(count, y, x), 1);
  });
}

TEST(MapPlan, RunsAnExpressionsPlan) {
  auto a = Make<float>(Shape2(3, 5), 1);
  auto dst = Make<float>(Shape2(3, 5), 2);
  const TensorContainer<cpu, 2> old(dst);
  MapPlan<sv::plusto>(&dst, MakePlan(a * 2 + 1));
  ForEach(old.shape_, [&](index_t y, index_t x) {
    EXPECT_EQ(At(dst, y, x), At(old, y, x) + (At(a, y, x) * 2 + 1));
  });
}

/// The best one in packets of 32 bytes.
Isa Shorter() { return std::min(ActiveIsa(), Isa::kAvx512Vl); }

TEST(Isa, WidePacketsOnlyNearTheCoreUnlessAskedFor) {
  const Isa far = std::getenv("MSHADOW_ISA") != nullptr ? ActiveIsa() : Shorter();
  EXPECT_EQ(IsaToMove(4 << 20), ActiveIsa());
  EXPECT_EQ(IsaToMove((4 << 20) + 1), far);
  EXPECT_EQ(IsaToMove(INT64_MAX), far);
}

TEST(Isa, CopiesByOneThatThereIs) {
  EXPECT_EQ(IsaToCopy(48 << 10), ActiveIsa());
  for (const int64_t bytes : {int64_t{49} << 10, INT64_MAX}) {
    EXPECT_LE(IsaToCopy(bytes), IsaToMove(bytes));
    EXPECT_GE(IsaToCopy(bytes), Shorter());
  }
  EXPECT_EQ(IsaToCopyOf<float>(1 << 20), IsaToCopy(1 << 20));
  EXPECT_EQ((IsaToCopyOf<double, half::half_t>(1 << 20)), IsaToMove(1 << 20));
}

TEST(Isa, DividesByOneThatThereIs) {
  const Isa isa = IsaToDivide();
  EXPECT_LE(isa, ActiveIsa());
  EXPECT_GE(isa, Shorter());
  if (std::getenv("MSHADOW_ISA") != nullptr) {
    EXPECT_EQ(isa, ActiveIsa());
  }
}

TEST(Streaming, BeyondTheCacheOnly) {
  constexpr int64_t kLeast = 32 << 20;
  EXPECT_GE(StreamingBytes(), kLeast);
#if defined(__linux__)
  EXPECT_LE(StreamingBytes(), kLeast * sysconf(_SC_NPROCESSORS_ONLN));
#endif
  EXPECT_FALSE(Streams((32 << 20) - 1));
  EXPECT_FALSE(Streams(StreamingBytes() - 1));
  EXPECT_TRUE(Streams(StreamingBytes()));
}

TEST(Streaming, FromWhatIsSet) {
  SetStreamingBytes(1000);
  EXPECT_FALSE(Streams(999));
  EXPECT_TRUE(Streams(1000));
  SetStreamingBytes(int64_t{1} << 40);
  EXPECT_FALSE(Streams((int64_t{1} << 40) - 1));
  SetStreamingBytes(-1);
  EXPECT_FALSE(Streams(1000));
  EXPECT_TRUE(Streams(StreamingBytes()));
}

/// A matrix whose columns are reduced.
ColumnShape Columns(index_t rows, index_t cols) { return {1, rows, 1, cols}; }

TEST(Leaves, PayWhereOneCacheDoesNotHoldAll) {
  SetNumThreads(1);
  EXPECT_FALSE(LeavesPay(cpu(), Columns(512, 85), 12));  // 510 KB
  EXPECT_TRUE(LeavesPay(cpu(), Columns(512, 86), 12));
  // Rows of more than 32 KB: only beyond the last cache.
  const auto rows = static_cast<index_t>(StreamingBytes() / (12 * 4096));
  EXPECT_FALSE(LeavesPay(cpu(), Columns(rows, 4096), 12));
  EXPECT_TRUE(LeavesPay(cpu(), Columns(rows + 1, 4096), 12));
  EXPECT_FALSE(LeavesPay(cpu(), Columns(32, 1 << 24), 12));  // one leaf
  // Each thread takes a leaf.
  SetNumThreads(4);
  EXPECT_FALSE(LeavesPay(cpu(), Columns(127, 1 << 20), 12));
  EXPECT_TRUE(LeavesPay(cpu(), Columns(128, 1 << 20), 12));
  SetNumThreads(0);
}

TEST(Leaves, PayOnAGpuIfThatIsSet) {
  EXPECT_FALSE(LeavesPay(gpu(), Columns(1 << 20, 1024), 12));
  SetLeavesBytes(0);
  EXPECT_TRUE(LeavesPay(gpu(), Columns(1 << 20, 1024), 12));
  EXPECT_FALSE(LeavesPay(gpu(), Columns(65536 * 32, 1024), 12));  // too many chunks for a grid
  SetLeavesBytes(-1);
}

TEST(Leaves, FromWhatIsSet) {
  SetLeavesBytes(1200);
  EXPECT_FALSE(LeavesPay(cpu(), Columns(9, 11), 12));
  EXPECT_TRUE(LeavesPay(cpu(), Columns(10, 10), 12));
  EXPECT_TRUE(LeavesPay(gpu(), Columns(10, 10), 12));
  SetLeavesBytes(0);
  EXPECT_FALSE(LeavesPay(cpu(), Columns(0, 10), 12));
  EXPECT_FALSE(LeavesPay(gpu(), Columns(0, 10), 12));
  SetLeavesBytes(-1);
}

TEST(Leaves, TensorsAreApart) {
  float memory[40] = {};
  const auto rows = [&](int begin, index_t count, index_t stride) {
    return Arg(Tensor<cpu, 2, float>(memory + begin, Shape2(count, 4), stride, nullptr));
  };
  EXPECT_TRUE(AreApart(rows(0, 2, 4), rows(8, 2, 4)));
  EXPECT_TRUE(AreApart(rows(8, 2, 4), rows(0, 2, 4)));
  EXPECT_FALSE(AreApart(rows(0, 2, 4), rows(7, 2, 4)));
  EXPECT_FALSE(AreApart(rows(0, 3, 8), rows(4, 1, 4)));  // between the rows of the other
  EXPECT_FALSE(AreApart(rows(4, 1, 4), rows(0, 3, 8)));
}

TEST(Streaming, WholeLinesOrLongRows) {
  alignas(64) float memory[64] = {};
  EXPECT_TRUE(FillsLines(PlanView<float>{memory, 16}, 16));
  EXPECT_TRUE(FillsLines(PlanView<float>{memory, 48}, 32));
  EXPECT_FALSE(FillsLines(PlanView<float>{memory + 8, 16}, 16));
  EXPECT_FALSE(FillsLines(PlanView<float>{memory, 24}, 16));
  EXPECT_FALSE(FillsLines(PlanView<float>{memory, 16}, 8));
  EXPECT_TRUE(FillsMostLines(PlanView<float>{memory, 16}, 16));
  EXPECT_FALSE(FillsMostLines(PlanView<float>{memory + 1, 8191}, 8191));
  EXPECT_TRUE(FillsMostLines(PlanView<float>{memory + 1, 8192}, 8192));
}

TEST(RowFold, TakesManyShortRowsWithoutGaps) {
  EXPECT_EQ(RowsToFold(100, 10, {10, 10}), 32);
  EXPECT_EQ(RowsToFold(64, 1, {1}), 32);
  EXPECT_EQ(RowsToFold(1000, 64, {64}), 8);
  EXPECT_EQ(RowsToFold(1000, 129, {129}), 1);   // long rows
  EXPECT_EQ(RowsToFold(100, 10, {10, 11}), 1);  // a gap
  EXPECT_EQ(RowsToFold(7, 10, {10}), 1);        // few rows
  EXPECT_EQ(RowsToFold(0, 10, {10}), 1);
  EXPECT_EQ(RowsToFold(100, 0, {0}), 1);
  EXPECT_EQ(RowsToFold(100, INT32_MAX, {INT32_MAX}), 1);
}

TEST(RowFold, CopiesFillWholeRows) {
  const float row[] = {1, 2, 3};
  const RowCopies<float> copies(row, 3, 8);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(copies.values[i], row[i % 3]);
}

TEST(Isa, ALimitOnlyLowers) {
  const Isa best = ActiveIsa();
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512Vl, Isa::kAvx512}) {
    LimitIsa(isa);
    EXPECT_EQ(ActiveIsa(), std::min(best, isa));
  }
}

TEST(Isa, IsOneOfTheKnown) {
  const Isa isa = ActiveIsa();
  EXPECT_EQ(isa, ActiveIsa());
  const std::string name = IsaName(isa);
  EXPECT_TRUE(name == "baseline" || name == "avx2" || name == "avx512vl" || name == "avx512");
  const char *const wanted = std::getenv("MSHADOW_ISA");
  if (wanted != nullptr && std::string(wanted) == "baseline") {
    EXPECT_EQ(isa, Isa::kBaseline);
  }
}

TEST(Channels, WithoutElementsHaveNoRowsToGoThrough) {
  constexpr index_t kMany = index_t{1} << 30;
  for (const ChannelShape &shape :
       {ChannelShape{2, 3, kMany, 0}, {kMany, 3, 0, 5}, {kMany, kMany, 7, 0}}) {
    EXPECT_TRUE(ChannelRows(shape, 1).done());
    EXPECT_TRUE(ChannelLeaves(shape, 1).done());
    EXPECT_EQ(shape.Planes().kept, 0);
  }
}

/// Planes 1 and 4 of six, each two rows.
TEST(Channels, RowsAreThoseOfTheirPlanes) {
  const ChannelShape shape = {2, 3, 2, 5};
  std::vector<index_t> rows;
  for (ChannelRows row(shape, 1); !row.done(); row.next()) rows.push_back(row.y());
  EXPECT_EQ(rows, (std::vector<index_t>{2, 3, 8, 9}));
  EXPECT_EQ(shape.Planes().kept, 6);
  EXPECT_EQ(shape.leaves(), 2);
}

}  // namespace
