// SPDX-License-Identifier: Apache-2.0
// The second opinion on emitted files: what it takes, and that it takes nothing else.
#include "verify/verify.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace mgen {
namespace {

const Permitted kAdamW = {{"adamw.gen.h", "adamw.map.inc", "adamw.loop.inc", "adamw/adamw.h"},
                          {"optim", "expf"}};

Findings Found(const std::string &text) { return Verify(text, kAdamW); }

std::string ReadGolden(const std::string &name) {
  std::ifstream file(std::string(GOLDEN_DIR "/adamw/expected/") + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Row {
  const char *text;
  const char *finding;  // the first one's text; nullptr: clean
};

class VerifyTest : public testing::TestWithParam<Row> {};

TEST_P(VerifyTest, Finding) {
  const Findings findings = Found(GetParam().text);
  if (GetParam().finding == nullptr) {
    EXPECT_EQ(findings, Findings()) << GetParam().text;
  } else {
    ASSERT_FALSE(findings.empty()) << GetParam().text;
    EXPECT_EQ(findings.front(), GetParam().finding) << GetParam().text;
  }
}

constexpr Row kClean[] = {
    {"", nullptr},
    {"// caf\xc3\xa9, \"quotes', #define, goto std::\n", nullptr},
    {"mean = s.beta1 * mean + 1e-8f * (x - 0.5);\n", nullptr},
    {"const auto s = PrepareStep(\"a \\\"b\\\" \\\\\", mshadow::math::exp(x), ::expf(y));\n",
     nullptr},
    {"std = std * std;  // a tensor\n", nullptr},
    {"template <bool kMore, int N>\n", nullptr},
    {"constexpr int N = LanesFor<float>();\n", nullptr},
    {"F(*this, [=](auto i) MSHADOW_INLINED { G(i); });\n", nullptr},
    {"do {\n} while (lanes > 0);\n", nullptr},
    {"template <typename real_t>\nvoid F(real_t a) {\n  G(real_t(a));\n}\n", nullptr},
    {"::fused_r0123abcd::step_scalar::StepMap<1>(x);\n", nullptr},
    {"#ifndef A_H_\n#define A_H_\n#include \"adamw.gen.h\"  // this\n#endif  // A_H_\n", nullptr},
    {"#include <mshadow/packet/rows.inc>\n#include <math.h>\n", nullptr},
    {"#include <mshadow/emitted/launch.h>\n#include <mshadow/c_api.h>\n", nullptr},
    {"#if MSHADOW_GEN_REVISION_MIN > 1 || MSHADOW_GEN_REVISION_MAX < 1\n#endif\n", nullptr},
};

constexpr Row kTexts[] = {
    {"a\tb\n", "line 1: a control character"},
    {"\na\r\n", "line 2: a control character"},
    {"// what?"
     "?/\n",
     "line 1: two question marks"},
    {"// continues \\\nsystem\n", "line 1: the line continues on the next"},
    {"// \xe2\x80\xae reversed\n", "line 1: a character that is not seen"},
    {"// \xe2\x81\xa6 isolated\n", "line 1: a character that is not seen"},
    {"// \xd8\x9c mark\n", "line 1: a character that is not seen"},
    {"\xef\xbb\xbf// mark\n", "line 1: a character that is not seen"},
    {"// a */ b\n", "line 1: '*/' in a comment"},
    {"// a /* b\n", "line 1: '/*' in a comment"},
    {"/* a */\n", "line 1: a comment that begins with '/*'"},
    {"caf\xc3\xa9 = 1;\n", "line 1: the character '\xc3'"},
    {"a = 'b';\n", "line 1: the character '''"},
    {"a = `b`;\n", "line 1: the character '`'"},
    {"Check(\"a);\n", "line 1: a string without an end"},
    {"Check(\"a\\n\");\n", "line 1: an escape in a string"},
    {"Check(\"caf\xc3\xa9\");\n", "line 1: a string that is not ASCII"},
    {"Check(R\"(a)\");\n", "line 1: a string with a prefix"},
    {"a = 1LL;\n", "line 1: a number of an unknown form"},
    {"a = 0x10;\n", "line 1: a number of an unknown form"},
    {"a = 1.5_km;\n", "line 1: a number of an unknown form"},
};

constexpr Row kCode[] = {
    {"asm(\"nop\");\n", "line 1: the keyword 'asm'"},
    {"goto a;\n", "line 1: the keyword 'goto'"},
    {"a = reinterpret_cast<float *>(b);\n", "line 1: the keyword 'reinterpret_cast'"},
    {"volatile float a;\n", "line 1: the keyword 'volatile'"},
    {"__asm__(\"nop\");\n", "line 1: the reserved name '__asm__'"},
    {"_Pragma(\"once\")\n", "line 1: the reserved name '_Pragma'"},
    {"a = __builtin_trap();\n", "line 1: the reserved name '__builtin_trap'"},
    {"std::abort();\n", "line 1: a name of the standard library"},
    {"::system(\"a\");\n", "line 1: '::system', which is no rule's namespace"},
    {"::fused_rose::F(a);\n", "line 1: '::fused_rose', which is no rule's namespace"},
    {"return ::other::F(a);\n", "line 1: '::other', which is no rule's namespace"},
    {"system(\"a\");\n", "line 1: a call of 'system'"},
    {"a = b * system(\"a\");\n", "line 1: a call of 'system'"},
    {"a = b > system(\"a\");\n", "line 1: a call of 'system'"},
    {"a = (b) system(\"a\");\n", "line 1: a call of 'system'"},
    {"return exit(1);\n", "line 1: a call of 'exit'"},
    {"template <typename exit>\nvoid F() {\n}\nvoid G() {\n  exit(1);\n}\n", "line 5: a call of 'exit'"},
    {"for (int i = 0; i < n; ++i) {\n}\n", "line 1: an int: indices are index_t"},
    {"(int)a;\n", "line 1: an int: indices are index_t"},
    {"this->a = b;\n", "line 1: the keyword 'this'"},
    {"static float a;\n", "line 1: a variable that is static"},
    {"extern float a;\n", "line 1: a name from elsewhere: extern"},
    {"while (true) {\n}\n", "line 1: a while that ends no do"},
    {"f(a];\n", "line 1: a call of 'f'"},
    {"F(a];\n", "line 1: ']' closes nothing"},
    {"}\n", "line 1: '}' closes nothing"},
    {"F(a; b)\n", "line 1: a statement inside of brackets"},
    {"a */ b\n", "line 1: '*/' that ends no comment"},
    {"{\n(\n", "line 2: '(' is not closed"},
};

constexpr Row kDirectives[] = {
    {"#line 1 \"a\"\n", "line 1: the directive '#line 1 \"a\"'"},
    {"#pragma once\n", "line 1: the directive '#pragma once'"},
    {"  #  include <math.h>\n", "line 1: the directive '#  include <math.h>'"},
    {"#include \"/etc/passwd\"\n", "line 1: the directive '#include \"/etc/passwd\"'"},
    {"#include <mshadow/../x.h>\n", "line 1: the directive '#include <mshadow/../x.h>'"},
    {"#include <mshadow/cuda/../x.h>\n", "line 1: the directive '#include <mshadow/cuda/../x.h>'"},
    {"#include <mshadow/tensor.h>\n", "line 1: the directive '#include <mshadow/tensor.h>'"},
    {"#include <stdlib.h>\n", "line 1: the directive '#include <stdlib.h>'"},
    {"#include MACRO\n", "line 1: the directive '#include MACRO'"},
    {"#define A 1\n", "line 1: the directive '#define A 1'"},
    {"#define A\n", "line 1: the directive '#define A'"},
    {"#undef A\n", "line 1: the directive '#undef A'"},
    {"#if __has_include(\"a\")\n#endif\n", "line 1: the directive '#if __has_include(\"a\")'"},
    {"#if MSHADOW_A\n", "line 1: #if and #endif do not pair"},
    {"#endif\n", "line 1: the directive '#endif'"},
    {"#error caf\xc3\xa9\n", "line 1: a directive that is not ASCII"},
};

INSTANTIATE_TEST_SUITE_P(Clean, VerifyTest, testing::ValuesIn(kClean));
INSTANTIATE_TEST_SUITE_P(Texts, VerifyTest, testing::ValuesIn(kTexts));
INSTANTIATE_TEST_SUITE_P(Code, VerifyTest, testing::ValuesIn(kCode));
INSTANTIATE_TEST_SUITE_P(Directives, VerifyTest, testing::ValuesIn(kDirectives));

/// What a spec might try to get into an output.
constexpr const char *kHostile[] = {
    "*/",
    "\"",
    "// \\",
    "?"
    "?/",
    "#include \"/etc/passwd\"",
    "#line 7",
    "#define A",
    "system(\"rm\");",
    "::exit(1);",
    "std::abort();",
    "asm(\"nop\");",
    "int i = 0;",
    "}",
    "{",
    "R\"(",
};

TEST(VerifyGoldenTest, ALineThatDoesNotBelongThereIsFoundAnywhere) {
  for (const char *name :
       {"adamw.gen.h", "adamw.gen.cc", "adamw.map.inc", "adamw.loop.inc", "adamw.gen.cu"}) {
    const std::string golden = ReadGolden(name);
    EXPECT_EQ(Found(golden), Findings()) << name;
    for (size_t at = 0; at < golden.size(); at = golden.find('\n', at) + 1) {
      for (const char *hostile : kHostile) {
        const std::string text = golden.substr(0, at) + hostile + "\n" + golden.substr(at);
        EXPECT_FALSE(Found(text).empty()) << name << " at " << at << ": " << hostile;
      }
    }
  }
}

TEST(LicenseTest, OnlyComments) {
  for (const char *text : {"", "\n", "// a\n// b\n", "/* a\n * b */\n// c\n", "// a"}) {
    EXPECT_TRUE(IsOnlyComments(text)) << text;
  }
  for (const char *text : {"a\n", "// a\nb\n", "/* a */ b\n", "/* a\n", "// a\\\nb\n", "#if 0\n"}) {
    EXPECT_FALSE(IsOnlyComments(text)) << text;
  }
}

}  // namespace
}  // namespace mgen
