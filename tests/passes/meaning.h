// SPDX-License-Identifier: Apache-2.0
/// \file meaning.h
/// What a rule means for one list of element types, as text: equal for rules that compute the same
/// bits, however their conversions are written. Shares no code with the passes.
#ifndef MSHADOW_TESTS_PASSES_MEANING_H_
#define MSHADOW_TESTS_PASSES_MEANING_H_

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/rule.h"

namespace mgen_test {

/// Equal values have equal numbers: of an expression, those of its operands decide. Arithmetic of
/// 16-bit floats is float's, rounded; that of narrow integers is the low bits of int's; conversions
/// of constants are computed, others dropped where the type between loses nothing.
class Meanings {
 public:
  std::string Of(const mgen::Rule &rule, size_t instance);

 private:
  struct Value {
    mgen::Op op;
    mgen::ScalarKind kind;
    mgen::LiteralValue literal = 0.0;
    std::string leaf;  ///< what else tells values apart
    std::vector<int> args;
  };

  std::string Statements(const mgen::Rule &rule, const std::vector<mgen::Statement> &body);
  std::string Param(const mgen::Param &param);
  std::string Expression(const mgen::Expr &root);
  int Number(const mgen::Node &node, std::vector<int> args);
  int Operation(mgen::ScalarKind kind, const mgen::Node &node, std::vector<int> args);
  int Literal(mgen::ScalarKind kind, mgen::LiteralValue value);
  int Cast(mgen::ScalarKind kind, int value);
  int CastLiteral(mgen::ScalarKind kind, int value);
  int CastOperation(mgen::ScalarKind kind, int value);
  bool HasValues(mgen::ScalarKind kind, int value) const;
  int Add(Value value);
  const Value &At(int number) const { return values_[static_cast<size_t>(number)]; }

  std::vector<mgen::ScalarKind> kinds_;  ///< of the instance
  std::vector<Value> values_;
  std::map<std::string, int> numbers_;
};

}  // namespace mgen_test

#endif  // MSHADOW_TESTS_PASSES_MEANING_H_
