// SPDX-License-Identifier: Apache-2.0
#include "diag/diagnostics.h"

#include <gtest/gtest.h>

#include <string>

#include "diag/printers.h"

namespace mgen {
namespace {

const SourceLocation kPlace{"specs/a.h", 2, 5, 8};

TEST(Diagnostics, TextHasCaretAndId) {
  Diagnostics diagnostics;
  diagnostics.AddSource("specs/a.h", "one\n    abc\td\n");
  diagnostics.Report(DiagId::kConstWrite, kPlace, "w")
      .Note(DiagId::kDeclaredHere, {"specs/a.h", 1, 1, 0}, "w");
  EXPECT_EQ(FormatText(diagnostics, false),
            "specs/a.h:2:5: error: cannot write 'w': it is declared const [mshadow-const-write]\n"
            "    2 |     abc d\n"
            "      |     ^~~\n"
            "specs/a.h:1:1: note: 'w' is declared here\n"
            "    1 | one\n"
            "      | ^\n");
}

TEST(Diagnostics, ArgumentsAreNotScannedForHoles) {
  Diagnostics diagnostics;
  diagnostics.Report(DiagId::kUnreadable, {}, "%1", "%0");
  EXPECT_EQ(diagnostics.all()[0].text, "cannot read '%1': %0");
}

TEST(Diagnostics, TerminalEscapesOfASpecAreNotPrinted) {
  Diagnostics diagnostics;
  diagnostics.AddSource("a.h", "\033[31m\x80");
  diagnostics.Report(DiagId::kNoWrite, {"a.h", 1, 1, 0}, "f");
  EXPECT_EQ(FormatText(diagnostics, false).find('\033'), std::string::npos);
}

/// What FormatText shows of a line, and of the caret below it.
std::string Shown(const std::string &line, int column, int end_column) {
  Diagnostics diagnostics;
  diagnostics.AddSource("a.h", line);
  diagnostics.Report(DiagId::kNoWrite, {"a.h", 1, column, end_column}, "f");
  const std::string text = FormatText(diagnostics, false);
  return text.substr(text.find('\n') + 1);
}

TEST(Diagnostics, LinesAreUtf8AndCaretsCountCharacters) {
  EXPECT_EQ(Shown("float gr\u00f6\u00dfe, \u5e45;", 7, 14),
            "    1 | float gr\u00f6\u00dfe, \u5e45;\n"
            "      |       ^~~~~\n");
  EXPECT_EQ(Shown("/* \u5e45 */ x;", 11, 0), "    1 | /* \u5e45 */ x;\n      |          ^\n");
  // What is no text, or reorders it, is not printed; nor is a character cut.
  EXPECT_EQ(Shown("\xc3 \xe5\xb9 \u202e\xf5 \xc0\x80 x", 1, 0),
            "    1 | ? ?? ?? ?? x\n      | ^\n");
  EXPECT_EQ(Shown("\u2028\u200b\U000e0101\ufeff\u0085 x", 1, 0), "    1 | ????? x\n      | ^\n");
}

TEST(Diagnostics, LongLinesAreShownAroundTheCaret) {
  const std::string shown =
      Shown(std::string(5000, '(') + "name" + std::string(5000, ')'), 5001, 5005);
  EXPECT_EQ(shown, "    1 | ..." + std::string(80, '(') + "name" + std::string(116, ')') + "...\n" +
                       "      | " + std::string(83, ' ') + "^~~~\n");
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "\u00f6";
  EXPECT_EQ(Shown(wide, 1, 0).find('?'), std::string::npos);
  EXPECT_EQ(Shown(wide, 301, 0).find('?'), std::string::npos);
}

TEST(Diagnostics, RepeatedReportsAreDropped) {
  Diagnostics diagnostics;
  diagnostics.Report(DiagId::kNoWrite, kPlace, "f").Note(DiagId::kNoWriteNote, kPlace);
  diagnostics.Report(DiagId::kNoWrite, kPlace, "f").Note(DiagId::kNoWriteNote, kPlace);
  diagnostics.Report(DiagId::kNoWrite, kPlace, "g");
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics.error_count(), 2);
}

TEST(Diagnostics, ErrorsBeyondTheLimitAreCounted) {
  DiagnosticOptions options;
  options.max_errors = 2;
  Diagnostics diagnostics(options);
  for (int i = 0; i < 5; ++i) diagnostics.Report(DiagId::kNoWrite, kPlace, i);
  EXPECT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.error_count(), 5);
  EXPECT_EQ(diagnostics.dropped_errors(), 3);
  EXPECT_NE(FormatText(diagnostics, false).find("3 more errors"), std::string::npos);
}

