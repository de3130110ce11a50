// SPDX-License-Identifier: Apache-2.0
#include "frontend/names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "frontend/clang_compat.h"
#include "frontend/library_names.h"

namespace mgen {
namespace {

constexpr size_t kMaxName = 64;

struct Keyword {
  std::string_view name;
  std::string_view language;
};

/// Names that C++17 lets a spec use and that emitted code must not: it is compiled as C++20 and
/// CUDA too, and in projects that have Qt's keywords.
constexpr Keyword kKeywords[] = {
    {"char8_t", "C++20"},   {"concept", "C++20"},  {"consteval", "C++20"},
    {"constinit", "C++20"}, {"co_await", "C++20"}, {"co_return", "C++20"},
    {"co_yield", "C++20"},  {"requires", "C++20"}, {"contract_assert", "C++26"},
    {"restrict", "C"},      {"typeof", "C"},       {"typeof_unqual", "C"},
    {"signals", "Qt"},      {"slots", "Qt"},       {"emit", "Qt"},
    {"foreach", "Qt"},      {"threadIdx", "CUDA"}, {"blockIdx", "CUDA"},
    {"blockDim", "CUDA"},   {"gridDim", "CUDA"},   {"warpSize", "CUDA"},
};

bool IsIdentifier(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_');
  });
}

bool HasWord(llvm::StringRef text, llvm::StringRef word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !is_part(text[at - 1]);
    if (begins && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

/// Why `name` is reserved, or "".
std::string WhyReserved(const std::string &name) {
  if (!IsIdentifier(name)) return "a name consists of ASCII letters, digits and '_'";
  if (name.size() > kMaxName)
    return "it is longer than " + std::to_string(kMaxName) + " characters";
  if (name.find("__") != std::string::npos) return "names with '__' are reserved for the compiler";
  if (name[0] == '_') return "names that begin with '_' are reserved for the compiler";
  if (IsLibraryMacro(name)) return "some systems define it as a macro";
  return "";
}

/// A name like this one that may be one, and that the spec does not have yet.
std::string OtherName(const FrontEnd &front, const std::string &name, const char *suffix) {
  std::string base;
  for (const unsigned char c : name) {
    const bool is_allowed = c < 0x80 && (std::isalnum(c) || (c == '_' && !base.empty()));
    if (is_allowed && !(c == '_' && base.back() == '_')) base += static_cast<char>(c);
  }
  base = base.substr(0, kMaxName / 2);
  if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0]))) base = "value";
  base += suffix;
  const clang::SourceManager &sources = front.ast.getSourceManager();
  const llvm::StringRef spec = sources.getBufferData(sources.getMainFileID());
  std::string other = base;
  for (int i = 1; HasWord(spec, other); ++i) other = base + std::to_string(i);
  return other;
}

}  // namespace

void CheckName(FrontEnd &front, const std::string &name, clang::SourceRange range) {
  const SourceLocation location = front.Where(range);
  const auto keyword = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                    [&](const Keyword &k) { return k.name == name; });
  if (keyword != std::end(kKeywords)) {
    front.diagnostics.Report(DiagId::kKeywordName, location, name, keyword->language)
        .Note(DiagId::kRenameNote, location, OtherName(front, name, "_value"));
    throw Rejected();
  }
  const std::string reserved = WhyReserved(name);
  if (reserved.empty()) return;
  front.diagnostics.Report(DiagId::kReservedName, location, name, reserved)
      .Note(DiagId::kRenameNote, location,
            OtherName(front, name, IsLibraryMacro(name) ? "_value" : ""));
  throw Rejected();
}

void CheckDeclaredName(FrontEnd &front, const clang::NamedDecl *decl) {
  const std::string name = decl->getNameAsString();
  const clang::SourceRange range = decl->getLocation();
  CheckName(front, name, range);
  const bool is_global = decl->getDeclContext()->getRedeclContext()->isTranslationUnit();
  const std::string why = llvm::isa<clang::NamespaceDecl>(decl) ? WhyNoNamespace(name, is_global)
                                                                : WhyTaken(name, is_global);
  if (why.empty()) return;
  const SourceLocation location = front.Where(range);
  front.diagnostics.Report(DiagId::kReservedName, location, name, why)
      .Note(DiagId::kRenameNote, location, OtherName(front, name, "_rules"));
  throw Rejected();
}

}  // namespace mgen
