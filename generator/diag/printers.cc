// SPDX-License-Identifier: Apache-2.0
#include "diag/printers.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/ConvertUTF.h>
#include <llvm/Support/Unicode.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace mgen {
namespace {

using Json = nlohmann::ordered_json;

/// A line of a spec as a terminal may show it, with a caret below.
struct Excerpt {
  std::string text;  ///< safe, UTF-8
  size_t caret;      ///< columns before the caret
  size_t marked;     ///< columns from the caret to the end of what is marked, at least 1
};

constexpr size_t kMaxShown = 200;    // bytes of a line
constexpr size_t kBeforeCaret = 80;  // of a longer one
constexpr llvm::StringRef kCut = "...";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The character at the beginning of `text`; a byte that begins none is one by itself.
llvm::StringRef FirstCharacter(llvm::StringRef text) {
  const llvm::UTF8 *begin = text.bytes_begin();
  const size_t bytes = llvm::getNumBytesForUTF8(*begin);
  const bool is_whole = bytes <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + bytes);
  return text.take_front(is_whole ? bytes : 1);
}

/// Characters that some versions of LLVM would print: ends of lines and of paragraphs, and
/// variation selectors, which nobody sees.
bool IsHidden(llvm::StringRef character) {
  return character == "\u2028" || character == "\u2029" || character.take_front(2) == "\xf3\xa0";
}

/// Appends what may be printed of `piece`; tabs become one space. Control characters, among them
/// those that reorder text, and what is no character become '?'.
/// \returns its width: East Asian characters and pictures have two columns
size_t AppendSafe(llvm::StringRef piece, std::string *text) {
  size_t width = 0;
  while (!piece.empty()) {
    const llvm::StringRef character = FirstCharacter(piece);
    // Below 0: none to print.
    const int columns = IsHidden(character) ? -1 : llvm::sys::unicode::columnWidthUTF8(character);
    *text += columns >= 0 ? character : character == "\t" ? " " : "?";
    width += columns >= 0 ? static_cast<size_t>(columns) : 1;
    piece = piece.drop_front(character.size());
  }
  return width;
}

/// The place of the character that byte `at` belongs to.
size_t BeginOfCharacter(llvm::StringRef line, size_t at) {
  for (int i = 0; i < 3 && at > 0 && at < line.size() && IsContinuation(line[at]); ++i) --at;
  return std::min(at, line.size());
}

/// Of a long line, what stands around the caret.
/// \param begin byte of the caret
/// \param end byte behind what is marked
Excerpt ExcerptOf(llvm::StringRef line, size_t begin, size_t end) {
  size_t from = 0;
  if (line.size() > kMaxShown && begin > kMaxShown - kBeforeCaret) from = begin - kBeforeCaret;
  from = BeginOfCharacter(line, from);
  const size_t to = BeginOfCharacter(line, std::min(line.size(), from + kMaxShown));
  const size_t caret = BeginOfCharacter(line, std::clamp(begin, from, to));
  Excerpt excerpt{from > 0 ? kCut.str() : "", 0, 0};
  excerpt.caret = excerpt.text.size() + AppendSafe(line.substr(from, caret - from), &excerpt.text);
  size_t marked_end = std::clamp(end, caret, to);
  while (marked_end < to && IsContinuation(line[marked_end])) ++marked_end;
  excerpt.marked =
      std::max<size_t>(1, AppendSafe(line.substr(caret, marked_end - caret), &excerpt.text));
  AppendSafe(line.substr(marked_end, to - marked_end), &excerpt.text);
  if (to < line.size()) excerpt.text += kCut;
  return excerpt;
}

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kReset = "\033[0m";
constexpr std::string_view kGreen = "\033[1;32m";

std::string_view ColorOf(Severity severity) {
  // In the order of the severities.
  constexpr std::string_view kColors[] = {"\033[1;36m", "\033[1;33m", "\033[1;35m", "\033[1;31m"};
  return kColors[static_cast<size_t>(severity)];
}

