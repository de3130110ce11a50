// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.h"

#include <algorithm>
#include <unordered_set>

namespace mgen {
namespace {

using Words = std::unordered_set<std::string_view>;

/// Keywords of C++20 that no kernel needs.
const Words kForbidden = {
    "alignof",      "and",          "and_eq",     "asm",
    "bitand",       "bitor",        "break",      "case",
    "catch",        "char",         "char16_t",   "char32_t",
    "char8_t",      "co_await",     "co_return",  "co_yield",
    "compl",        "concept",      "const_cast", "consteval",
    "constinit",    "continue",     "default",    "delete",
    "dynamic_cast", "enum",         "explicit",
    "export",       "friend",       "goto",       "long",
    "mutable",      "new",          "not",        "not_eq",
    "operator",     "or",           "or_eq",      "private",
    "protected",    "register",     "requires",   "reinterpret_cast",
    "short",        "signed",       "switch",     "this",
    "thread_local", "throw",        "try",        "typedef",
    "typeid",       "union",        "unsigned",   "virtual",
    "volatile",     "wchar_t",      "xor",        "xor_eq",
};
const Words kAllowedKeywords = {
    "alignas",     "auto",   "bool",      "class",    "const",   "constexpr", "do",
    "double",      "else",   "extern",    "false",    "float",   "for",       "if",
    "inline",      "int",    "namespace", "noexcept", "public",  "return",    "sizeof",
    "static",      "struct", "template",  "true",     "nullptr", "typename",  "static_assert",
    "static_cast", "using",  "void",      "while",    "decltype",
};
/// What may stand before a name that is declared.
const Words kTypes = {"auto", "bool", "double", "float", "int", "void"};
/// Functions in lower case that need no `::` before them: conversions.
const Words kConversions = {"int8_t",   "uint8_t", "int16_t",  "uint16_t", "int32_t",
                            "uint32_t", "int64_t", "uint64_t", "index_t",  "xpu"};
/// Names with two underscores that kernels need.
const Words kReserved = {"__global__", "__launch_bounds__"};
const Words kSystemHeaders = {"<math.h>", "<stdint.h>"};

/// Of names that are made of several, each of at most 255 characters.
constexpr size_t kLongestName = 1000;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsKeyword(std::string_view word) { return kAllowedKeywords.count(word) > 0; }

bool TakePrefix(std::string_view *text, std::string_view prefix) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

bool IsMacro(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsUpper(c) || c == '_' || (c >= '0' && c <= '9');
  });
}

/// "fused_r0123abcd": what a spec's rules are in, with the hash of their code.
bool IsFusedNamespace(std::string_view name) {
  return TakePrefix(&name, "fused_r") && name.size() == 8 &&
         name.find_first_not_of("0123456789abcdef") == name.npos;
}

/// "<mshadow/packet/rows.inc>": in a folder of what emitted code uses.
bool IsRuntimeHeader(std::string_view name) {
  if (!TakePrefix(&name, "<mshadow/")) return false;
  if (name == "c_api.h>" || name == "rule_info.h>") return true;
  const bool is_in_folder = TakePrefix(&name, "emitted/") || TakePrefix(&name, "packet/") ||
                            TakePrefix(&name, "cuda/");
  return is_in_folder && name.size() > 1 && name.back() == '>' && name.find("..") == name.npos &&
         std::all_of(name.begin(), name.end() - 1, [](char c) {
           return IsLower(c) || c == '_' || c == '/' || c == '.' || (c >= '0' && c <= '9');
         });
}

/// Goes through a file once.
class Checker {
 public:
  Checker(const Permitted &permitted, Findings *findings)
      : permitted_(permitted), findings_(findings) {}

