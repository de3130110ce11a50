// SPDX-License-Identifier: Apache-2.0
/// \file statement_text.h
/// Statements as people read them in comments of emitted code, printed anew from the syntax tree:
/// nothing of a spec's raw text is ever repeated.
#ifndef MSHADOW_GENERATOR_FRONTEND_STATEMENT_TEXT_H_
#define MSHADOW_GENERATOR_FRONTEND_STATEMENT_TEXT_H_

#include <map>
#include <string>

#include "frontend/clang_compat.h"

namespace mgen {

/// The expression statements of a rule, and what an expression returns, from the template as it was
/// written: names of template parameters are still there.
class StatementTexts {
 public:
  explicit StatementTexts(const clang::FunctionDecl *pattern);

  /// The statement that stands at `range`; "" if there is none.
  std::string Find(clang::SourceRange range) const;

 private:
  void Add(const clang::Stmt *statement);
  std::map<unsigned, const clang::Expr *> statements_;  // by where they begin
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_STATEMENT_TEXT_H_