class TextPrinter {
 public:
  TextPrinter(const Diagnostics &diagnostics, bool color)
      : diagnostics_(diagnostics), color_(color) {}

  std::string Print() {
    for (const Diagnostic &diagnostic : diagnostics_.all()) {
      PrintOne(diagnostic);
      for (const Diagnostic &note : diagnostic.notes) PrintOne(note);
    }
    if (diagnostics_.dropped_errors() > 0) {
      text_ += "note: " + std::to_string(diagnostics_.dropped_errors()) +
               " more errors are not shown; --max-errors=0 shows all\n";
    }
    return std::move(text_);
  }

 private:
  void Color(std::string_view escape) {
    if (color_) text_ += escape;
  }

  void PrintOne(const Diagnostic &d) {
    Color(kBold);
    if (!d.location.file.empty()) {
      text_ += d.location.file;
      if (d.location.line > 0) {
        text_ += ':' + std::to_string(d.location.line);
        text_ += ':' + std::to_string(std::max(d.location.column, 1));
      }
      text_ += ": ";
    }
    Color(ColorOf(d.severity));
    text_ += Name(d.severity);
    text_ += ": ";
    Color(kReset);
    text_ += d.text;
    if (d.severity != Severity::kNote) {
      text_ += " [mshadow-";
      text_ += Name(d.id);
      text_ += ']';
    }
    text_ += '\n';
    PrintLine(d.location);
  }

  void PrintLine(const SourceLocation &location) {
    const auto line = diagnostics_.SourceLine(location.file, location.line);
    if (!line || location.column < 1) return;
    const std::string number = std::to_string(location.line);
    const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
    const size_t begin = static_cast<size_t>(location.column) - 1;
    const size_t end = static_cast<size_t>(std::max(location.end_column - 1, location.column));
    const Excerpt shown = ExcerptOf(*line, begin, end);
    text_ += margin + number + " | " + shown.text + '\n';
    if (begin > line->size()) return;
    text_ += std::string(margin.size() + number.size(), ' ') + " | ";
    text_ += std::string(shown.caret, ' ');
    Color(kGreen);
    text_ += '^' + std::string(shown.marked - 1, '~');
    Color(kReset);
    text_ += '\n';
  }

  const Diagnostics &diagnostics_;
  const bool color_;
  std::string text_;
};

/// A spec may hold anything, JSON only UTF-8: bytes that are none become characters of Latin-1.
std::string Utf8(llvm::StringRef text) {
  std::string utf8;
  while (!text.empty()) {
    const llvm::StringRef character = FirstCharacter(text);
    const auto byte = static_cast<unsigned char>(character[0]);
    if (character.size() > 1 || byte < 0x80) {
      utf8 += character;
    } else {
      utf8 += {static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))};
    }
    text = text.drop_front(character.size());
  }
  return utf8;
}

Json ToJson(const Diagnostic &d) {
  Json json = {{"file", Utf8(d.location.file)}, {"line", d.location.line},
               {"column", d.location.column},   {"end_column", d.location.end_column},
               {"severity", Name(d.severity)},  {"id", "mshadow-" + std::string(Name(d.id))},
               {"text", Utf8(d.text)}};
  if (d.severity == Severity::kNote) return json;
  json["notes"] = Json::array();
  for (const Diagnostic &note : d.notes) json["notes"].push_back(ToJson(note));
  return json;
}

}  // namespace

std::string FormatText(const Diagnostics &diagnostics, bool color) {
  return TextPrinter(diagnostics, color).Print();
}

std::string FormatJson(const Diagnostics &diagnostics) {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    text += (text.empty() ? "" : ",\n") + ToJson(diagnostic).dump();
  }
  return "{\"diagnostics\":[" + text + "],\"errors\":" + std::to_string(diagnostics.error_count()) +
         "}\n";
}

}  // namespace mgen
