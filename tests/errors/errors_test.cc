// SPDX-License-Identifier: Apache-2.0
/// \file errors_test.cc
/// Every file below tests/errors holds one mistake, and says on its line what the generator says:
///
///     in = out;  // expected-error [const-write] {{cannot write 'in'}}
///
/// `@+1` or `@-1` after the severity moves the line, `@file` means the file as a whole. Severities:
/// error, warning, performance (each with its id) and note. Every message but a note must be
/// expected; an error must leave nothing behind.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "diag/diagnostics.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

struct Message {
  std::string severity;
  int line = 0;  ///< 0: the file as a whole
  std::string id;
  std::string text;
};

struct Outcome {
  int status = -1;
  std::string output;
  std::vector<Message> messages;
  bool wrote_files = false;
};

std::string ReadFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// `PATH:LINE:COLUMN: SEVERITY: TEXT [mshadow-ID]`, the position and the id being optional.
std::vector<Message> ParseMessages(const std::string &output) {
  static const std::regex kMessage(
      R"(^(.*?):(?:(\d+):\d+:)? (error|warning|performance|note): (.*?)(?: \[mshadow-([a-z0-9-]+)\])?$)");
  std::vector<Message> messages;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (!std::regex_match(line, m, kMessage)) continue;
    messages.push_back({m[3], m[2].matched ? std::stoi(m[2]) : 0, m[5], m[4]});
  }
  return messages;
}

class Tool {
 public:
  Tool() : directory_(fs::temp_directory_path() / ("mshadow-errors-" + std::to_string(getpid()))) {
    fs::create_directories(output());
  }
  ~Tool() { fs::remove_all(directory_); }

  fs::path scratch() const { return directory_; }
  fs::path output() const { return directory_ / "out"; }

  Outcome Generate(const fs::path &spec, const std::string &flags = "") const {
    const std::string command = std::string(MSHADOW_GEN) + " generate --name=errors -o '" +
                                output().string() + "' '" + spec.string() + "' " + flags + " 2>&1";
    Outcome run;
    FILE *pipe = popen(command.c_str(), "r");
    if (!pipe) return run;
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) run.output.append(buffer, n);
    const int status = pclose(pipe);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    run.messages = ParseMessages(run.output);
    run.wrote_files = !fs::is_empty(output());
    return run;
  }

 private:
  fs::path directory_;
};

struct Expectations {
  std::vector<Message> messages;
  std::string flags;  ///< of a line `// flags: --werror`
  int status = 0;
};

Expectations ReadExpectations(const fs::path &spec) {
  static const std::regex kExpected(
      R"(expected-(error|warning|performance|note)(@file|@[+-]\d+)?(?: \[([a-z0-9-]+)\])? \{\{(.*?)\}\})");
  Expectations expected;
  std::istringstream lines(ReadFile(spec));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    static const std::string kFlags = "// flags: ";
    if (line.compare(0, kFlags.size(), kFlags) == 0) expected.flags = line.substr(kFlags.size());
    for (std::sregex_iterator m(line.begin(), line.end(), kExpected), end; m != end; ++m) {
      const std::string at = (*m)[2];
      const int place = at == "@file" ? 0 : number + (at.empty() ? 0 : std::stoi(at.substr(1)));
      expected.messages.push_back({(*m)[1], place, (*m)[3], (*m)[4]});
      if ((*m)[1] == "error") expected.status = 1;
    }
  }
  return expected;
}

std::vector<fs::path> Specs() {
  std::vector<fs::path> specs;
  for (const auto &entry : fs::recursive_directory_iterator(ERRORS_DIR)) {
    if (entry.path().extension() == ".h") specs.push_back(entry.path());
  }
  std::sort(specs.begin(), specs.end());
  return specs;
}

bool Matches(const Message &expected, const Message &actual) {
  return expected.severity == actual.severity && expected.line == actual.line &&
         expected.id == actual.id && actual.text.find(expected.text) != std::string::npos;
}

class ErrorsTest : public testing::TestWithParam<fs::path> {};

TEST_P(ErrorsTest, SaysWhatIsWrongAndWhere) {
  const Expectations expected = ReadExpectations(GetParam());
  ASSERT_FALSE(expected.messages.empty()) << "the file expects nothing";
  Outcome run = Tool().Generate(GetParam(), expected.flags);
  EXPECT_EQ(run.status, expected.status) << run.output;
  EXPECT_EQ(run.wrote_files, expected.status == 0) << run.output;
  EXPECT_EQ(run.output.find("__mshadow_gen__"), std::string::npos) << run.output;
  for (const Message &message : expected.messages) {
    const auto found =
        std::find_if(run.messages.begin(), run.messages.end(),
                     [&](const Message &actual) { return Matches(message, actual); });
    if (found == run.messages.end()) {
      ADD_FAILURE() << "missing: line " << message.line << ": " << message.severity << ": "
                    << message.text << " [" << message.id << "]\nin:\n"
                    << run.output;
    } else {
      run.messages.erase(found);
    }
  }
  for (const Message &message : run.messages) {
    EXPECT_EQ(message.severity, "note")
        << "unexpected: line " << message.line << ": " << message.text << " [" << message.id << "]";
  }
}

std::string TestName(const testing::TestParamInfo<fs::path> &info) {
  const fs::path name = fs::relative(info.param, ERRORS_DIR).replace_extension();
  return std::regex_replace(name.string(), std::regex("[^A-Za-z0-9]"), "_");
}

