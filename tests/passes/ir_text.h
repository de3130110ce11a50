// SPDX-License-Identifier: Apache-2.0
/// \file ir_text.h
/// What the tests of passes share: rules and plans as text, tables of text in, text out.
#ifndef MSHADOW_TESTS_PASSES_IR_TEXT_H_
#define MSHADOW_TESTS_PASSES_IR_TEXT_H_

#include <functional>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "ir/plan.h"

namespace mgen_test {

/// A row of a table test.
struct Row {
  const char *name;
  const char *in;
  const char *out;  ///< kSame: the pass has nothing to do
};
inline constexpr const char *kSame = nullptr;

/// Parses `text`, which must be well-formed, and verifies it. The text may begin with a newline.
mgen::Rule ParseGood(const std::string &text);

/// Runs `pass` over the rule of each row; the result must verify and print as the row says.
void ExpectRules(const std::vector<Row> &rows, const std::function<mgen::Rule(mgen::Rule)> &pass);

/// The Plan of a rule whose savers are expanded; its temporaries are forwarded.
mgen::Plan PlanOf(const mgen::Rule &rule);

/// What stands in the text of a plan from "operand" on.
std::string PlanPart(const mgen::Plan &plan);
/// What stands in the text of a plan from "steps" on.
std::string StepsPart(const mgen::Plan &plan);

/// "line:column: severity: text [name]" for each message, then its notes, indented.
std::string PrintAll(const mgen::Diagnostics &diagnostics);

/// `text` without the newline that a raw string begins with.
std::string Trim(const std::string &text);

}  // namespace mgen_test

#endif  // MSHADOW_TESTS_PASSES_IR_TEXT_H_