  void Run(const std::vector<Token> &tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      token_ = &tokens[i];
      after_ = i + 1 < tokens.size() ? tokens[i + 1].text : "";
      after_that_ = i + 2 < tokens.size() ? tokens[i + 2].text : "";
      if (BeginsStatement()) statement_ = token_->text;
      Check();
      before_ = *token_;
    }
    if (!open_.empty()) Report("'" + std::string(1, open_.back()) + "' is not closed");
    if (conditions_ != 0) Report("#if and #endif do not pair");
  }

 private:
  void Report(const std::string &what) {
    findings_->push_back(AtLine(token_ == nullptr ? 1 : token_->line, what));
  }

  /// Whether this token is the first of a statement, after a `const` in front of it.
  bool BeginsStatement() const {
    const bool is_behind = std::string_view(";{}").find(before_.text) != std::string_view::npos;
    const bool is_in_for = before_.text == "(" && !open_.empty() && open_.back() == kFor;
    return is_behind || is_in_for || before_.kind == TokenKind::kDirective || statement_ == "const";
  }

  void Check() {
    switch (token_->kind) {
      case TokenKind::kDirective:
        return Directive(token_->text);
      case TokenKind::kWord:
        return Word(token_->text);
      case TokenKind::kPunctuation:
        return Punctuation(token_->text);
      case TokenKind::kNumber:
      case TokenKind::kString:
        return;
    }
  }

  void Directive(std::string_view text) {
    if (!IsKnownDirective(text)) Report("the directive '" + std::string(text) + "'");
  }

  bool IsKnownDirective(std::string_view text) {
    if (TakePrefix(&text, "#include ")) return MayInclude(text);
    if (TakePrefix(&text, "#ifndef ")) {
      ++conditions_;
      guard_ = text;
      return IsMacro(text);
    }
    if (TakePrefix(&text, "#define ")) return text == guard_ && !text.empty();
    if (TakePrefix(&text, "#if ")) {
      ++conditions_;
      return IsCondition(text);
    }
    if (text == "#endif") return --conditions_ >= 0;
    if (text == "#ifdef MSHADOW_UNFUSED" || text == "#ifdef __cplusplus") return ++conditions_ > 0;
    if (TakePrefix(&text, "#error ")) return text.size() > 1 && text[0] == '"';
    return text == "#else" || text == "#undef MSHADOW_UNFUSED";
  }

  bool MayInclude(std::string_view name) const {
    if (IsRuntimeHeader(name) || kSystemHeaders.count(name)) return true;
    return name.size() > 2 && name.front() == '"' && name.back() == '"' &&
           permitted_.includes.count(name.substr(1, name.size() - 2)) > 0;
  }

  /// MSHADOW_X, or comparisons of such with numbers.
  static bool IsCondition(std::string_view text) {
    return text.substr(0, 8) == "MSHADOW_" && std::all_of(text.begin(), text.end(), [](char c) {
             return IsUpper(c) || c == '_' || (c >= '0' && c <= '9') ||
                    std::string_view(" <>|").find(c) != std::string_view::npos;
           });
  }

  void Punctuation(std::string_view text) {
    constexpr std::string_view kOpen = "({[", kClose = ")}]";
    const char c = text[0];
    if (kOpen.find(c) != kOpen.npos) {
      open_ += before_.text == "for" ? kFor : c;
    } else if (const size_t i = kClose.find(c); i != kClose.npos) {
      const char open = open_.empty() ? ' ' : open_.back() == kFor ? '(' : open_.back();
      if (open != kOpen[i]) return Report("'" + std::string(text) + "' closes nothing");
      open_.pop_back();
      if (c == '}') EndTemplates();
    } else if (c == ';' && !open_.empty() && open_.back() != '{' && open_.back() != kFor) {
      Report("a statement inside of brackets");
    } else if (c == ';') {
      EndTemplates();
    } else if (text == "::" && IsGlobal() && after_ != "mshadow" && !IsFusedNamespace(after_) &&
               !permitted_.globals.count(after_)) {
      Report("'::" + std::string(after_) + "', which is no rule's namespace");
    }
  }

  /// Nothing qualifies what follows this "::".
  bool IsGlobal() const {
    const bool touches = before_.text.data() + before_.text.size() == token_->text.data();
    if (!touches) return true;
    return before_.text != ">" && (before_.kind != TokenKind::kWord || IsKeyword(before_.text));
  }

  void Word(std::string_view word) {
    if (word.size() > kLongestName)
      Report("a name of " + std::to_string(word.size()) + " characters");
    if (word == "this" && before_.text == "*") return;  // the object
    if (kForbidden.count(word)) return Report("the keyword '" + std::string(word) + "'");
    if (IsKeyword(word)) return Keyword(word);
    const bool reserved =
        word.find("__") != word.npos || (word[0] == '_' && word.size() > 1 && IsUpper(word[1]));
    if (reserved && !kReserved.count(word)) Report("the reserved name '" + std::string(word) + "'");
    if (word == "std" && after_ == "::") Report("a name of the standard library");
    if (statement_ == "template" && before_.text == "typename") {
      types_.push_back({open_.size(), word});
    }
    if (after_ == "(" && IsLower(word[0])) Call(word);
  }

  /// Whether a template that this is part of declares `word` as a type.
  bool IsTypeParameter(std::string_view word) const {
    return std::any_of(types_.begin(), types_.end(),
                       [word](const TypeParameter &type) { return type.name == word; });
  }

  /// A declaration ends with the ';' or '}' that stands as deep as its `template`.
  void EndTemplates() {
    while (!types_.empty() && types_.back().depth >= open_.size()) types_.pop_back();
  }

  void Keyword(std::string_view word) {
    const bool is_parameter =
        statement_ == "template" && (before_.text == "<" || before_.text == ",");
    if (word == "int" && !is_parameter && before_.text != "constexpr") {
      Report("an int: indices are index_t");
    } else if (word == "static" && after_ != "constexpr" && after_ != "void" && after_ != "auto" &&
               after_ != "MSHADOW_MAP") {
      Report("a variable that is static");
    } else if (word == "extern" && after_ != "\"C\"") {
      Report("a name from elsewhere: extern");
    } else if (word == "while" && before_.text != "}") {
      Report("a while that ends no do");
    }
  }

  /// A function in lower case is a member, a conversion, also to a type parameter, qualified, or
  /// declared here.
  void Call(std::string_view word) {
    const bool is_name = before_.kind == TokenKind::kWord && !IsKeyword(before_.text);
    const bool begins_with_type = IsUpper(statement_[0]) || statement_ == "mshadow";
    const bool is_typed = begins_with_type && before_.text == ">";
    // __global__ void __launch_bounds__(n) name(const
    const bool is_kernel =
        statement_ == "template" && before_.text == ")" && after_that_ == "const";
    const bool is_declared = is_name || is_typed || is_kernel || kTypes.count(before_.text);
    const bool is_qualified = before_.text == "." || before_.text == "::";
    if (is_declared || is_qualified || kConversions.count(word) || IsTypeParameter(word)) return;
    Report("a call of '" + std::string(word) + "'");
  }

  const Permitted &permitted_;
  Findings *const findings_;
  const Token *token_ = nullptr;
  Token before_{TokenKind::kPunctuation, ";", 0};
  std::string_view after_, after_that_;
  std::string_view statement_ = ";";  ///< its first token but `const`
  std::string_view guard_;
  static constexpr char kFor = 'f';  ///< the bracket of a for, which has statements in it
  std::string open_;                 ///< the brackets that are open, outermost first
  int conditions_ = 0;
  struct TypeParameter {
    size_t depth;  ///< brackets that are open at its template
    std::string_view name;
  };
  std::vector<TypeParameter> types_;  ///< of the templates that this is part of
};

}  // namespace

Findings Verify(std::string_view text, const Permitted &permitted) {
  Findings findings;
  const std::vector<Token> tokens = Tokenize(text, &findings);
  Checker(permitted, &findings).Run(tokens);
  return findings;
}

}  // namespace mgen
