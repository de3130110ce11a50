// SPDX-License-Identifier: Apache-2.0
// The checks between a generated launcher and its loop: every misuse by its message.
#include <mshadow/emitted/launch.h>
#include <mshadow/emitted/parts.h>
#include <mshadow/emitted/plan.h>
#include <mshadow/emitted/types.h>
#include <mshadow/rule_info.h>

#include <random>

#include "testing.h"

namespace {
using namespace testing_runtime;

/// A rule that writes `out` and reads `in`.
LaunchShape Check(const TensorArg<float> &out, const TensorArg<float> &in, bool may_same = false,
                  OperandMap map = OperandMap::kIdentity) {
  LaunchCheck check("Rule", cpu());
  check.Argument("out", out, Access::kReadWrite);
  check.Argument("in", in, Access::kRead, map);
  if (may_same) check.MaySame(0, 1);
  return check.Run();
}

TEST(Launch, ArgHoldsWhatTheTensorIs) {
  auto t = Make<float>(Shape3(2, 3, 5), 1);
  Stream<cpu> stream;
  t.set_stream(&stream);
  const TensorArg<float> arg = Arg(t);
  EXPECT_EQ(arg.dptr, t.dptr_);
  EXPECT_EQ(arg.dim, 3);
  EXPECT_EQ(arg.rows(), 6);
  EXPECT_EQ(arg.cols(), 5);
  EXPECT_EQ(arg.Size(), 30);
  EXPECT_EQ(arg.stride, 8);
  EXPECT_EQ(arg.stream, &stream);
  EXPECT_FALSE(arg.CheckContiguous());
  t.set_stream(nullptr);
}

/// What no statement of a launch uses is not checked, whatever it is, and says no shape.
TEST(Launch, ChecksOnlyWhatIsUsed) {
  auto a = Make<float>(Shape2(3, 5), 1, true);
  auto b = Make<float>(Shape2(3, 5), 2, false);
  auto c = Make<float>(Shape2(4, 2), 3);
  const TensorArg<float> other = Arg(c);
  TensorArg<float> null = Arg(b);
  null.dptr = nullptr;
  const auto check = [&](bool used, bool in_order) {
    const TensorArg<float> out = Arg(a), in = Arg(b);
    LaunchCheck check("Rule", cpu());
    check.Argument("other", other, Access::kReadWrite).OnlyIf(used && in_order);
    check.Argument("out", out, Access::kWrite);
    check.Argument("in", in, Access::kRead);
    check.Argument("null", null, Access::kWrite).OnlyIf(used);
    check.Argument("again", out, Access::kRead, OperandMap::kIdentity).OnlyIf(used);
    return check.Run<5>(cpu());
  };
  const LaunchShape shape = check(false, true);
  EXPECT_EQ(shape.rows, 3);
  EXPECT_EQ(shape.cols, 5);
  EXPECT_MESSAGE(check(true, true),
                 "Rule: argument 'out': expected shape (4,2), the shape of 'other', got (3,5)");
  EXPECT_MESSAGE(check(true, false), "Rule: argument 'null': expected memory, got a null pointer");
}

TEST(Launch, HasNothingToDoIfNothingIsUsed) {
  auto a = Make<float>(Shape2(3, 5), 1);
  auto v = Make<float>(Shape1(4), 2);
  Stream<cpu> stream;
  v.set_stream(&stream);
  const TensorArg<float> out = Arg(a), values = Arg(v);
  LaunchCheck check("Rule", cpu());
  check.KeepColumns();
  check.Argument("out", out, Access::kWrite).OnlyIf(false);
  check.Argument("values", values, Access::kRead, OperandMap::kRow).OnlyIf(false);
  const LaunchShape shape = check.Run<2>(cpu());
  EXPECT_EQ(shape.Size(), 0);
  EXPECT_EQ(shape.stream, &stream) << "a kernel that is launched nevertheless goes to it";
}

TEST(Launch, GivesTheBlock) {
  auto a = Make<float>(Shape2(3, 5), 1, false);
  auto b = Make<float>(Shape2(3, 5), 2, false);
  auto padded = Make<float>(Shape2(3, 5), 3, true);
  const LaunchShape flat = Check(Arg(a), Arg(b));
  EXPECT_TRUE(flat.contiguous);
  EXPECT_EQ(flat.rows, 1);
  EXPECT_EQ(flat.cols, 15);
  const LaunchShape rows = Check(Arg(a), Arg(padded));
  EXPECT_FALSE(rows.contiguous);
  EXPECT_EQ(rows.rows, 3);
  EXPECT_EQ(rows.cols, 5);
  EXPECT_EQ(rows.Size(), 15);
}

/// Rows 1 and 2 of four in each image.
LaunchShape CheckInner(const TensorArg<float> &whole, const TensorArg<float> &in,
                       OperandMap map = OperandMap::kIdentity) {
  const InnerPart<float> part = InnerPartOf<1>("Rule", "out", whole, 3, 1, 3);
  LaunchCheck check("Rule", cpu());
  check.Argument("out", part, Access::kWrite);
  check.Argument("in", in, Access::kRead, map);
  return check.Run();
}

TEST(Launch, RunsOfRows) {
  auto whole = Make<float>(Shape3(3, 4, 5), 1, false), in = Make<float>(Shape3(3, 2, 5), 2, false);
  auto padded = Make<float>(Shape3(3, 2, 5), 3, true);
  const InnerPart<float> part = InnerPartOf<1>("Rule", "out", Arg(whole), 3, 1, 3);
  EXPECT_EQ(part.inner, 2);
  EXPECT_EQ(part.pitch, 20);
  EXPECT_EQ(part.dptr, whole.dptr_ + 5);
  const PlanRuns<float> rows = {part.dptr, part.stride, part.inner, part.pitch};
  EXPECT_EQ(rows.row(3), whole.dptr_ + 30);
  EXPECT_EQ((PlanRuns<float>{part.dptr, part.stride, 1, part.pitch}.row(2)), whole.dptr_ + 45);
  // A range of such a range has runs as far apart as before.
  const InnerPart<float> second = InnerPartOf<1>("Rule", "out", part, 3, 1, 2);
  EXPECT_EQ(second.inner, 1);
  EXPECT_EQ(second.pitch, 20);
  EXPECT_EQ(second.dptr, whole.dptr_ + 10);
  EXPECT_MESSAGE(InnerPartOf<1>("Rule", "out", part, 3, 1, 3), "out");
  // A run is a row where all operands allow it.
  const LaunchShape joined = CheckInner(Arg(whole), Arg(in));
  EXPECT_EQ(joined.run, 2);
  EXPECT_EQ(joined.rows, 3);
  EXPECT_EQ(joined.cols, 10);
  EXPECT_FALSE(joined.contiguous);
  const LaunchShape apart = CheckInner(Arg(whole), Arg(padded));
  EXPECT_EQ(apart.run, 1);
  EXPECT_EQ(apart.rows, 6);
  auto row = Make<float>(Shape1(5), 2);
  EXPECT_EQ(CheckInner(Arg(whole), Arg(row), OperandMap::kRow).cols, 5);
  // Between the runs, and within one.
  TensorArg<float> other = Arg(whole);
  other.shape[1] = 2;
  EXPECT_MESSAGE(CheckInner(Arg(whole), other),
                 "Rule: argument 'in': expected memory that does not overlap that of 'out', which "
                 "the rule writes");
  EXPECT_MESSAGE(CheckInner(Arg(whole), Arg(whole)),
                 "Rule: argument 'in': expected shape (3,2,5), the shape of 'out', got (3,4,5)");
}

TEST(Launch, RowAndColumnOperands) {
  auto a = Make<float>(Shape2(3, 5), 1, false);
  auto row = Make<float>(Shape1(5), 2);
  auto column = Make<float>(Shape1(3), 3);
  const LaunchShape shape = Check(Arg(a), Arg(row), false, OperandMap::kRow);
  EXPECT_FALSE(shape.contiguous);
  EXPECT_EQ(shape.rows, 3);
  EXPECT_EQ(Check(Arg(a), Arg(column), false, OperandMap::kColumn).cols, 5);
  EXPECT_MESSAGE(
      Check(Arg(a), Arg(column), false, OperandMap::kRow),
      "Rule: argument 'in': expected shape (5,), one element for each column of 'out', got (3,)");
  EXPECT_MESSAGE(
      Check(Arg(a), Arg(row), false, OperandMap::kColumn),
      "Rule: argument 'in': expected shape (3,), one element for each row of 'out', got (5,)");
}

TEST(Launch, OneElementForAll) {
  auto a = Make<float>(Shape2(3, 5), 1, false);
  auto one = Make<float>(Shape1(1), 2);
  auto row = Make<float>(Shape1(5), 3);
  const LaunchShape shape = Check(Arg(a), Arg(one), false, OperandMap::kOne);
  EXPECT_TRUE(shape.contiguous);
  EXPECT_EQ(shape.cols, 15);
  EXPECT_MESSAGE(Check(Arg(a), Arg(row), false, OperandMap::kOne),
                 "Rule: argument 'in': expected shape (1,), got (5,)");
}

/// A reduction of nothing has a result, too.
TEST(Launch, KeepsWhatIsEmpty) {
  auto one = Make<float>(Shape1(1), 1);
  auto none = Make<float>(Shape2(0, 5), 2);
  const TensorArg<float> in = Arg(none);
  const auto run = [&](const TensorArg<float> &result) {
    LaunchCheck check("Rule", cpu());
    check.KeepEmpty();
    check.Argument("out", result, Access::kWrite, OperandMap::kOne);
    check.Argument("in", in, Access::kRead);
    return check.Run();
  };
  EXPECT_EQ(run(Arg(one)).Size(), 0);
  TensorArg<float> missing = Arg(one);
  missing.dptr = nullptr;
  EXPECT_MESSAGE(run(missing), "Rule: argument 'out': expected memory, got a null pointer");
}

TEST(Launch, ShapesMustAgree) {
  auto a = Make<float>(Shape2(3, 4), 1);
  auto b = Make<float>(Shape2(3, 5), 2);
  auto c = Make<float>(Shape1(12), 2);
  EXPECT_MESSAGE(Check(Arg(a), Arg(b)),
                 "Rule: argument 'in': expected shape (3,4), the shape of 'out', got (3,5)");
  EXPECT_MESSAGE(Check(Arg(a), Arg(c)),
                 "Rule: argument 'in': expected shape (3,4), the shape of 'out', got (12,)");
}

TEST(Launch, EmptyTensorsAreFineWithoutMemory) {
  const Tensor<cpu, 2> none(nullptr, Shape2(0, 4));
  EXPECT_EQ(Check(Arg(none), Arg(none)).Size(), 0);
  const Tensor<cpu, 2> other(nullptr, Shape2(0, 5));
  EXPECT_MESSAGE(Check(Arg(none), Arg(other)),
                 "expected shape (0,4), the shape of 'out', got (0,5)");
}

TEST(Launch, MemoryMustBeThere) {
  auto a = Make<float>(Shape2(3, 4), 1);
  EXPECT_MESSAGE(Check(Arg(a), Arg(Tensor<cpu, 2>(nullptr, Shape2(3, 4)))),
                 "Rule: argument 'in': expected memory, got a null pointer");
  float *const odd = reinterpret_cast<float *>(reinterpret_cast<char *>(a.dptr_) + 1);
  EXPECT_MESSAGE(Check(Arg(Tensor<cpu, 2>(odd, Shape2(3, 4))), Arg(a)),
                 "argument 'out': expected a pointer aligned to 4 bytes");
  EXPECT_MESSAGE(Check(Arg(Tensor<cpu, 2>(a.dptr_, Shape2(-3, 4))), Arg(a)),
                 "expected extents of at least 0, got shape (-3,4)");
}

TEST(Launch, RowsMustNotOverlapThemselves) {
  auto a = Make<float>(Shape2(3, 4), 1);
  for (const index_t stride : {3, 0, -4}) {
    EXPECT_MESSAGE(
        Check(Arg(Tensor<cpu, 2>(a.dptr_, Shape2(3, 4), stride, nullptr)), Arg(a)),
        "argument 'out': expected a row stride of at least 4, got " + std::to_string(stride));
  }
  const index_t big = index_t{1} << 40;
  const Tensor<cpu, 2> huge(a.dptr_, Shape2(big, big), big, nullptr);
  EXPECT_MESSAGE(Check(Arg(huge), Arg(huge)), "expected less than 2^63 bytes");
}

TEST(Launch, WrittenTensorsStandAlone) {
  auto a = Make<float>(Shape2(6, 4), 1, false);
  EXPECT_MESSAGE(Check(Arg(a), Arg(a)), "Rule: argument 'in': expected a tensor other than 'out'");
  Check(Arg(a), Arg(a), true);
  EXPECT_MESSAGE(Check(Arg(a.Slice(0, 3)), Arg(a.Slice(2, 5)), true),
                 "Rule: argument 'in': expected memory that does not overlap that of 'out'");
  Check(Arg(a.Slice(0, 3)), Arg(a.Slice(3, 6)));
  for (index_t offset = -5; offset <= 5; ++offset) {
    Tensor<cpu, 1> all = a.FlatTo1D();
    const Tensor<cpu, 1> out = all.Slice(8, 12);
    const Tensor<cpu, 1> in = all.Slice(8 + offset, 12 + offset);
    if (offset <= -4 || offset >= 4) {
      Check(Arg(out), Arg(in));
    } else {
      EXPECT_THROW(Check(Arg(out), Arg(in)), Error) << offset;
    }
  }
}

TEST(Launch, ReadTensorsMayOverlapEachOther) {
  auto a = Make<float>(Shape2(6, 4), 1, false);
  auto out = Make<float>(Shape2(3, 4), 1, false);
  const auto written = Arg(out), x = Arg(a.Slice(0, 3)), y = Arg(a.Slice(1, 4));
  LaunchCheck check("Rule", cpu());
  check.Argument("out", written, Access::kWrite)
      .Argument("x", x, Access::kRead)
      .Argument("y", y, Access::kRead);
  EXPECT_EQ(check.Run().Size(), 12);
}

TEST(Launch, StreamsAreEqualOrNull) {
  auto a = Make<float>(Shape2(3, 4), 1);
  auto b = Make<float>(Shape2(3, 4), 2);
  Stream<cpu> one, two;
  a.set_stream(&one);
  EXPECT_EQ(Check(Arg(a), Arg(b)).stream, &one);
  b.set_stream(&two);
  EXPECT_MESSAGE(Check(Arg(a), Arg(b)), "argument 'in': expected the stream of 'out'");
  a.set_stream(nullptr);
  b.set_stream(nullptr);
}

TEST(Launch, DifferentElementTypesInOnePlaceOverlap) {
  auto a = Make<float>(Shape1(8), 1);
  const Tensor<cpu, 1, half::half_t> h(reinterpret_cast<half::half_t *>(a.dptr_), Shape1(8));
  const auto written = Arg(a);
  const auto read = Arg(h);
  LaunchCheck check("Rule", cpu());
  check.Argument("out", written, Access::kWrite).Argument("in", read, Access::kRead).MaySame(0, 1);
  EXPECT_MESSAGE(check.Run(), "expected memory that does not overlap");
}

TEST(Launch, NoCudaNamesTheRule) { EXPECT_MESSAGE(NoCuda("AdamW"), "AdamW: "); }

TEST(RowRange, CoversRangesRowByRow) {
  for (index_t cols = 1; cols < 9; ++cols) {
    for (index_t begin = 0; begin <= 30; ++begin) {
      for (index_t end = begin; end <= 30; ++end) {
        index_t next = begin;
        for (RowRange r(begin, end, cols); !r.done(); r.next()) {
          EXPECT_EQ(r.y() * cols + r.begin(), next);
          EXPECT_LE(r.end(), cols);
          EXPECT_LT(r.begin(), r.end());
          next = r.y() * cols + r.end();
        }
        EXPECT_EQ(next, end);
      }
    }
  }
  EXPECT_TRUE(RowRange(0, 0, 0).done());
}

TEST(PlanView, RowsAreAStrideApart) {
  float data[12] = {};
  EXPECT_EQ((PlanView<float>{data, 4}.row(2)), data + 8);
  EXPECT_EQ((PlanView<const float>{data, 0}.row(2)), data);
}

struct Count {
  int *total;
  template <typename T>
  void operator()() {
    *total += T::kSize;
  }
};

TEST(TypeList, HasAndForEach) {
  using List = TypeList<Types<float>, Types<float, int8_t>>;
  EXPECT_TRUE(List::Has<Types<float>>());
  EXPECT_FALSE(List::Has<Types<double>>());
  EXPECT_EQ(List::kSize, 2);
  int total = 0;
  List::ForEach(Count{&total});
  EXPECT_EQ(total, 3);
}

TEST(RuleInfo, IsIterable) {
  static constexpr ParamInfo kParams[] = {
      ParamInfo::Tensor("weight").OfParam(0).Parameter().Written(),
      ParamInfo::Scalar("lr").Of<float>().Hyper().Value(0.1f)};
  static constexpr RuleInfo kInfo =
      RuleInfo::Of("SGD", "optim", "specs/sgd.h", kParams).Statements(1).Bytes(12);
  int tensors = 0;
  for (const ParamInfo &param : kInfo) tensors += param.is_tensor ? 1 : 0;
  EXPECT_EQ(tensors, 1);
}

TEST(RuleInfo, HasWhatTheTableSays) {
  constexpr ParamInfo kMean =
      ParamInfo::Tensor("mean", 1).Of<float>().State().Value(0.5f).Written();
  EXPECT_EQ(kMean.role, Role::kState);
  EXPECT_EQ(kMean.rank, 1);
  EXPECT_EQ(kMean.type, kFloat32);
  EXPECT_EQ(kMean.type_param, -1);
  EXPECT_TRUE(kMean.is_tensor && kMean.is_written && kMean.has_value);
  EXPECT_EQ(kMean.value, 0.5);
  constexpr ParamInfo kLabels = ParamInfo::Tensor("labels", 1).OfParam(1).PerRow().Index();
  EXPECT_EQ(kLabels.type, -1);
  EXPECT_EQ(kLabels.type_param, 1);
  EXPECT_TRUE(kLabels.is_per_row && kLabels.is_index);
  EXPECT_FALSE(kLabels.is_single || kLabels.is_written || kLabels.has_value);
  EXPECT_EQ(ParamInfo::Tensor("bias", 1).PerChannel(2).channel_dim, 2);
  constexpr ParamInfo kSum = ParamInfo::Tensor("sum").OfPromoted(1);
  for (const auto &[type, promoted] : {std::pair{kFloat16, kFloat32},
                                       {kBfloat16, kFloat32},
                                       {kFloat32, kFloat32},
                                       {kFloat64, kFloat64},
                                       {kUint8, kInt32},
                                       {kInt8, kInt32},
                                       {kBool, kInt32},
                                       {kInt64, kInt64}}) {
    const int flags[] = {kFloat64, type};
    EXPECT_EQ(kSum.TypeIn(flags), promoted);
    EXPECT_EQ(kLabels.TypeIn(flags), type);
    EXPECT_EQ(kMean.TypeIn(flags), kFloat32);
  }
}

/// What LaunchCheck makes of a tensor of shape (3, 5, 2, 4) with rows `stride` apart, of which
/// dimension `dim` is reduced to `values` elements: "outer x rows x inner x cols".
std::string ColumnsOf(std::vector<int64_t> shape, int64_t stride, int dim, int64_t values) {
  static float memory[1024], sums[256];
  TensorArg<float> in{}, sum{};
  in.dim = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), in.shape);
  in.stride = stride;
  in.dptr = memory;
  sum.dim = 1;
  sum.shape[0] = sum.stride = values;
  sum.dptr = sums;
  LaunchCheck check("Rule", cpu());
  check.KeepAxis(dim);
  check.Argument("sum", sum, Access::kWrite, OperandMap::kRest);
  check.Argument("in", in, Access::kRead);
  try {
    const LaunchShape block = check.Run<2>(cpu());
    if (block.cols == 0) return "nothing";
    const ColumnShape columns = check.Columns(block);
    return std::to_string(columns.outer) + " x " + std::to_string(columns.rows) + " x " +
           std::to_string(columns.inner) + " x " + std::to_string(columns.cols) + ", rows " +
           std::to_string(block.RowStride(stride, columns)) + " apart";
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(LaunchCheck, ReducesAnyDimension) {
  EXPECT_EQ(ColumnsOf({3, 5, 2, 4}, 4, 0, 40), "1 x 3 x 1 x 40, rows 40 apart");
  EXPECT_EQ(ColumnsOf({3, 5, 2, 4}, 4, 1, 24), "3 x 5 x 1 x 8, rows 8 apart");
  EXPECT_EQ(ColumnsOf({3, 5, 2, 4}, 6, 1, 24), "3 x 5 x 2 x 4, rows 6 apart");
  EXPECT_EQ(ColumnsOf({3, 5, 2, 4}, 6, 2, 60), "15 x 2 x 1 x 4, rows 6 apart");
  EXPECT_EQ(ColumnsOf({3, 0, 2, 4}, 4, 1, 24), "3 x 0 x 1 x 8, rows 8 apart");
  EXPECT_EQ(ColumnsOf({3, 5, 0, 4}, 4, 1, 0), "nothing");
  EXPECT_EQ(ColumnsOf({3, 5, 2, 4}, 4, 1, 15),
            "Rule: argument 'sum': expected shape (24,), one element for each index of the "
            "dimensions that are not reduced of 'in', got (15,)");
}

/// Arguments of one launch, mostly right: of few shapes, in one buffer, with a few mistakes.
struct RandomLaunch {
  explicit RandomLaunch(unsigned seed) : random(seed) {
    for (int i = 0; i < kCount; ++i) {
      TensorArg<float> &arg = args[i];
      arg.dim = Draw(12) == 0 ? 1 : 2;
      for (int64_t &extent : arg.shape) extent = 4;
      if (arg.dim == 2) arg.shape[0] = Draw(8) == 0 ? Draw(4) - 1 : rows;
      if (Draw(12) == 0) arg.shape[1] = Draw(4);
      arg.stride = Draw(6) == 0 ? 2 + Draw(5) : 4;
      arg.dptr = Draw(16) == 0 ? nullptr : memory + 16 * Draw(8) + (Draw(6) == 0 ? Draw(5) : 0);
      arg.stream = Draw(12) == 0 ? &memory[Draw(2)] : nullptr;
      accesses[i] = Draw(2) == 0 ? Access::kRead : Access::kWrite;
      maps[i] = Draw(3) > 0 ? OperandMap::kIdentity : static_cast<OperandMap>(Draw(6));
      if (maps[i] == OperandMap::kChannel && keep != 2) maps[i] = OperandMap::kRow;
      const bool is_vector = maps[i] != OperandMap::kIdentity && maps[i] != OperandMap::kSource;
      if (is_vector && Draw(8) > 0) SetVector(&arg, maps[i]);
    }
  }

  /// What a rule's check says of it, at once or looking at each argument in turn: a block, or what
  /// is wrong.
  std::string Outcome(bool at_once) {
    LaunchCheck check("Rule", cpu());
    if (keep == 0) check.KeepRows();
    if (keep == 1) check.KeepColumns();
    if (keep == 2) check.KeepChannels(0);
    if (keep == 3) check.KeepEmpty();
    for (int i = 0; i < kCount; ++i) check.Argument(kNames[i], args[i], accesses[i], maps[i]);
    if (may_same) check.MaySame(0, 1).MaySame(0, 2).MaySame(1, 2);
    try {
      const LaunchShape block = at_once ? check.Run<kCount>(cpu()) : check.Run();
      ran += at_once ? 1 : 0;
      std::string text = std::to_string(block.rows) + " x " + std::to_string(block.cols);
      if (keep == 2) text += ", channels " + std::to_string(check.Channels(block).elements());
      return text + (block.contiguous ? ", contiguous" : "") +
             (block.stream == nullptr  ? ""
              : block.stream == memory ? ", one"
                                       : ", other");
    } catch (const Error &error) {
      return error.what();
    }
  }

  int ran = 0;

 private:
  static constexpr int kCount = 3;
  static constexpr const char *kNames[kCount] = {"a", "b", "c"};

  int Draw(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  void SetVector(TensorArg<float> *arg, OperandMap map) {
    arg->dim = 1;
    arg->shape[0] = map == OperandMap::kOne   ? 1
                    : map == OperandMap::kRow ? 4
                                              : static_cast<int64_t>(rows);
  }

  std::mt19937 random;
  float memory[256];
  TensorArg<float> args[kCount];
  Access accesses[kCount];
  OperandMap maps[kCount];
  int rows = 1 + Draw(3);
  int keep = Draw(8);
  bool may_same = Draw(2) == 0;
};

/// Ordinary launches are told from others at once; what is not ordinary is looked at in turn. Both
/// say the same of a launch.
TEST(Launch, AtOnceAsInTurn) {
  int ran = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomLaunch launch(seed);
    const std::string at_once = launch.Outcome(true);
    ASSERT_EQ(at_once, launch.Outcome(false)) << seed;
    ran += launch.ran;
  }
  EXPECT_GT(ran, 2000);
  EXPECT_LT(ran, 15000);
}

TEST(Launch, IndicesAreNumbersOfColumns) {
  auto indices = Make<float>(Shape1(3), 0);
  const auto check = [&](float last, int64_t cols) {
    indices[2] = last;
    CheckColumns(cpu(), "Rule", "label", Arg(indices), cols);
  };
  indices[0] = 0.0f;
  indices[1] = -0.5f;  // a fraction is cut off
  EXPECT_NO_THROW(check(4.75f, 5));
  const std::string text = "Rule: argument 'label': expected ";
  EXPECT_MESSAGE(check(5.0f, 5), text + "column indices from 0 to 4, got 5 for row 2");
  EXPECT_MESSAGE(check(-1.0f, 5), text + "column indices from 0 to 4, got -1 for row 2");
  EXPECT_MESSAGE(check(__builtin_nanf(""), 5),
                 text + "column indices from 0 to 4, got nan for row 2");
  EXPECT_MESSAGE(check(0.0f, 0), text + "no index, since there are no columns, got 0 for row 0");
  CheckColumns(gpu(), "Rule", "label", Arg(indices), 0);  // a kernel reads 0
}

}  // namespace
