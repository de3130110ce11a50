// SPDX-License-Identifier: Apache-2.0
#include "passes/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "ir/printer.h"
#include "ir/verifier.h"
#include "ir_text.h"
#include "passes/index_reads.h"

namespace {

/// In: the body of a rule. Out: what the schedule says of the CPU and the GPU, and of each sweep.
struct ScheduleRow {
  const char *name;
  const char *in;
  std::vector<std::string> out;
};

const std::vector<ScheduleRow> kRows = {
    {"a sum moves memory, and reads what it writes",
     "    1: a = add(a, b)\n",
     {"cpu move, short packets", "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"what is never read is stored past the cache",
     "    1: a = add(b, c)\n",
     {"cpu copy, short packets, non-temporal a", "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"one operand that is loaded: two vectors in flight",
     "    1: a = neg(b)\n",
     {"cpu copy, short packets, non-temporal a", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"narrow floats gain by long packets where they are converted",
     "    1: h = cast<f16>(b)\n",
     {"cpu move, short packets, non-temporal h", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"elementary functions",
     "    1: a = exp(b)\n",
     {"cpu widest, non-temporal a", "gpu 256 threads, 4 lanes, 1 vector, 32 waves"}},
    {"quotients and roots keep the divider busy",
     "    1: a = div(a, sqrt(b))\n",
     {"cpu divide, waits for the divider", "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"a softmax prefetches while it computes, and divides by its sum",
     "    1: v = max<keep 0 by lanes>(b)\n"
     "    2: w = sum<keep 0 by lanes>(exp(sub(b, column(v))))\n"
     "    3: a = div(exp(sub(b, column(v))), column(w))\n",
     {"cpu widest, non-temporal a", "gpu 256 threads, 4 lanes, 1 vector, 32 waves", "sweep b load",
      "sweep b load prefetch b next", "sweep a store always b load divisors w"}},
    {"a view in reverse is moved, too",
     "    1: a = back\n",
     {"cpu copy, short packets, collected rows, non-temporal a",
      "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"windows are combined",
     "    1: a = pooled\n",
     {"cpu widest, non-temporal a", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"and so are the windows that hold an element",
     "    1: a = unpooled\n",
     {"cpu widest, non-temporal a", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"elements are repeated",
     "    1: a = larger\n",
     {"cpu widest, non-temporal a", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"rows of three: packets go over several",
     "    1: colours = mul(shown, alpha)\n",
     {"cpu copy, short packets, rows of 3, non-temporal colours",
      "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"the windows of a view that nobody reads say nothing of rows",
     "    1: unread = pooled\n"
     "    2: a = add(b, c)\n",
     {"cpu copy, short packets, non-temporal a", "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"in another order they have no fixed places",
     "    1: colours = mul(shown, turned)\n",
     {"cpu copy, short packets, collected rows, non-temporal colours",
      "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"a tensor that is read across its rows is read in tiles",
     "    1: a = add(b, across)\n",
     {"cpu copy, short packets, tiles of across along 0, joined, non-temporal a",
      "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"values that are scattered over zeros, which are stored first",
     "    1: a = mul(scattered, 2.0f32)\n",
     {"cpu move, short packets, zeros before scattered",
      "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"beside another tensor they are not",
     "    1: a = mul(scattered, b)\n",
     {"cpu copy, short packets, non-temporal a", "gpu 256 threads, 16 lanes, 1 vector, 32 waves"}},
    {"the number of a row has one place in a packet",
     "    1: colours = add(shown, index<f32>(colours, 0))\n",
     {"cpu copy, short packets, non-temporal colours",
      "gpu 256 threads, 16 lanes, 2 vectors, 32 waves"}},
    {"a sum over rows has nothing to prefetch for",
     "    1: v = sum<keep 0 by lanes>(b)\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves", "sweep b load"}},
    {"a sum over columns takes four rows at a time, and leaves of few columns in runs",
     "    1: v = sum<keep last by leaves>(b)\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves",
      "sweep b load by four rows in runs"}},
    {"so does a reducer of one formula",
     "    1: v = reduce<farthest keep last by leaves>(b)\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves",
      "sweep b load by four rows in runs"}},
    {"one that merges results by another formula takes no runs",
     "    1: v = reduce<count keep last by leaves>(b)\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves", "sweep b load by four rows"}},
    {"a pass that stores takes single rows, or runs",
     "    1: a = neg(b)\n"
     "    2: v = sum<keep last by leaves>(a)\n",
     {"cpu widest, non-temporal a", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves",
      "sweep a store always b load in runs"}},
    {"a run has no values of columns",
     "    1: v = sum<keep last by leaves>(mul(b, row(w)))\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves", "sweep b load by four rows"}},
    {"nor of rows",
     "    1: v = sum<keep last by leaves>(mul(b, column(w)))\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves", "sweep b load"}},
};

/// The lines of a plan's text that begin with some words.
std::vector<std::string> LinesOf(const mgen::Plan &plan, const std::vector<std::string> &words) {
  std::vector<std::string> lines;
  std::istringstream text(mgen::Print(plan));
  for (std::string line; std::getline(text, line);) {
    line.erase(0, line.find_first_not_of(' '));
    const auto begins = [&line](const std::string &word) { return line.rfind(word, 0) == 0; };
    if (std::any_of(words.begin(), words.end(), begins)) lines.push_back(line);
  }
  return lines;
}

/// What a plan's text says of CPU, GPU and sweeps.
std::vector<std::string> Scheduled(const std::string &body) {
  const std::string rule =
      "rule R<xpu> []\n"
      "  tensor a: f32 2\n"
      "  const tensor b: f32 2\n"
      "  const tensor c: f32 2\n"
      "  tensor h: f16 2\n"
      "  tensor colours: f32 2\n"
      "  tensor v: f32 1\n"
      "  tensor w: f32 1\n"
      "  temporary unread: f32 2 shape(dim(a, 0), dim(a, 1))\n"
      "  reducer farthest: f32 initial 0.0f32 reduce max(operand(0), operand(1))\n"
      "  reducer count: f32 initial 0.0f32 reduce add(operand(0), 1.0f32) merge add(operand(0), "
      "operand(1))\n"
      "  view back: f32 2 = \"mshadow::expr::mirror($0)\" c\n"
      "  view pooled: f32 2 = \"mshadow::expr::pool<mshadow::red::sum>($0, $1, $1, $1)\" c, "
      "index 2i64\n"
      "  view unpooled: f32 2 = \"mshadow::expr::unpool<mshadow::red::sum>($0, $0, $0, $1, $1, "
      "$1)\" "
      "c, index 2i64\n"
      "  part shown: f32 2 of 1 = \"mshadow::expr::slice<1>($0, $1, $2)\" c, index 0i64, index "
      "3i64\n"
      "  view alpha: f32 2 = \"mshadow::expr::broadcast_keepdim(mshadow::expr::slice<1>($0, $1, "
      "$2), $3, $1)\" c, index 3i64, index 4i64, 1i32\n"
      "  view turned: f32 2 = \"mshadow::expr::mirror(mshadow::expr::slice<1>($0, $1, $2))\" c, "
      "index 0i64, index 3i64\n"
      "  view scattered: f32 2 = \"mshadow::expr::scatter_columns($0, $1, $2)\" b, c, index 9i64\n"
      "  view across: f32 2 = \"$0.T()\" c\n"
      "  view larger: f32 2 = \"mshadow::expr::upsampling_nearest($0, $1)\" c, index 2i64\n"
      "  stage\n";
  const mgen::Plan plan =
      mgen::SchedulePlan(mgen::IndexReads(mgen_test::PlanOf(mgen_test::ParseGood(rule + body))));
  return LinesOf(plan, {"cpu ", "gpu ", "sweep "});
}

TEST(Schedule, Table) {
  for (const ScheduleRow &row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Scheduled(row.in), row.out);
  }
}

/// In: the body of a rule. Out: its loops.
const std::vector<ScheduleRow> kLoopRows = {
    {"elements", "    1: a = add(a, b)\n", {"loop all: threads packets"}},
    {"rows",
     "    1: v = sum<keep rows by lanes>(a)\n",
     {"loop rows: threads several", "loop last: packets"}},
    {"columns",
     "    1: v = sum<keep last by leaves>(a)\n",
     {"loop last: threads packets", "loop rows: chunks"}},
    {"matrices of columns",
     "    1: v = sum<keep but 2 by leaves>(a)\n",
     {"loop but 2: threads packets", "loop 2: chunks"}},
    {"channels, which two passes take one after the other",
     "    1: v = sum<keep 1 by planes>(a)\n    2: a = sub(a, channel<1>(v))\n",
     {"loop 1: threads", "loop but 1: chunks packets"}},
    {"channels, several together in one pass",
     "    1: v = sum<keep 1 by planes>(a)\n",
     {"loop 1: threads several", "loop but 1: chunks packets"}},
    {"planes, where nothing is reduced",
     "    1: a = mul(b, channel<1>(w))\n",
     {"loop 1: threads", "loop but 1: threads packets"}},
    {"everything", "    1: v = sum<by lanes>(a)\n", {"loop all: chunks packets"}},
};

TEST(Schedule, Loops) {
  for (const ScheduleRow &row : kLoopRows) {
    SCOPED_TRACE(row.name);
    const mgen::Rule rule = mgen_test::ParseGood(std::string("rule R<xpu> []\n"
                                                             "  tensor a: f32 4\n"
                                                             "  const tensor b: f32 4\n"
                                                             "  tensor v: f32 1\n"
                                                             "  const tensor w: f32 1\n"
                                                             "  stage\n") +
                                                 row.in);
    const mgen::Plan plan = mgen::SchedulePlan(mgen_test::PlanOf(rule));
    EXPECT_EQ(LinesOf(plan, {"loop "}), row.out);
    EXPECT_EQ(mgen::Problems(plan), std::vector<std::string>());
  }
}

/// Whether the first loop of a rule's plan takes several rows together.
bool IsSeveral(const std::string &rule) {
  const mgen::Plan plan =
      mgen::SchedulePlan(mgen::IndexReads(mgen_test::PlanOf(mgen_test::ParseGood(rule))));
  return plan.schedule.loops.front().has(mgen::Loop::kSeveral);
}

/// The operands that are read in tiles: those that are always read across rows, of one type.
TEST(Schedule, Tiles) {
  const auto tiles = [](const std::string &body) {
    const mgen::Plan plan = mgen::SchedulePlan(mgen::IndexReads(mgen_test::PlanOf(
        mgen_test::ParseGood("rule R<xpu> []\n"
                             "  tensor a: f32 2\n"
                             "  const tensor b: f32 2\n"
                             "  const tensor c: f64 2\n"
                             "  tensor d: f32 3\n"
                             "  const tensor e: f32 3\n"
                             "  tensor v: f32 1\n"
                             "  view across: f32 2 = \"$0.T()\" b\n"
                             "  view wider: f64 2 = \"$0.T()\" c\n"
                             "  view planes: f32 3 = \"mshadow::expr::swapaxis<2, 1>($0)\" e\n"
                             "  view far: f32 3 = \"mshadow::expr::swapaxis<2, 0>($0)\" e\n"
                             "  view matrices: f32 3 = \"mshadow::expr::swapaxis<1, 0>($0)\" e\n"
                             "  stage\n" +
                             body))));
    std::vector<std::string> names;
    for (const int i : plan.schedule.tiled) {
      names.push_back(plan.operands[i].name + " along " +
                      std::to_string(plan.schedule.tiled_along));
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(tiles("    1: a = across\n"), Names({"across along 0"}));
  EXPECT_EQ(tiles("    1: a = add(across, cast<f32>(wider))\n"), Names({"across along 0"}));
  EXPECT_EQ(tiles("    1: d = planes\n"), Names({"planes along 1"}));
  EXPECT_EQ(tiles("    1: d = far\n"), Names({"far along 0"}));
  EXPECT_EQ(tiles("    1: d = add(planes, far)\n"), Names({"planes along 1"}));
  EXPECT_EQ(tiles("    1: d = matrices\n"), Names()) << "a row is a row of the tensor";
  EXPECT_EQ(tiles("    1: v = sum<keep 0 by lanes>(across)\n"), Names({"across along 0"}));
  EXPECT_EQ(tiles("    1: v = sum<keep 1 by leaves>(across)\n"), Names())
      << "only kernels over rows, of those that reduce";
}

/// Which launches may take the rows of a plane as one.
TEST(Schedule, JoinedRows) {
  const auto schedule_of = [](const std::string &body) {
    return mgen::SchedulePlan(
               mgen::IndexReads(mgen_test::PlanOf(mgen_test::ParseGood(
                   "rule R<xpu> []\n"
                   "  tensor a: f32 2\n"
                   "  const tensor b: f32 2\n"
                   "  tensor d: f32 3\n"
                   "  const tensor e: f32 3\n"
                   "  tensor v: f32 1\n"
                   "  view across: f32 2 = \"$0.T()\" b\n"
                   "  view flipped: f32 2 = \"mshadow::expr::flip($0, $1)\" b, 0i32\n"
                   "  view mirrored: f32 2 = \"mshadow::expr::mirror($0)\" b\n"
                   "  view turned: f32 3 = \"mshadow::expr::swapaxis<2, 1>($0)\" e\n"
                   "  view far: f32 3 = \"mshadow::expr::swapaxis<2, 0>($0)\" e\n"
                   "  view padded: f32 3 = \"mshadow::expr::pad($0, 1)\" e\n"
                   "  stage\n" +
                   body))))
        .schedule;
  };
  const auto joins = [&](const std::string &body) { return schedule_of(body).joins_rows; };
  EXPECT_TRUE(joins("    1: d = far\n"));
  EXPECT_TRUE(joins("    1: d = add(far, e)\n"));
  EXPECT_FALSE(joins("    1: d = add(far, index<f32>(d, 2))\n")) << "elements have numbers";
  EXPECT_FALSE(joins("    1: d = padded\n")) << "a row has its own edges";
  EXPECT_FALSE(joins("    1: a = across\n")) << "there are no planes";
  EXPECT_FALSE(joins("    1: d = e\n")) << "such rows are joined without a view's help";

  const auto joins_tiled = [&](const std::string &body) { return schedule_of(body).joins_tiled; };
  EXPECT_TRUE(joins_tiled("    1: a = add(across, a)\n"));
  EXPECT_TRUE(joins_tiled("    1: d = turned\n"));
  EXPECT_FALSE(joins_tiled("    1: a = add(across, index<f32>(a, 1))\n"));
  EXPECT_FALSE(joins_tiled("    1: a = add(across, v[axis(0)])\n")) << "a row has its own value";
  EXPECT_FALSE(joins_tiled("    1: d = add(turned, padded)\n")) << "a view beside those in tiles";

  const auto collected = [&](const std::string &body) { return schedule_of(body).collected; };
  EXPECT_EQ(collected("    1: a = add(flipped, b)\n"), 1);
  EXPECT_EQ(collected("    1: a = add(flipped, mirrored)\n"), 2);
  EXPECT_EQ(collected("    1: a = b\n"), 0) << "no view";
  EXPECT_EQ(collected("    1: a = add(flipped, v[axis(0)])\n"), 0) << "a row has its own value";
  EXPECT_EQ(collected("    1: a = add(flipped, across)\n"), 0) << "a view is read in tiles";
  EXPECT_EQ(collected("    1: d = padded\n"), 0) << "a row has its own edges";
}

/// Which loops take several short rows together.
TEST(Schedule, RowsTogether) {
  const auto is_several = [](const char *body) {
    return IsSeveral(std::string("rule R<xpu> []\n"
                                 "  tensor a: f32 2\n"
                                 "  const tensor b: f32 2\n"
                                 "  const tensor c: f32 2\n"
                                 "  tensor v: f32 1\n"
                                 "  view across: f32 2 = \"$0.T()\" c\n"
                                 "  stage\n") +
                     body);
  };
  EXPECT_TRUE(is_several("    1: v = sum<keep 0 by lanes>(b)\n"));
  EXPECT_FALSE(is_several("    1: v = sum<keep 0 by lanes>(add(b, index<f32>(b, 0)))\n"))
      << "a row needs its number";
  EXPECT_FALSE(is_several("    1: a = add(b, c)\n")) << "nothing is reduced";
  EXPECT_FALSE(is_several("    1: v = sum<keep 0 by lanes>(across)\n"));
}

/// A block of rows has room for the copies of 16 operands.
TEST(Schedule, RowsTogetherOfManyOperands) {
  for (const int matrices : {15, 16}) {  // and the result
    std::string tensors = "  tensor v: f32 1\n  const tensor b0: f32 2\n", sum = "b0";
    for (int i = 1; i < matrices; ++i) {
      const std::string name = "b" + std::to_string(i);
      tensors += "  const tensor " + name + ": f32 2\n";
      sum = "add(" + sum + ", " + name + ")";
    }
    EXPECT_EQ(IsSeveral("rule R<xpu> []\n" + tensors + "  stage\n    1: v = sum<keep 0 by lanes>(" +
                        sum + ")\n"),
              matrices == 15);
  }
}

TEST(Schedule, VerifierKnowsTheAxesOfLoops) {
  mgen::Plan plan = mgen::SchedulePlan(mgen_test::PlanOf(mgen_test::ParseGood(R"v(
rule R<xpu> []
  tensor a: f32 2
  tensor v: f32 1
  stage
    1: v = sum<keep 0 by lanes>(a)
)v")));
  std::swap(plan.schedule.loops.front(), plan.schedule.loops.back());
  EXPECT_EQ(mgen::Problems(plan).size(), 1u);
}

}  // namespace
