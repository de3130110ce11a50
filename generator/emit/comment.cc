// SPDX-License-Identifier: Apache-2.0
#include "emit/comment.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/ConvertUTF.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "emit/layout.h"

namespace mgen {
namespace {

struct Range {
  uint32_t first;
  uint32_t last;
};
// Characters that a reader does not see, or that change the order of those that he sees.
constexpr Range kInvisible[] = {
    {0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x115f, 0x1160},   {0x180e, 0x180e},
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
};

bool IsInvisible(uint32_t code) {
  return llvm::any_of(kInvisible, [=](Range r) { return code >= r.first && code <= r.last; });
}

std::string CodePoint(uint32_t code) {
  char text[16];
  std::snprintf(text, sizeof text, "<U+%04X>", static_cast<unsigned>(code));
  return text;
}

void ReplaceAll(std::string *text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size() - 1) {
    text->replace(at, from.size(), to);
  }
}

}  // namespace

std::string EscapeComment(std::string_view line) {
  const llvm::StringRef text = line;
  std::string out;
  for (const llvm::UTF8 *at = text.bytes_begin(); at != text.bytes_end();) {
    const llvm::UTF8 *const begin = at;
    llvm::UTF32 code = 0;
    if (llvm::convertUTF8Sequence(&at, text.bytes_end(), &code, llvm::strictConversion) !=
        llvm::conversionOK) {
      out += '?';
      at = begin + 1;
    } else if (code < 0x20 || code == 0x7f) {
      out += ' ';
    } else if (IsInvisible(code)) {
      out += CodePoint(code);
    } else {
      out.append(begin, at);
    }
  }
  ReplaceAll(&out, "*/", "* /");
  ReplaceAll(&out, "/*", "/ *");
  ReplaceAll(&out, "??", "? ?");
  const size_t last = out.find_last_not_of(" \\");
  out.resize(last == std::string::npos ? 0 : last + 1);
  return out;
}

std::string DocComment(const std::vector<std::string> &lines) {
  std::string out;
  for (const std::string &line : lines) {
    const std::string text = EscapeComment(line);
    out += (out.empty() ? "" : "\n");
    out += text.empty() ? "///" : WrapComment(text, "/// ", "/// ", kLineWidth);
  }
  return out;
}

std::string WrapComment(const std::string &text, const std::string &first, const std::string &next,
                        int width) {
  std::string out;
  std::string line = first;
  bool empty = true;  // nothing on the line but its beginning
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (!empty && static_cast<int>(line.size() + 1 + word.size()) > width) {
      out += line + "\n";
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return out + line;
}

std::string AlignComments(const std::vector<std::string> &lines,
                          const std::vector<std::string> &comments, int width) {
  const auto last_row = [](const std::string &line) {
    const size_t newline = line.find_last_of('\n');
    return line.size() - (newline == std::string::npos ? 0 : newline + 1);
  };
  size_t column = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool fits = last_row(lines[i]) + 2 + comments[i].size() <= static_cast<size_t>(width);
    if (!comments[i].empty() && fits) column = std::max(column, last_row(lines[i]));
  }
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    out += (i == 0 ? "" : "\n") + lines[i];
    if (comments[i].empty()) continue;
    const size_t row = last_row(lines[i]);
    const bool aligned =
        row <= column && column + 2 + comments[i].size() <= static_cast<size_t>(width);
    out += std::string((aligned ? column - row : 0) + 2, ' ') + comments[i];
  }
  return out;
}

}  // namespace mgen
