// SPDX-License-Identifier: Apache-2.0
#include "frontend/token_watch.h"

namespace mgen {

using clang::tok::TokenKind;

/// A call is one, too; what only groups, or stands around template arguments, is none.
bool TokenWatch::IsOperator(const clang::Token &token) const {
  switch (token.getKind()) {
    case TokenKind::plus:
    case TokenKind::minus:
    case TokenKind::star:
    case TokenKind::slash:
    case TokenKind::percent:
    case TokenKind::amp:
    case TokenKind::pipe:
    case TokenKind::caret:
    case TokenKind::tilde:
    case TokenKind::exclaim:
    case TokenKind::question:
    case TokenKind::ampamp:
    case TokenKind::pipepipe:
    case TokenKind::equalequal:
    case TokenKind::exclaimequal:
    case TokenKind::lessless:
      return true;
    case TokenKind::l_paren:
      return previous_ == TokenKind::identifier || previous_ == TokenKind::greater;
    default:
      return false;
  }
}

void TokenWatch::See(const clang::Token &token) {
  const TokenKind kind = token.getKind();
  if (line_ && kind != TokenKind::eof &&
      sources_.isInMainFile(sources_.getFileLoc(token.getLocation()))) {
    *line_ = static_cast<int>(sources_.getExpansionLineNumber(token.getLocation()));
  }
  switch (kind) {
    case TokenKind::l_paren:
    case TokenKind::l_brace:
    case TokenKind::l_square:
      brackets_.push_back(kind);
      break;
    case TokenKind::r_paren:
    case TokenKind::r_brace:
    case TokenKind::r_square:
      if (!brackets_.empty()) brackets_.pop_back();
      break;
    default:
      break;
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
