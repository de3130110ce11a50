// SPDX-License-Identifier: Apache-2.0
/// \file frontend_test.cc
/// Each spec in this directory means the IR in the .ir file beside it: one rule per instance.
/// MSHADOW_UPDATE_EXPECTED=1 in the environment writes the .ir files anew; read the difference.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "diag/printers.h"
#include "frontend/compiler.h"
#include "frontend/parse_spec.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

using Rules = std::vector<std::vector<Rule>>;

std::string ReadFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string PrintAll(const Rules &rules) {
  std::string text;
  for (const std::vector<Rule> &instances : rules) {
    for (const Rule &rule : instances) text += (text.empty() ? "" : "\n") + Print(rule);
  }
  return text;
}

/// A directory that is removed at the end of a test.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("mshadow-frontend-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  std::string Write(const std::string &name, const std::string &text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  fs::path path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<fs::path> Specs() {
  std::vector<fs::path> specs;
  for (const auto &entry : fs::directory_iterator(FRONTEND_DIR)) {
    if (entry.path().extension() == ".h") specs.push_back(entry.path());
  }
  std::sort(specs.begin(), specs.end());
  return specs;
}

class FrontendTest : public testing::TestWithParam<fs::path> {};

TEST_P(FrontendTest, SpecMeansIr) {
  Diagnostics diagnostics;
  const Rules rules = ParseSpec({}, GetParam().string(), diagnostics, nullptr);
  ASSERT_FALSE(diagnostics.has_errors()) << FormatText(diagnostics, false);
  for (const std::vector<Rule> &instances : rules) {
    for (const Rule &rule : instances) Verify(rule);
  }
  const std::string actual = PrintAll(rules);
  fs::path expected = GetParam();
  expected.replace_extension(".ir");
  if (std::getenv("MSHADOW_UPDATE_EXPECTED")) std::ofstream(expected) << actual;
  EXPECT_EQ(actual, ReadFile(expected));
}

INSTANTIATE_TEST_SUITE_P(Specs, FrontendTest, testing::ValuesIn(Specs()),
                         [](const auto &info) { return info.param.stem().string(); });

constexpr char kRule[] = R"(#include <mshadow/kernel.h>
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(mshadow::Tensor<xpu, dim, DType> out) {
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
)";

bool Reports(const Diagnostics &diagnostics, DiagId id, const std::string &text) {
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [&](const Diagnostic &d) {
    return d.id == id && d.text.find(text) != std::string::npos;
  });
}

TEST(ParseSpec, FifoIsNotOpened) {
  const Scratch scratch;
  const std::string fifo = (scratch.path() / "fifo.h").string();
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  Diagnostics diagnostics;
  EXPECT_TRUE(ParseSpec({}, fifo, diagnostics, nullptr).empty());
  EXPECT_TRUE(Reports(diagnostics, DiagId::kUnreadable, "it is not a regular file"));
}

TEST(ParseSpec, MissingFile) {
  Diagnostics diagnostics;
  EXPECT_TRUE(ParseSpec({}, "no/such/spec.h", diagnostics, nullptr).empty());
  EXPECT_TRUE(Reports(diagnostics, DiagId::kUnreadable, "cannot read 'no/such/spec.h'"));
}

TEST(ParseSpec, EnvironmentIsIgnored) {
  const Scratch scratch;
  scratch.Write("hidden.h", "");
  const std::string spec = scratch.Write("spec.h", std::string("#include <hidden.h>\n") + kRule);
  setenv("CPLUS_INCLUDE_PATH", scratch.path().c_str(), 1);
  Diagnostics diagnostics;
  ParseSpec({}, spec, diagnostics, nullptr);
  EXPECT_TRUE(Reports(diagnostics, DiagId::kCxx, "'hidden.h' file not found"));
}

// A defect of our own says what it is: it does not take Clang down with it.
TEST(Compile, WhatTheVisitorThrowsReachesTheCaller) {
  const Scratch scratch;
  const std::string spec = scratch.Write("spec.h", kRule);
  Diagnostics diagnostics;
  const auto visit = [](clang::CompilerInstance &, ClangDiagnostics &) {
    throw std::logic_error("no such parameter");
  };
  try {
    Compile({}, spec, diagnostics, nullptr, visit);
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error &error) {
    EXPECT_STREQ(error.what(), "no such parameter");
  }
}

