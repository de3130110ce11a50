// SPDX-License-Identifier: Apache-2.0
#include "ir/cursor.h"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "ir/parser.h"

namespace mgen {
namespace {

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

void Cursor::SkipBlanks() {
  while (At(at_) == ' ') ++at_;
}

bool Cursor::AtEnd() {
  SkipBlanks();
  return at_ == line_.size();
}

SourceLocation Cursor::Here() {
  SkipBlanks();
  return {file_, line_number_, static_cast<int>(at_) + 1, 0};
}

void Cursor::Fail(const std::string &message) { throw ParseError(Here(), message); }

bool Cursor::TryPunctuation(std::string_view text) {
  SkipBlanks();
  if (line_.substr(at_, text.size()) != text) return false;
  at_ += text.size();
  return true;
}

void Cursor::Punctuation(std::string_view text) {
  if (!TryPunctuation(text)) Fail("expected '" + std::string(text) + "'");
}

bool Cursor::TryWord(std::string_view text) {
  SkipBlanks();
  if (line_.substr(at_, text.size()) != text || IsNameCharacter(At(at_ + text.size()))) {
    return false;
  }
  at_ += text.size();
  return true;
}

std::string Cursor::TryIdentifier() {
  SkipBlanks();
  const size_t begin = at_;
  if (IsDigit(At(at_))) return "";
  while (IsNameCharacter(At(at_))) ++at_;
  return std::string(line_.substr(begin, at_ - begin));
}

std::string Cursor::Identifier(std::string_view what) {
  std::string name = TryIdentifier();
  if (name.empty()) Fail("expected " + std::string(what));
  return name;
}

size_t Cursor::DigitsFrom(size_t at) const {
  while (IsDigit(At(at))) ++at;
  return at;
}

std::string Cursor::TryNumber() {
  SkipBlanks();
  size_t end = at_ + (At(at_) == '-' ? 1 : 0);
  if (line_.substr(end, 3) == "inf" || line_.substr(end, 3) == "nan") {
    end += 3;
  } else if (IsDigit(At(end))) {
    end = DigitsFrom(end);
    if (At(end) == '.') end = DigitsFrom(end + 1);
    const size_t exponent = end + (At(end + 1) == '-' || At(end + 1) == '+' ? 2 : 1);
    if (At(end) == 'e' && IsDigit(At(exponent))) end = DigitsFrom(exponent);
  } else {
    return "";
  }
  const std::string text(line_.substr(at_, end - at_));
  at_ = end;
  return text;
}

int Cursor::Integer() {
  const SourceLocation here = Here();
  const std::string text = TryNumber();
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    throw ParseError(here, "expected an integer");
  }
  return value;
}

std::string Cursor::String() {
  Punctuation("\"");
  std::string text;
  while (At(at_) != '"') {
    if (At(at_) == '\\') ++at_;
    if (at_ >= line_.size()) Fail("expected '\"' at the end of the string");
    text += line_[at_++];
  }
  ++at_;
  return text;
}

bool ParseNumber(const std::string &text, ScalarKind kind, LiteralValue *value) {
  const char *begin = text.c_str();
  char *end = nullptr;
  errno = 0;
  switch (CategoryOf(kind)) {
    case Category::kFloat:
      // A decimal of a float is rounded once.
      *value = kind == ScalarKind::kFloat64 ? std::strtod(begin, &end)
                                            : static_cast<double>(std::strtof(begin, &end));
      return end == begin + text.size() && end != begin;
    case Category::kSigned:
      *value = static_cast<int64_t>(std::strtoll(begin, &end, 10));
      break;
    case Category::kUnsigned:
      if (*begin == '-') return false;
      *value = static_cast<uint64_t>(std::strtoull(begin, &end, 10));
      break;
    case Category::kBool:
      *value = text == "true";
      return text == "true" || text == "false";
  }
  return end == begin + text.size() && end != begin && errno != ERANGE;
}

}  // namespace mgen