INSTANTIATE_TEST_SUITE_P(Specs, ErrorsTest, testing::ValuesIn(Specs()), TestName);

bool Says(const Outcome &run, const std::string &id, const std::string &text) {
  return std::any_of(run.messages.begin(), run.messages.end(), [&](const Message &m) {
    return m.severity == "error" && m.id == id && m.text.find(text) != std::string::npos;
  });
}

// A FIFO without a writer blocks whoever opens it: these tests hang if the generator does.

TEST(UnreadableSpec, Fifo) {
  const Tool tool;
  const fs::path fifo = tool.scratch() / "fifo.h";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const Outcome run = tool.Generate(fifo);
  EXPECT_NE(run.output.find("not a regular file"), std::string::npos) << run.output;
  EXPECT_EQ(run.status, 4);
  EXPECT_FALSE(run.wrote_files);
}

TEST(UnreadableSpec, IncludedFifo) {
  const Tool tool;
  ASSERT_EQ(mkfifo((tool.scratch() / "fifo.h").c_str(), 0600), 0);
  std::ofstream(tool.scratch() / "spec.h") << "#include \"fifo.h\"\n";
  const Outcome run = tool.Generate(tool.scratch() / "spec.h");
  EXPECT_TRUE(Says(run, "cxx", "'fifo.h' file not found")) << run.output;
  EXPECT_EQ(run.status, 1);
}

TEST(UnreadableSpec, SymbolicLinkOutOfTheSpecsDirectory) {
  const Tool tool;
  fs::create_symlink("/etc/passwd", tool.scratch() / "secret_link.h");
  std::ofstream(tool.scratch() / "spec.h") << "#include \"secret_link.h\"\n";
  const Outcome run = tool.Generate(tool.scratch() / "spec.h");
  EXPECT_TRUE(Says(run, "cxx", "'secret_link.h' file not found")) << run.output;
  EXPECT_EQ(run.output.find("root:"), std::string::npos);
}

TEST(UnreadableSpec, TooLarge) {
  const Tool tool;
  std::ofstream(tool.scratch() / "spec.h") << std::string(2 << 20, '\n');
  const Outcome run = tool.Generate(tool.scratch() / "spec.h");
  EXPECT_TRUE(Says(run, "too-large", "the spec has more than 1 MiB (the limit)")) << run.output;
  EXPECT_EQ(run.status, 1);
}

/// Terms of one long sum: neither Clang nor the generator may crash on it.
TEST(UnreadableSpec, LongExpressions) {
  for (const int terms : {300, 3000}) {
    const Tool tool;
    std::ofstream spec(tool.scratch() / "spec.h");
    spec << "#include <mshadow/kernel.h>\nnamespace n {\nusing namespace mshadow;\n"
         << "template <typename xpu, int dim, typename D>\n"
         << "MSHADOW_KERNEL void Sum(Tensor<xpu, dim, D> out, float s) {\n  out = 0.0f";
    for (int i = 0; i < terms; ++i) spec << "\n + s";
    spec << ";\n}\nMSHADOW_INSTANTIATE(Sum, float);\n}\n";
    spec.close();
    const Outcome run = tool.Generate(tool.scratch() / "spec.h");
    EXPECT_TRUE(run.status == 0 || run.status == 1) << run.status << run.output.substr(0, 2000);
  }
}

/// Clang's own way to simulate a bug of its own.
TEST(UnreadableSpec, CrashOfClangIsContained) {
  const Tool tool;
  std::ofstream(tool.scratch() / "spec.h") << "#pragma clang __debug crash\n";
  const Outcome run = tool.Generate(tool.scratch() / "spec.h");
  EXPECT_NE(run.output.find("the C++ front end crashed on"), std::string::npos) << run.output;
  EXPECT_EQ(run.status, 70);
  EXPECT_FALSE(run.wrote_files);
}

TEST(SpecFlags, OthersAreRefused) {
  const fs::path spec = fs::path(ERRORS_DIR) / "spec" / "no_rules.h";
  for (const std::string flag : {"-fplugin=evil.so", "-Xclang", "@file", "-x", "-o"}) {
    const Outcome run = Tool().Generate(spec, "-- '" + flag + "'");
    EXPECT_TRUE(Says(run, "unsupported-flag", "mshadow-gen does not accept the compiler flag '" + flag + "'")) << run.output;
    EXPECT_EQ(run.status, 1) << flag;
  }
}

TEST(SpecFlags, HarmlessOnesAreIgnored) {
  const fs::path spec = fs::path(ERRORS_DIR) / "spec" / "no_rules.h";
  const Outcome run =
      Tool().Generate(spec, "-- -Wall -O2 -g -march=native -fPIC -DX=1 -I. -std=c++20");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST(Diagnostics, EveryMessageHasATest) {
  // Not here: unsupported-flag has a test above, unreadable one in tests/frontend.
  std::set<std::string> tested = {"unreadable", "unsupported-flag"};
  for (const fs::path &spec : Specs()) {
    for (const Message &message : ReadExpectations(spec).messages) tested.insert(message.id);
  }
#define MGEN_DIAG(id, name, severity, text)                                     \
  if (Severity::severity != Severity::kNote) {                                  \
    EXPECT_TRUE(tested.count(name)) << "no file in tests/errors expects " name; \
  }
#include "diag/diagnostics.def"
#undef MGEN_DIAG
}

}  // namespace
}  // namespace mgen
