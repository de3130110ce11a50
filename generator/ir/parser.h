// SPDX-License-Identifier: Apache-2.0
/// \file parser.h
/// Reads the text of a rule, as ir/printer.h writes it: for tests and tools. Locations in the rule
/// are positions in the text.
#ifndef MSHADOW_GENERATOR_IR_PARSER_H_
#define MSHADOW_GENERATOR_IR_PARSER_H_

#include <stdexcept>
#include <string>
#include <string_view>

#include "ir/rule.h"

namespace mgen {

/// "file:line:column: what is wrong".
class ParseError : public std::runtime_error {
 public:
  ParseError(const SourceLocation &location, const std::string &message);
  const SourceLocation &location() const { return location_; }

 private:
  SourceLocation location_;
};

/// \throws ParseError if `text` is not one well-formed, well-typed rule.
Rule ParseRule(std::string_view text, const std::string &file = "rule");

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_PARSER_H_