struct FlagCase {
  const char *flag;
  const char *problem;
  bool warning_kept;
  bool warning_is_error;
  bool performance_is_error;
};

class FlagTest : public testing::TestWithParam<FlagCase> {};

TEST_P(FlagTest, Changes) {
  DiagnosticOptions options;
  const std::string problem = ApplyWarningFlag(GetParam().flag, &options);
  EXPECT_EQ(problem, GetParam().problem);
  Diagnostics diagnostics(options);
  diagnostics.Report(DiagId::kStaleName, kPlace, "g", "w");
  EXPECT_EQ(diagnostics.all().size(), GetParam().warning_kept ? 1u : 0u);
  EXPECT_EQ(diagnostics.has_errors(), GetParam().warning_is_error);
  Diagnostics performance(options);
  performance.Report(DiagId::kLibmCall, kPlace, "expf", "");
  EXPECT_EQ(performance.has_errors(), GetParam().performance_is_error);
}

INSTANTIATE_TEST_SUITE_P(
    Flags, FlagTest,
    testing::Values(
        FlagCase{"-Werror", "", true, true, false},
        FlagCase{"-Wno-stale-name", "", false, false, false},
        FlagCase{"-Wno-mshadow-stale-name", "", false, false, false},
        FlagCase{"-Wstale-name", "", true, false, false},
        FlagCase{"-Werror=stale-name", "", true, true, false},
        FlagCase{"-Werror=libm-call", "", true, false, true},
        FlagCase{"-Wno-const-write", "'const-write' is always an error: it cannot be turned off", true, false, false},
        FlagCase{"-Wnonsense", "no diagnostic is named 'nonsense'", true, false, false},
        FlagCase{"-Wno-used-here", "no diagnostic is named 'used-here'", true, false, false}));

/// How a message reads that is off by default: whether it is kept, and whether it is an error.
TEST(Diagnostics, PerformanceIsTurnedOnAndOff) {
  const auto reported = [](const std::vector<std::string> &flags) -> std::pair<bool, bool> {
    DiagnosticOptions options;
    for (const std::string &flag : flags) EXPECT_EQ(ApplyWarningFlag(flag, &options), "");
    Diagnostics diagnostics(options);
    diagnostics.Report(DiagId::kElementView, kPlace, "v");
    return {!diagnostics.all().empty(), diagnostics.has_errors()};
  };
  using Result = std::pair<bool, bool>;
  EXPECT_EQ(reported({}), Result(false, false));
  EXPECT_EQ(reported({"-Wperformance"}), Result(true, false));
  EXPECT_EQ(reported({"-Welement-view"}), Result(true, false));
  EXPECT_EQ(reported({"-Wscan-again"}), Result(false, false));
  EXPECT_EQ(reported({"-Wperformance", "-Wno-element-view"}), Result(false, false));
  EXPECT_EQ(reported({"-Wperformance", "-Wno-performance"}), Result(false, false));
  EXPECT_EQ(reported({"-Werror=performance"}), Result(true, true));
}

TEST(Diagnostics, Json) {
  Diagnostics diagnostics;
  diagnostics.Report(DiagId::kUnreadable, {"a\"\\\n.h", 0, 0, 0}, "\xff\xc3\xa9", "x")
      .Note(DiagId::kUsedHere, kPlace);
  EXPECT_EQ(FormatJson(diagnostics),
            "{\"diagnostics\":[{\"file\":\"a\\\"\\\\\\n.h\",\"line\":0,\"column\":0,"
            "\"end_column\":0,\"severity\":\"error\",\"id\":\"mshadow-unreadable\","
            "\"text\":\"cannot read '\xc3\xbf\xc3\xa9': x\",\"notes\":[{\"file\":\"specs/a.h\","
            "\"line\":2,\"column\":5,\"end_column\":8,\"severity\":\"note\","
            "\"id\":\"mshadow-used-here\",\"text\":\"used here\"}]}],\"errors\":1}\n");
}

}  // namespace
}  // namespace mgen
