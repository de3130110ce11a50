// SPDX-License-Identifier: Apache-2.0
#include "emit/layout.h"

#include <gtest/gtest.h>

namespace mgen {
namespace {

TEST(Layout, FillsAListAndAlignsIt) {
  EXPECT_EQ(RenderList("f(", {"a", "b"}, ");", 20), "f(a, b);");
  EXPECT_EQ(RenderList("f(", {"aaaa", "bbbb", "cccc"}, ");", 14), "f(aaaa, bbbb,\n  cccc);");
  EXPECT_EQ(RenderList("f(", {}, ");", 14), "f();");
}

TEST(Layout, CountsWhatFollowsTheLastPart) {
  EXPECT_EQ(RenderList("f(", {"aaaa", "bb"}, ");", 12), "f(aaaa, bb);");
  EXPECT_EQ(RenderList("f(", {"aaaa", "bb"}, ");", 11), "f(aaaa,\n  bb);");
}

TEST(Layout, BreaksAfterAHeadThatLeavesNoRoom) {
  EXPECT_EQ(RenderList("a_long_function(", {"a_long_part", "b"}, ") {", 24),
            "a_long_function(\n    a_long_part, b) {");
}

TEST(Layout, AGroupBreaksOnlyIfItMust) {
  const Layout group = Group(Concat({Text("a"), Line(), Text("b")}));
  EXPECT_EQ(Render(group, 3), "a b");
  EXPECT_EQ(Render(group, 2), "a\nb");
}

TEST(Layout, AContinuationTooLongForALineBeginsOnThisOne) {
  const Layout inner = Concat({Text("(bbbb"), Continuation(Text("cccc"))});
  const Layout outer = Concat({Text("a +"), Continuation(Align(inner))});
  EXPECT_EQ(Render(outer, 20), "a + (bbbb cccc");
  EXPECT_EQ(Render(outer, 10), "a +\n(bbbb cccc");
  EXPECT_EQ(Render(outer, 9), "a + (bbbb\n    cccc");
}

TEST(Layout, DeepNestingDoesNotRecurse) {
  Layout chain = Text("a");
  for (int i = 0; i < 5000; ++i) chain = Concat({chain, Text(" +"), Continuation(Text("a"))});
  const std::string text = Render(chain, 80);
  EXPECT_EQ(text.substr(0, 7), "a + a +");
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    EXPECT_LE(end - begin, 80u);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace mgen
