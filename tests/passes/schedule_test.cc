// SPDX-License-Identifier: Apache-2.0
#include "passes/schedule.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/printer.h"
#include "ir_text.h"

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
    {"a sum over rows has nothing to prefetch for",
     "    1: v = sum<keep 0 by lanes>(b)\n",
     {"cpu widest", "gpu 256 threads, 16 lanes, 2 vectors, 32 waves", "sweep b load"}},
};

/// The lines of a plan's text that a schedule is about.
std::vector<std::string> Scheduled(const std::string &body) {
  const mgen::Plan plan =
      mgen::SchedulePlan(mgen_test::PlanOf(mgen_test::ParseGood("rule R<xpu> []\n"
                                                                "  tensor a: f32 2\n"
                                                                "  const tensor b: f32 2\n"
                                                                "  const tensor c: f32 2\n"
                                                                "  tensor h: f16 2\n"
                                                                "  tensor v: f32 1\n"
                                                                "  tensor w: f32 1\n"
                                                                "  stage\n" +
                                                                body)));
  std::vector<std::string> lines;
  const std::string text = mgen::Print(plan);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    const size_t word = line.find_first_not_of(' ');
    for (const char *kind : {"cpu ", "gpu ", "sweep "}) {
      if (word != std::string::npos && line.compare(word, std::string(kind).size(), kind) == 0) {
        lines.push_back(line.substr(word));
      }
    }
    begin = end + 1;
  }
  return lines;
}

TEST(Schedule, Table) {
  for (const ScheduleRow &row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Scheduled(row.in), row.out);
  }
}

}  // namespace
