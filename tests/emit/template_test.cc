// SPDX-License-Identifier: Apache-2.0
#include "emit/template.h"

#include <gtest/gtest.h>

#include "emit/output_file.h"

namespace mgen {
namespace {

std::string Render(const std::string &text, const Values &values) {
  return RenderTemplateText("test.tmpl.h", text, values);
}

/// What the error says.
std::string ErrorOf(const std::string &text, const Values &values) {
  try {
    Render(text, values);
  } catch (const EmitError &error) {
    return error.what();
  }
  return "no error";
}

TEST(Template, NothingIsEscaped) {
  EXPECT_EQ(Render("a {{v}} b\n", Values().Set("v", "<&\"'{{x}}")), "a <&\"'{{x}} b\n");
}

TEST(Template, AMultiLineValueKeepsItsColumn) {
  EXPECT_EQ(Render("f() {\n  {{v}}\n}\n", Values().Set("v", "a;\n\nb;\n")), "f() {\n  a;\n\n  b;\n}\n");
}

TEST(Template, AnEmptyValueAloneTakesItsLineAway) {
  EXPECT_EQ(Render("a\n  {{v}}\n\nb\n", Values().Set("v", "")), "a\n\nb\n");
  EXPECT_EQ(Render("a {{v}};\n", Values().Set("v", "")), "a ;\n");
}

TEST(Template, Sections) {
  const std::string text = "a\n{{#on}}\nyes\n{{/on}}\n{{^on}}\nno\n{{/on}}\n\nb\n";
  EXPECT_EQ(Render(text, Values().Set("on", true)), "a\nyes\n\nb\n");
  EXPECT_EQ(Render(text, Values().Set("on", false)), "a\nno\n\nb\n");
}

TEST(Template, ListsSeeTheOuterValues) {
  Values values;
  values.Set("list", Values::List{Values().Set("x", "1"), Values().Set("x", "2")}).Set("y", "z");
  EXPECT_EQ(Render("{{#list}}\n{{x}}{{y}}\n\n{{/list}}\nend\n", values), "1z\n\n2z\n\nend\n");
}

TEST(Template, ErrorsNameFileAndLine) {
  EXPECT_EQ(ErrorOf("a\n {{v}} {{w}}\n", Values().Set("v", "1")),
            "templates/test.tmpl.h:2: 'w' has no value");
  EXPECT_EQ(ErrorOf("{{v}}\n", Values().Set("v", "1").Set("unused", "2")),
            "templates/test.tmpl.h:1: no tag uses the value 'unused'");
  EXPECT_EQ(ErrorOf("x\nx {{v}}\n", Values().Set("v", "1\n2")),
            "templates/test.tmpl.h:2: 'v' has several lines but does not begin its line");
  EXPECT_EQ(ErrorOf("{{#v}}\n", Values().Set("v", true)),
            "templates/test.tmpl.h:1: section 'v' is not closed");
  EXPECT_EQ(ErrorOf("{{/v}}\n", Values()), "templates/test.tmpl.h:1: '{{/v}}' closes no section");
  EXPECT_EQ(ErrorOf("a {{v\n", Values()), "templates/test.tmpl.h:1: a tag is not closed on its line");
  EXPECT_EQ(ErrorOf("{{> no/such}}\n", Values()), "there is no template 'no/such'");
  EXPECT_THROW(Values().Set("v", "1").Set("v", "2"), EmitError);
}

}  // namespace
}  // namespace mgen
