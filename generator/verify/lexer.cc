// SPDX-License-Identifier: Apache-2.0
#include "verify/lexer.h"

#include <algorithm>
#include <cstddef>

namespace mgen {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c); }
bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// UTF-8 of characters that are not seen, or that change the order of what is: the marks and
/// embeddings of bidirectional text, separators, zero widths.
bool IsHidden(std::string_view three) {
  if (three.substr(0, 2) == "\xd8\x9c" || three == "\xef\xbb\xbf") return true;
  if (three.size() < 3 || three[0] != '\xe2') return false;
  const auto last = static_cast<unsigned char>(three[2]);
  if (three[1] == '\x80') return (last >= 0x8b && last <= 0x8f) || (last >= 0xa8 && last <= 0xae);
  return three[1] == '\x81' && last >= 0xa0 && last <= 0xaf;
}

class Lexer {
 public:
  Lexer(std::string_view text, Findings *findings) : text_(text), findings_(findings) {
    tokens_.reserve(text.size() / 4);
  }

  std::vector<Token> Run() {
    while (at_ < text_.size()) {
      const size_t end = std::min(text_.find('\n', at_), text_.size());
      Line(text_.substr(at_, end - at_));
      at_ = end + 1;
      ++line_;
    }
    return std::move(tokens_);
  }

 private:
  void Report(const std::string &what) { findings_->push_back(AtLine(line_, what)); }
  void Add(TokenKind kind, std::string_view text) { tokens_.push_back({kind, text, line_}); }

  void Line(std::string_view line) {
    CheckBytes(line);
    const size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) return;
    line.remove_prefix(begin);
    if (line[0] == '#') return Directive(line);
    while (!line.empty()) line.remove_prefix(Next(line));
  }

  /// What may stand in no line, not even in a comment.
  void CheckBytes(std::string_view line) {
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return Report("a control character");
      if (c == '?' && line.substr(i, 2) == "??") return Report("two question marks");
      if (!IsAscii(c) && IsHidden(line.substr(i, 3))) return Report("a character that is not seen");
    }
    if (!line.empty() && line.back() == '\\') Report("the line continues on the next");
  }

  void Comment(std::string_view comment) {
    for (const char *mark : {"/*", "*/"}) {
      if (comment.find(mark) != comment.npos) Report(std::string("'") + mark + "' in a comment");
    }
  }

  void Directive(std::string_view line) {
    size_t end = 0;
    while (end < line.size() && line.substr(end, 2) != "//") {
      end += line[end] == '"' ? StringLength(line.substr(end)) : 1;
    }
    end = std::min(end, line.size());
    Comment(line.substr(end));
    const std::string_view directive = line.substr(0, line.find_last_not_of(' ', end - 1) + 1);
    if (!std::all_of(directive.begin(), directive.end(), IsAscii)) {
      Report("a directive that is not ASCII");
    }
    Add(TokenKind::kDirective, directive);
  }

  /// The length of the token, or whatever it is, that `line` begins with.
  size_t Next(std::string_view line) {
    const char c = line[0];
    if (c == ' ') return 1;
    if (line.substr(0, 2) == "//") {
      Comment(line.substr(2));
      return line.size();
    }
    size_t length = 1;
    if (IsLetter(c)) {
      while (length < line.size() && IsWordCharacter(line[length])) ++length;
      Add(TokenKind::kWord, line.substr(0, length));
    } else if (IsDigit(c)) {
      length = NumberLength(line);
      Add(TokenKind::kNumber, line.substr(0, length));
    } else if (c == '"') {
      length = String(line);
    } else if (std::string_view("+-*/%=<>!&|^~?:;,.(){}[]").find(c) != std::string_view::npos) {
      length = line.substr(0, 2) == "::" ? 2 : 1;
      Add(TokenKind::kPunctuation, line.substr(0, length));
      if (line.substr(0, 2) == "/*") Report("a comment that begins with '/*'");
      if (line.substr(0, 2) == "*/") Report("'*/' that ends no comment");
    } else {
      Report(std::string("the character '") + c + "'");
    }
    return length;
  }

  /// 12, 1.5, 1e-8, with f or u.
  size_t NumberLength(std::string_view line) {
    const auto digits = [&](size_t i) {
      while (i < line.size() && IsDigit(line[i])) ++i;
      return i;
    };
    size_t end = digits(0);
    if (end < line.size() && line[end] == '.') end = digits(end + 1);
    if (end < line.size() && line[end] == 'e') {
      end += line.substr(end + 1, 1) == "-" ? 2 : 1;
      end = digits(end);
    }
    if (end < line.size() && (line[end] == 'f' || line[end] == 'u')) ++end;
    if (end < line.size() && (IsWordCharacter(line[end]) || line[end] == '.')) {
      Report("a number of an unknown form");
    }
    return end;
  }

  /// With both quotes; to the end of the line if the second is missing.
  static size_t StringLength(std::string_view line) {
    for (size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == '"') {
        return i + 1;
      }
    }
    return line.size();
  }

  size_t String(std::string_view line) {
    const size_t length = StringLength(line);
    const std::string_view text = line.substr(0, length);
    if (length < 2 || text.back() != '"') Report("a string without an end");
    for (size_t i = 1; i + 1 < length; ++i) {
      if (!IsAscii(text[i])) Report("a string that is not ASCII");
      if (text[i] != '\\') continue;
      ++i;
      if (text[i] != '"' && text[i] != '\\') Report("an escape in a string");
    }
    const bool glued = !tokens_.empty() && tokens_.back().kind == TokenKind::kWord &&
                       tokens_.back().text.data() + tokens_.back().text.size() == line.data();
    if (glued) Report("a string with a prefix");
    Add(TokenKind::kString, text);
    return length;
  }

  const std::string_view text_;
  Findings *const findings_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::string AtLine(int line, const std::string &what) {
  return "line " + std::to_string(line) + ": " + what;
}

std::vector<Token> Tokenize(std::string_view text, Findings *findings) {
  return Lexer(text, findings).Run();
}

bool IsOnlyComments(std::string_view text) {
  while (true) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return true;
    text.remove_prefix(begin);
    const bool line = text.substr(0, 2) == "//";
    if (!line && text.substr(0, 2) != "/*") return false;
    const size_t end = line ? text.find('\n') : text.find("*/", 2);
    if (end == text.npos) return line;
    if (line && text[end - 1] == '\\') return false;  // the next line would belong to it
    text.remove_prefix(end + (line ? 1 : 2));
  }
}

}  // namespace mgen
