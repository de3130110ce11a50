// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>

#include "diag/excerpt.h"
#include "diag/printers.h"

namespace mgen {
namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kReset = "\033[0m";
constexpr std::string_view kGreen = "\033[1;32m";

std::string_view ColorOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "\033[1;31m";
    case Severity::kWarning:
      return "\033[1;35m";
    case Severity::kPerformance:
      return "\033[1;33m";
    case Severity::kNote:
      return "\033[1;36m";
  }
  return "";
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

}  // namespace

std::string FormatText(const Diagnostics &diagnostics, bool color) {
  return TextPrinter(diagnostics, color).Print();
}

}  // namespace mgen
