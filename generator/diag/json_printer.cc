// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <string_view>

#include "diag/printers.h"

namespace mgen {
namespace {

/// \returns the length of the well-formed UTF-8 sequence of two or more bytes that `text` begins
/// with, or 0 (Unicode 15, table 3-7, but for overlong three- and four-byte forms).
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) >= 0xc2 && byte(0) <= 0xdf   ? 2
                        : byte(0) >= 0xe0 && byte(0) <= 0xef ? 3
                        : byte(0) >= 0xf0 && byte(0) <= 0xf4 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

/// Bytes that are not UTF-8 are escaped as Latin-1: a spec may hold anything, JSON may not.
std::string Quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    size_t length = 1;
    if (text[0] == '"' || text[0] == '\\') {
      result += '\\';
      result += text[0];
    } else if (byte >= 0x20 && byte < 0x7f) {
      result += text[0];
    } else if (const size_t sequence = Utf8Length(text)) {
      length = sequence;
      result += text.substr(0, length);
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
      result += escape;
    }
    text.remove_prefix(length);
  }
  return result + '"';
}

std::string Member(std::string_view key, int value) {
  return Quoted(key) + ":" + std::to_string(value);
}

std::string Object(const Diagnostic &d) {
  std::string json = "{\"file\":" + Quoted(d.location.file);
  json += "," + Member("line", d.location.line) + "," + Member("column", d.location.column);
  json += "," + Member("end_column", d.location.end_column);
  json += ",\"severity\":" + Quoted(Name(d.severity));
  json += ",\"id\":" + Quoted("mshadow-" + std::string(Name(d.id)));
  json += ",\"text\":" + Quoted(d.text);
  if (d.severity != Severity::kNote) {
    json += ",\"notes\":[";
    for (size_t i = 0; i < d.notes.size(); ++i) {
      if (i > 0) json += ',';
      json += Object(d.notes[i]);
    }
    json += ']';
  }
  return json + '}';
}

}  // namespace

std::string FormatJson(const Diagnostics &diagnostics) {
  std::string json = "{\"diagnostics\":[";
  for (size_t i = 0; i < diagnostics.all().size(); ++i) {
    if (i > 0) json += ",\n";
    json += Object(diagnostics.all()[i]);
  }
  return json + "]," + Member("errors", diagnostics.error_count()) + "}\n";
}

}  // namespace mgen
