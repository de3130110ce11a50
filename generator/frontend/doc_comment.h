// SPDX-License-Identifier: Apache-2.0
/// \file doc_comment.h
/// Doc comments, made harmless: they are the only text of a spec that emitted code repeats.
#ifndef MSHADOW_GENERATOR_FRONTEND_DOC_COMMENT_H_
#define MSHADOW_GENERATOR_FRONTEND_DOC_COMMENT_H_

#include <map>
#include <string>
#include <vector>

#include "frontend/clang_compat.h"

namespace mgen {

struct DocComment {
  std::vector<std::string> lines;             ///< the whole comment, markers stripped
  std::map<std::string, std::string> params;  ///< by name: the text of `\param name text`
};

DocComment ReadDocComment(const clang::ASTContext &ast, const clang::Decl *declaration);

/// A line that can stand in a `//` or a block comment: no control or bidirectional characters, no
/// `*/`, no trigraph, no backslash at the end.
std::string SafeCommentLine(const std::string &line);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_DOC_COMMENT_H_
