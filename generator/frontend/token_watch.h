// SPDX-License-Identifier: Apache-2.0
/// \file token_watch.h
/// Looks at each token of a parse: refuses expressions that Clang has no stack for, and tells other
/// threads where the parse is.
#ifndef MSHADOW_GENERATOR_FRONTEND_TOKEN_WATCH_H_
#define MSHADOW_GENERATOR_FRONTEND_TOKEN_WATCH_H_

#include <atomic>
#include <functional>
#include <vector>

#include "frontend/clang_compat.h"

namespace mgen {

/// Each operator of an expression is a template around its operands' types: Clang takes time that
/// grows with the square of their number, and then crashes.
class TokenWatch {
 public:
  static constexpr int kMaxOperators = 1000;

  /// \param line gets the line of the spec that is looked at; null: nobody asks
  /// \param refuse is called at an expression of more than kMaxOperators, once
  TokenWatch(const clang::SourceManager &sources, std::atomic<int> *line,
             std::function<void(clang::SourceLocation)> refuse)
      : sources_(sources), line_(line), refuse_(std::move(refuse)) {}

  void See(const clang::Token &token);

 private:
  bool IsOperator(const clang::Token &token) const;

  const clang::SourceManager &sources_;
  std::atomic<int> *line_;
  std::function<void(clang::SourceLocation)> refuse_;
  std::vector<clang::tok::TokenKind> brackets_;  // that are open
  clang::tok::TokenKind previous_ = clang::tok::unknown;
  int operators_ = 0;  // of the expression so far
  bool refused_ = false;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_TOKEN_WATCH_H_
