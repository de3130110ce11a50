// SPDX-License-Identifier: Apache-2.0
/// \file lexer.h
/// The tokens of an emitted file, by a lexer that takes much less than C++: ASCII outside of
/// comments, `//` comments, no line that continues on the next, no character or raw string
/// literals.
#ifndef MSHADOW_GENERATOR_VERIFY_LEXER_H_
#define MSHADOW_GENERATOR_VERIFY_LEXER_H_

#include <string>
#include <string_view>
#include <vector>

namespace mgen {

enum class TokenKind {
  kWord,
  kNumber,
  kString,
  kPunctuation,  ///< one character, but for "::"
  kDirective,    ///< a whole line from its '#', without its comment
};

struct Token {
  TokenKind kind;
  std::string_view text;
  int line;
};

/// What is wrong with a file: "line 3: a control character".
using Findings = std::vector<std::string>;

std::string AtLine(int line, const std::string &what);

/// The tokens of `text`, into which they point. What is no token goes to `findings` and is left
/// out.
std::vector<Token> Tokenize(std::string_view text, Findings *findings);

/// Whether `text` is nothing but comments, of either form, and white space.
bool IsOnlyComments(std::string_view text);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_VERIFY_LEXER_H_