TEST(ParseSpec, FlagsReachTheParse) {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "include");
  scratch.Write("include/found.h", "#if VALUE != 3\n#error\n#endif\n");
  const std::string spec = scratch.Write("spec.h", std::string("#include <found.h>\n") + kRule);
  ParseOptions options;
  options.flags = {"-I", (scratch.path() / "include").string(), "-DVALUE=3", "-Wall", "-O2"};
  Diagnostics diagnostics;
  EXPECT_EQ(ParseSpec(options, spec, diagnostics, nullptr).size(), 1u)
      << FormatText(diagnostics, false);
}

TEST(ParseSpec, DependenciesAreTheUsersFiles) {
  const Scratch scratch;
  scratch.Write("ops.h", "");
  const std::string spec = scratch.Write("spec.h", std::string("#include \"ops.h\"\n") + kRule);
  Diagnostics diagnostics;
  Dependencies dependencies;
  ParseSpec({}, spec, diagnostics, &dependencies);
  ASSERT_EQ(dependencies.files.size(), 2u);
  EXPECT_EQ(dependencies.files[0], spec);
  EXPECT_EQ(fs::path(dependencies.files[1]).filename(), "ops.h");
}

TEST(ParseSpec, SpecIsNamedRelativeToThePathBase) {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "specs");
  const std::string spec = scratch.Write("specs/spec.h", kRule);
  Diagnostics diagnostics;
  ParseOptions options;
  EXPECT_EQ(ParseSpec(options, spec, diagnostics, nullptr)[0][0].spec, "spec.h");
  options.path_base = scratch.path().string();
  EXPECT_EQ(ParseSpec(options, spec, diagnostics, nullptr)[0][0].spec, "specs/spec.h");
  options.path_base = (scratch.path() / "other").string();
  EXPECT_EQ(ParseSpec(options, spec, diagnostics, nullptr)[0][0].spec, "../specs/spec.h");
}

TEST(ParseSpec, RuntimeDirReplacesTheEmbeddedHeaders) {
  const Scratch scratch;
  const std::string spec = scratch.Write("spec.h", kRule);
  ParseOptions options;
  options.runtime_dir = RUNTIME_DIR;
  Diagnostics diagnostics;
  EXPECT_EQ(ParseSpec(options, spec, diagnostics, nullptr).size(), 1u)
      << FormatText(diagnostics, false);
  options.runtime_dir = scratch.path().string();
  EXPECT_TRUE(ParseSpec(options, spec, diagnostics, nullptr).empty());
  EXPECT_TRUE(Reports(diagnostics, DiagId::kCxx, "'mshadow/kernel.h' file not found"));
}

TEST(ParseSpec, ManySpecsInOneProcess) {
  const Scratch scratch;
  const std::string spec = scratch.Write("spec.h", kRule);
  std::string first;
  for (int i = 0; i < 5; ++i) {
    Diagnostics diagnostics;
    const std::string text = PrintAll(ParseSpec({}, spec, diagnostics, nullptr));
    if (i == 0) first = text;
    EXPECT_EQ(text, first);
  }
}

/// Sums and parentheses that would overflow an ordinary stack.
TEST(ParseSpec, DeepExpressionsAreAnErrorOrWork) {
  const Scratch scratch;
  for (const int depth : {100, 20000}) {
    std::string sum = "1.0f";
    for (int i = 0; i < depth; ++i) sum += "\n + s";
    const std::string text = std::string("#include <mshadow/kernel.h>\n") +
                             "template <typename xpu, int dim, typename DType>\n" +
                             "MSHADOW_KERNEL void R(mshadow::Tensor<xpu, dim, DType> out, float s) "
                             "{\n  const float x = " +
                             sum + ";\n  out = x;\n}\nMSHADOW_INSTANTIATE(R, float);\n";
    Diagnostics diagnostics;
    const Rules rules = ParseSpec({}, scratch.Write("deep.h", text), diagnostics, nullptr);
    EXPECT_EQ(rules.empty(), diagnostics.has_errors()) << FormatText(diagnostics, false);
  }
  const std::string parentheses = std::string("int x = ") + std::string(100000, '(') + ";\n";
  Diagnostics diagnostics;
  ParseSpec({}, scratch.Write("deep.h", parentheses), diagnostics, nullptr);
  EXPECT_TRUE(diagnostics.has_errors());
}

/// Every prefix of a spec is an error or fine, never a crash.
TEST(ParseSpec, TruncatedSpecs) {
  const Scratch scratch;
  const std::string whole = ReadFile(fs::path(FRONTEND_DIR) / "operators.h");
  for (size_t size = 200; size < whole.size(); size += 197) {
    Diagnostics diagnostics;
    ParseSpec({}, scratch.Write("cut.h", whole.substr(0, size)), diagnostics, nullptr);
  }
}

}  // namespace
}  // namespace mgen
