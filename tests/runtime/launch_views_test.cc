// SPDX-License-Identifier: Apache-2.0
// The checks of a launch that reads views: their shapes, and the tensors behind them.
#include <mshadow/emitted/launch.h>
#include <mshadow/emitted/parts.h>

#include "testing.h"

namespace {
using namespace testing_runtime;

/// A rule that writes `out` and reads `source` through a view of that shape.
LaunchShape CheckViewOf(const TensorArg<float> &out, const TensorArg<float> &source,
                        const Shape<2> &view) {
  LaunchCheck check("Rule", cpu());
  check.KeepRows();
  check.Argument("out", out, Access::kWrite);
  check.Source("source", source);
  const int64_t shape[] = {view[0], view[1]};
  check.View("flip(source, 1)", shape, 2);
  return check.Run();
}

TEST(LaunchViews, SourcesOfViewsHaveAnyShape) {
  auto out = Make<float>(Shape2(3, 5), 1);
  auto cube = Make<float>(Shape3(2, 7, 4), 2);
  const LaunchShape shape = CheckViewOf(Arg(out), Arg(cube), Shape2(3, 5));
  EXPECT_EQ(shape.rows, 3);
  EXPECT_EQ(shape.cols, 5);
  EXPECT_MESSAGE(
      CheckViewOf(Arg(out), Arg(cube), Shape2(3, 4)),
      "Rule: argument 'flip(source, 1)': expected shape (3,5), the shape of 'out', got (3,4)");
}

/// A rule that reduces a dimension of a view. It counts the results by the extents of `like`.
LaunchShape CheckRestOf(int reduced, const TensorArg<float> &like, const TensorArg<float> &sums) {
  LaunchCheck check("Rule", cpu());
  const bool is_last = reduced == 2;
  (is_last ? check.KeepRows() : check.KeepAxis(reduced));
  check.Argument("sums", sums, Access::kWrite, is_last ? OperandMap::kColumn : OperandMap::kRest);
  check.View("like", like.shape, like.dim, OperandMap::kShapeOfRest);
  const int64_t shape[] = {2, 3, 4};
  check.View("flip(source, 1)", shape, 3);
  return check.Run();
}

TEST(LaunchViews, ShapeBesidesTheReducedDimension) {
  auto rows = Make<float>(Shape1(6), 1), columns = Make<float>(Shape1(8), 2);
  auto any = Make<float>(Shape3(2, 3, 9), 3), swapped = Make<float>(Shape3(3, 2, 4), 4);
  auto between = Make<float>(Shape3(2, 9, 4), 5);
  EXPECT_EQ(CheckRestOf(2, Arg(any), Arg(rows)).rows, 6);
  EXPECT_EQ(CheckRestOf(1, Arg(between), Arg(columns)).rows, 6);
  EXPECT_MESSAGE(CheckRestOf(2, Arg(swapped), Arg(rows)),
                 "Rule: argument 'like': expected shape (2,3,4), that of 'flip(source, 1)', except "
                 "for the dimension that is reduced, got (3,2,4)");
  EXPECT_MESSAGE(CheckRestOf(1, Arg(any), Arg(columns)),
                 "Rule: argument 'like': expected shape (2,3,4), that of 'flip(source, 1)', except "
                 "for the dimension that is reduced, got (2,3,9)");
}

TEST(LaunchViews, ReducedDimensionWithoutElements) {
  auto sums = Make<float>(Shape1(8), 1);
  const TensorArg<float> sums_arg = Arg(sums);
  LaunchCheck check("Rule", cpu());
  check.KeepAxis(1);
  check.KeepRows();
  check.Argument("sums", sums_arg, Access::kWrite, OperandMap::kRest);
  const int64_t shape[] = {2, 0, 4};
  check.View("flip(source, 1)", shape, 3);
  const LaunchShape launch = check.Run();
  EXPECT_EQ(launch.cols, 4);  // there are eight sums of nothing
  EXPECT_EQ(check.Columns(launch).size(), 8);
}

/// The block of a rule that finds elements of views by their rows on a GPU.
template <typename Device>
LaunchShape BlockOfViews(Device device, const TensorArg<float> &out,
                         const TensorArg<float> &source) {
  LaunchCheck check("Rule", device);
  check.KeepRowsOnGpu(device);
  check.Argument("out", out, Access::kWrite);
  check.Source("source", source);
  return check.Run();
}

TEST(LaunchViews, RowsOfViewsStayApartOnGpus) {
  auto out = Make<float>(Shape2(3, 5), 1, false);
  auto padded = Make<float>(Shape2(3, 5), 2, true);
  EXPECT_EQ(BlockOfViews(cpu(), Arg(out), Arg(padded)).rows, 1);
  EXPECT_EQ(BlockOfViews(cpu(), Arg(out), Arg(padded)).cols, 15);
  EXPECT_EQ(BlockOfViews(cpu(), Arg(padded), Arg(out)).rows, 3);
  EXPECT_EQ(BlockOfViews(gpu(), Arg(out), Arg(padded)).rows, 3);
}

TEST(LaunchViews, SourcesOfViewsStandAlone) {
  auto out = Make<float>(Shape2(3, 5), 1, false);
  auto other = Make<float>(Shape2(3, 5), 2, false);
  EXPECT_MESSAGE(CheckViewOf(Arg(out), Arg(out), Shape2(3, 5)),
                 "Rule: argument 'source': expected a tensor other than 'out'");
  EXPECT_MESSAGE(CheckViewOf(Arg(out), Arg(out.Slice(1, 2)), Shape2(3, 5)),
                 "Rule: argument 'source': expected memory that does not overlap that of 'out'");
  TensorArg<float> none = Arg(other);
  none.dptr = nullptr;
  EXPECT_MESSAGE(CheckViewOf(Arg(out), none, Shape2(3, 5)), "argument 'source': expected memory");
  TensorArg<float> negative = Arg(other);
  negative.shape[0] = -1;
  EXPECT_MESSAGE(CheckViewOf(Arg(out), negative, Shape2(3, 5)),
                 "argument 'source': expected extents of at least 0, got shape (-1,5)");
}

TEST(LaunchViews, ViewsAreCounted) {
  LaunchCheck check("Rule", cpu());
  const int64_t shape[] = {1};
  for (int i = 0; i < 16; ++i) check.View("view", shape, 1);
  EXPECT_MESSAGE(check.View("view", shape, 1), "Rule: expected at most 16 views");
}

}  // namespace
