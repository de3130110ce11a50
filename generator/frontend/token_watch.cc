// SPDX-License-Identifier: Apache-2.0
#include "frontend/token_watch.h"

namespace mgen {

using clang::tok::TokenKind;

/// A call is one, too; what only groups, or stands around template arguments, is none.
bool TokenWatch::IsOperator(const clang::Token &token) const {
  if (token.is(TokenKind::l_paren)) {
    return previous_ == TokenKind::identifier || previous_ == TokenKind::greater;
  }
  return token.isOneOf(TokenKind::plus, TokenKind::minus, TokenKind::star, TokenKind::slash,
                       TokenKind::percent, TokenKind::amp, TokenKind::pipe, TokenKind::caret,
                       TokenKind::tilde, TokenKind::exclaim, TokenKind::question, TokenKind::ampamp,
                       TokenKind::pipepipe, TokenKind::equalequal, TokenKind::exclaimequal,
                       TokenKind::lessless);
}

void TokenWatch::See(const clang::Token &token) {
  const TokenKind kind = token.getKind();
  if (line_ && kind != TokenKind::eof &&
      sources_.isInMainFile(sources_.getFileLoc(token.getLocation()))) {
    *line_ = static_cast<int>(sources_.getExpansionLineNumber(token.getLocation()));
  }
  if (token.isOneOf(TokenKind::l_paren, TokenKind::l_brace, TokenKind::l_square)) {
    brackets_.push_back(kind);
  } else if (token.isOneOf(TokenKind::r_paren, TokenKind::r_brace, TokenKind::r_square)) {
    if (!brackets_.empty()) brackets_.pop_back();
  }
  const bool in_list = !brackets_.empty() && brackets_.back() == TokenKind::l_brace;
  const bool ends = kind == TokenKind::semi || kind == TokenKind::l_brace ||
                    kind == TokenKind::r_brace || (kind == TokenKind::comma && in_list);
  operators_ = ends ? 0 : operators_ + IsOperator(token);
  previous_ = kind;
  if (refused_ || operators_ <= kMaxOperators) return;
  refused_ = true;
  refuse_(token.getLocation());
}

}  // namespace mgen
