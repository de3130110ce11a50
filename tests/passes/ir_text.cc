// SPDX-License-Identifier: Apache-2.0
#include "ir_text.h"

#include <gtest/gtest.h>

#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "passes/forward.h"
#include "passes/plan.h"

namespace mgen_test {
namespace {

std::string From(const std::string &text, const std::string &word) {
  const size_t at = text.find("\n  " + word);
  return at == std::string::npos ? "" : text.substr(at + 1);
}

std::string PrintOne(const mgen::Diagnostic &diagnostic) {
  return std::to_string(diagnostic.location.line) + ":" +
         std::to_string(diagnostic.location.column) + ": " +
         std::string(mgen::Name(diagnostic.severity)) + ": " + diagnostic.text + " [" +
         std::string(mgen::Name(diagnostic.id)) + "]\n";
}

}  // namespace

std::string Trim(const std::string &text) {
  return !text.empty() && text[0] == '\n' ? text.substr(1) : text;
}

mgen::Rule ParseGood(const std::string &text) {
  mgen::Rule rule = mgen::ParseRule(Trim(text));
  EXPECT_EQ(mgen::Problems(rule), std::vector<std::string>()) << text;
  return rule;
}

void ExpectRules(const std::vector<Row> &rows, const std::function<mgen::Rule(mgen::Rule)> &pass) {
  for (const Row &row : rows) {
    SCOPED_TRACE(row.name);
    const mgen::Rule result = pass(ParseGood(row.in));
    EXPECT_EQ(mgen::Problems(result), std::vector<std::string>());
    EXPECT_EQ(mgen::Print(result), Trim(row.out == kSame ? row.in : row.out));
  }
}

mgen::Plan PlanOf(const mgen::Rule &rule) {
  return mgen::MakePlan(rule, mgen::ForwardTemporaries(rule));
}

std::string PlanPart(const mgen::Plan &plan) { return From(mgen::Print(plan), "operand"); }
std::string StepsPart(const mgen::Plan &plan) { return From(mgen::Print(plan), "steps"); }

std::string PrintAll(const mgen::Diagnostics &diagnostics) {
  std::string text;
  for (const mgen::Diagnostic &diagnostic : diagnostics.all()) {
    text += PrintOne(diagnostic);
    for (const mgen::Diagnostic &note : diagnostic.notes) text += "  " + PrintOne(note);
  }
  return text;
}

}  // namespace mgen_test
