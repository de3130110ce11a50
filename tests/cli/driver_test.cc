// SPDX-License-Identifier: Apache-2.0
// The driver's parts that need no process: tables of input and output.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backends/backends.h"
#include "driver/depfile.h"
#include "driver/diff.h"
#include "driver/exit_code.h"
#include "driver/manifest.h"
#include "driver/option_table.h"
#include "driver/pipeline.h"
#include "driver/response_file.h"
#include "driver/sha256.h"
#include "driver/suggest.h"

namespace mgen {
namespace {

using Words = std::vector<std::string>;

TEST(Sha256Test, PublishedVectors) {  // FIPS 180-4 examples, and the empty message
  EXPECT_EQ(Sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, LengthsAroundTheBlock) {  // from sha256sum
  EXPECT_EQ(Sha256(std::string(55, 'x')),
            "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  EXPECT_EQ(Sha256(std::string(56, 'x')),
            "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  EXPECT_EQ(Sha256(std::string(64, 'x')),
            "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
}

TEST(SuggestTest, NearOnes) {
  const Words commands = {"generate", "check", "list", "explain"};
  EXPECT_EQ(Nearest("genrate", commands), "generate");
  EXPECT_EQ(Nearest("egnerate", commands), "generate");
  EXPECT_EQ(Nearest("LIST", commands), "list");
  EXPECT_EQ(Nearest("explan", commands), "explain");
  EXPECT_EQ(Nearest("xyz", commands), "");
  EXPECT_EQ(Nearest("", commands), "");
  EXPECT_EQ(DidYouMean("chek", commands), "; did you mean 'check'?");
  EXPECT_EQ(DidYouMean("nothing", commands), "");
}

TEST(DiffTest, Hunks) {
  EXPECT_EQ(UnifiedDiff("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(UnifiedDiff("a\nb\nc\n", "a\nB\nc\n", "x", "y"),
            "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  EXPECT_EQ(UnifiedDiff("", "a\n", "/dev/null", "y"), "--- /dev/null\n+++ y\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(UnifiedDiff("a\n", "a", "x", "y"),
            "--- x\n+++ y\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
}

TEST(DiffTest, ContextSeparatesHunks) {
  std::string before, after;
  for (int i = 1; i <= 20; ++i) {
    before += std::to_string(i) + "\n";
    after += i == 2 || i == 12 ? "x\n" : std::to_string(i) + "\n";
  }
  EXPECT_EQ(UnifiedDiff(before, after, "x", "y"),
            "--- x\n+++ y\n@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n"
            "@@ -9,7 +9,7 @@\n 9\n 10\n 11\n-12\n+x\n 13\n 14\n 15\n");
}

TEST(DiffTest, BeyondTheEditLimitEverythingIsReplaced) {
  std::string before, after;
  for (int i = 0; i < 800; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = UnifiedDiff(before, after, "x", "y");
  EXPECT_EQ(diff.substr(0, 40), "--- x\n+++ y\n@@ -1,800 +1,800 @@\n-a0\n-a1\n");
  EXPECT_EQ(std::count(diff.begin(), diff.end(), '\n'), 3 + 1600);
}

TEST(ResponseFileTest, Splitting) {
  EXPECT_EQ(SplitArguments("a b\tc\r\nd"), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(SplitArguments(R"('a b' "c \" d" e\ f '' g'h'"i")"),
            (Words{"a b", "c \" d", "e f", "", "ghi"}));
  EXPECT_EQ(SplitArguments(R"('\n' "\\" \\)"), (Words{"\\n", "\\", "\\"}));
  EXPECT_EQ(SplitArguments("  "), Words{});
  EXPECT_THROW(SplitArguments("'a"), UsageError);
  EXPECT_THROW(SplitArguments("\"a'"), UsageError);
}

TEST(ResponseFileTest, OnlyBeforeTheSeparator) {
  EXPECT_EQ(ExpandResponseFiles({"a", "@", "--", "@nowhere"}), (Words{"a", "@", "--", "@nowhere"}));
  EXPECT_THROW(ExpandResponseFiles({"@nowhere"}), FileError);
}

TEST(DepfileTest, Escapes) {
  EXPECT_EQ(MakeDepfile("/a b/t", {"/c$d", "/e#f", "/g\\ h"}),
            "/a\\ b/t: \\\n  /c$$d \\\n  /e\\#f \\\n  /g\\\\\\ h\n");
  EXPECT_EQ(MakeDepfile("t", {}), "t:\n");
}

TEST(ManifestTest, ReadsOnlyWhatMakesSense) {
  const std::string digest(64, 'a');
  const auto outputs = ManifestOutputs(
      "format 1\noutput " + digest + " a.gen.h\r\noutput " + digest + " ../b\noutput " + digest +
      " .c\noutput short d\n" + "output " + digest + " e f\ninput " + digest + " g\n");
  EXPECT_EQ(outputs, (std::map<std::string, std::string>{{"a.gen.h", digest}}));
}

TEST(ManifestTest, ToolLine) {
  EXPECT_EQ(WithoutToolLine("format 1\ntool 1.2\nrevision 1\n"), "format 1\nrevision 1\n");
  EXPECT_EQ(NormalizeNewlines("a\r\nb\rc\r\r\n\r"), "a\nb\rc\r\n\r");
}

TEST(OptionTableTest, RowsAreWellFormed) {
  std::set<std::string> seen;
  for (const OptionRow &row : OptionTable()) {
    EXPECT_TRUE(seen.insert(row.flags).second) << row.flags;
    EXPECT_NE(row.commands, 0u) << row.flags;
    EXPECT_TRUE(row.effect.apply) << row.flags;
    EXPECT_FALSE(std::string(row.help).empty()) << row.flags;
  }
}

TEST(PassTableTest, EveryPassHasAReason) {
  const Words names = PassNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string &name : names) EXPECT_FALSE(PassReason(name).empty()) << name;
}

TEST(CommandLineTest, Values) {
  const Options options =
      ParseCommandLine({"generate", "--name=toy", "-oout", "a.h", "--isa=avx512", "-Wno-no-rules",
                        "b.h", "--", "-DX", "--name=other"});
  EXPECT_EQ(options.command, Command::kGenerate);
  EXPECT_EQ(options.name, "toy");
  EXPECT_EQ(options.output_dir, "out");
  EXPECT_EQ(options.specs, (Words{"a.h", "b.h"}));
  EXPECT_EQ(options.isa, (Words{"baseline", "avx512"}));
  EXPECT_EQ(options.cxx_flags, (Words{"-DX", "--name=other"}));
  EXPECT_EQ(options.emit, (std::set<std::string>{"header", "cpu", "manifest"}));
  EXPECT_EQ(options.diagnostics.disabled.count(DiagId::kNoRules), 1u);
}

}  // namespace
}  // namespace mgen
