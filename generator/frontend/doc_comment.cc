// SPDX-License-Identifier: Apache-2.0
#include "frontend/doc_comment.h"

#include <clang/AST/RawCommentList.h>
#include <llvm/Support/ConvertUTF.h>

#include "frontend/clang_compat.h"

namespace mgen {
namespace {

/// Characters that change how the text around them is shown, or that end a line.
bool IsInvisible(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

void ReplaceAll(std::string *text, const std::string &what, const std::string &with) {
  for (size_t i = text->find(what); i != std::string::npos; i = text->find(what, i + with.size())) {
    text->replace(i, what.size(), with);
  }
}

/// Splits `\param name text` or `@param[in] name text`.
bool SplitParam(llvm::StringRef line, std::string *name, std::string *text) {
  line = line.trim();
  if (!line.consume_front("\\param") && !line.consume_front("@param")) return false;
  if (line.consume_front("[")) line = line.split(']').second;
  line = line.ltrim();
  const auto [first, rest] = line.split(' ');
  *name = first.str();
  *text = rest.trim().str();
  return !name->empty();
}

bool IsCommand(llvm::StringRef line) {
  line = line.trim();
  return compat::StartsWith(line, "\\") || compat::StartsWith(line, "@");
}

}  // namespace

std::string SafeCommentLine(const std::string &line) {
  std::string result;
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(line.data());
  const auto *end = at + line.size();
  while (at != end) {
    llvm::UTF32 code = 0;
    const llvm::UTF8 *begin = at;
    if (llvm::convertUTF8Sequence(&at, end, &code, llvm::strictConversion) != llvm::conversionOK) {
      ++at;
      result += '?';
    } else if (IsInvisible(code)) {
      result += code == '\t' ? ' ' : '?';
    } else {
      result.append(begin, at);
    }
  }
  ReplaceAll(&result, "*/", "* /");
  ReplaceAll(&result, "/*", "/ *");
  ReplaceAll(&result, "?\?/", "? ?/");
  while (!result.empty() && (result.back() == '\\' || result.back() == ' ')) result.pop_back();
  return result;
}

DocComment ReadDocComment(const clang::ASTContext &ast, const clang::Decl *declaration) {
  DocComment doc;
  const clang::RawComment *comment = ast.getRawCommentForDeclNoCache(declaration);
  if (!comment) return doc;
  const std::string formatted =
      comment->getFormattedText(ast.getSourceManager(), ast.getDiagnostics());
  llvm::SmallVector<llvm::StringRef, 16> lines;
  llvm::StringRef(formatted).split(lines, '\n');
  std::string current;  // the parameter whose text goes on
  for (const llvm::StringRef line : lines) {
    doc.lines.push_back(SafeCommentLine(line.rtrim().str()));
    std::string name, text;
    if (SplitParam(doc.lines.back(), &name, &text)) {
      doc.params[name] = text;
      current = name;
    } else if (line.trim().empty() || IsCommand(line)) {
      current.clear();
    } else if (!current.empty()) {
      doc.params[current] += " " + llvm::StringRef(doc.lines.back()).trim().str();
    }
  }
  while (!doc.lines.empty() && doc.lines.back().empty()) doc.lines.pop_back();
  return doc;
}

}  // namespace mgen
