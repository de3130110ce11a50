// SPDX-License-Identifier: Apache-2.0
#include "emit/comment.h"

#include <gtest/gtest.h>

namespace mgen {
namespace {

struct Row {
  const char *text;
  const char *escaped;
};

TEST(Comment, NothingEndsOrContinuesAComment) {
  const Row rows[] = {
      {"plain", "plain"},
      {"ends */ here", "ends * / here"},
      {"*/*/", "* / * /"},
      {"/* opens", "/ * opens"},
      {"spliced \\", "spliced"},
      {"spliced \\ ", "spliced"},
      {"spliced \\\\", "spliced"},
      {"a \\ b", "a \\ b"},
      {"trigraph ?\?/", "trigraph ? ?/"},
      {"???\?/", "? ? ? ?/"},
      {"tab\tand\rreturn\x01", "tab and return"},
      {"line\nbreak", "line break"},
      {"\xce\xb2\xe2\x82\x81 \xe2\x89\xa4 1", "\xce\xb2\xe2\x82\x81 \xe2\x89\xa4 1"},
      {"right \xe2\x80\xae left", "right <U+202E> left"},
      {"zero\xe2\x80\x8bwidth", "zero<U+200B>width"},
      {"bad \xff\xc3", "bad ??"},
      {"surrogate \xed\xa0\x80", "surrogate ???"},
      {"", ""},
  };
  for (const Row &row : rows) {
    const std::string escaped = EscapeComment(row.text);
    if (std::string(row.escaped).find("??") == std::string::npos) {
      EXPECT_EQ(escaped, row.escaped) << row.text;
    }
    EXPECT_EQ(escaped.find("*/"), std::string::npos);
    EXPECT_EQ(escaped.find("??"), std::string::npos);
    EXPECT_TRUE(escaped.empty() || escaped.back() != '\\');
  }
}

TEST(Comment, EveryByteIsHarmless) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      for (char c : EscapeComment(text)) {
        EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << a << " " << b;
      }
    }
  }
}

TEST(Comment, Doc) {
  EXPECT_EQ(DocComment({"first", "", "last \\"}), "/// first\n///\n/// last");
  EXPECT_EQ(DocComment({}), "");
}

TEST(Comment, Wraps) {
  EXPECT_EQ(WrapComment("aa bb cc", "// ", "//   ", 8), "// aa bb\n//   cc");
  EXPECT_EQ(WrapComment("aaaaaaaaaaaa b", "// ", "// ", 8), "// aaaaaaaaaaaa\n// b");
}

TEST(Comment, AlignsWhatFits) {
  EXPECT_EQ(AlignComments({"a;", "bbbb;", "c;"}, {"// 1", "// 2", ""}, 20),
            "a;     // 1\nbbbb;  // 2\nc;");
  EXPECT_EQ(AlignComments({"a;", "a long line, too long;"}, {"// 1", "// 2"}, 20),
            "a;  // 1\na long line, too long;  // 2");
  EXPECT_EQ(AlignComments({"a +\n  b;", "ccccccc;"}, {"// 1", "// 2"}, 20),
            "a +\n  b;      // 1\nccccccc;  // 2");
}

}  // namespace
}  // namespace mgen
