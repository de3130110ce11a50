// SPDX-License-Identifier: Apache-2.0
/// \file cursor.h
/// A position in one line of IR text; part of ir/parser.h.
#ifndef MSHADOW_GENERATOR_IR_CURSOR_H_
#define MSHADOW_GENERATOR_IR_CURSOR_H_

#include <string>
#include <string_view>

#include "ir/expr.h"

namespace mgen {

/// Reads tokens from left to right. Every function skips blanks first; those that do not begin with
/// Try throw ParseError if the token is not there.
class Cursor {
 public:
  Cursor(std::string_view line, const std::string &file, int line_number)
      : line_(line), file_(file), line_number_(line_number) {}

  bool AtEnd();
  SourceLocation Here();
  [[noreturn]] void Fail(const std::string &message);

  /// Whether the next token begins with `c`.
  bool NextIs(char c) {
    SkipBlanks();
    return At(at_) == c;
  }
  bool TryPunctuation(std::string_view text);
  void Punctuation(std::string_view text);
  /// Takes the word `text`, not a longer one that begins like it.
  bool TryWord(std::string_view text);
  /// A name or word of letters, digits and underscores; "" if there is none.
  std::string TryIdentifier();
  std::string Identifier(std::string_view what);
  int Integer();
  /// The characters of a number, "inf" and "nan" included, without a type; "" if there is none.
  std::string TryNumber();
  /// A string in quotes.
  std::string String();

 private:
  void SkipBlanks();
  size_t DigitsFrom(size_t at) const;
  char At(size_t at) const { return at < line_.size() ? line_[at] : '\0'; }

  std::string_view line_;
  std::string file_;
  int line_number_;
  size_t at_ = 0;
};

/// `text` as a value of `kind`. \returns false if it is not a number of that kind.
bool ParseNumber(const std::string &text, ScalarKind kind, LiteralValue *value);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_CURSOR_H_
