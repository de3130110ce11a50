// SPDX-License-Identifier: Apache-2.0
#include "frontend/advice.h"

#include "frontend/clang_compat.h"

namespace mgen {

std::string TextOr(const FrontEnd &front, const clang::Expr *e, const std::string &otherwise) {
  constexpr size_t kShort = 60;
  const clang::SourceRange range = e->getSourceRange();
  if (range.isInvalid() || range.getBegin().isMacroID() || range.getEnd().isMacroID()) {
    return otherwise;
  }
  const llvm::StringRef text =
      clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                  front.ast.getSourceManager(), front.ast.getLangOpts());
  const bool is_short = !text.empty() && text.size() <= kShort && !text.contains('\n');
  return is_short ? text.str() : otherwise;
}

}  // namespace mgen
