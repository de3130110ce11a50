// SPDX-License-Identifier: Apache-2.0
#include "diag/excerpt.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace mgen {
namespace {

constexpr size_t kMaxShown = 200;    // bytes of a line
constexpr size_t kBeforeCaret = 80;  // of a longer one
constexpr std::string_view kCut = "...";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

struct Range {
  uint32_t first, last;
};

bool IsIn(uint32_t c, const Range *ranges, size_t count) {
  return std::any_of(ranges, ranges + count,
                     [c](const Range &r) { return c >= r.first && c <= r.last; });
}

/// Control characters, among them those that reorder text, and what is no character.
bool IsUnsafe(uint32_t c) {
  static constexpr Range kRanges[] = {
      {0x0, 0x1f},      {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f}, {0x2028, 0x202e},
      {0x2060, 0x206f}, {0xd800, 0xdfff}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff}};
  return c > 0x10ffff || IsIn(c, kRanges, std::size(kRanges));
}

/// How many columns a terminal gives a character: East Asian ones and pictures have two.
size_t WidthOf(uint32_t c) {
  static constexpr Range kNone[] = {
      {0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
  static constexpr Range kTwo[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                                   {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                                   {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
  if (IsIn(c, kNone, std::size(kNone))) return 0;
  return IsIn(c, kTwo, std::size(kTwo)) ? 2 : 1;
}

struct Character {
  size_t bytes;
  bool is_valid;
  uint32_t code;
};

/// The character at the beginning of `text`; a byte that begins none is one by itself.
Character First(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x80) return {1, true, byte};
  const size_t bytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  if (bytes == 0 || byte > 0xf4 || bytes > text.size()) return {1, false, 0};
  uint32_t code = byte & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) return {1, false, 0};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return code < kLeast[bytes] ? Character{1, false, 0} : Character{bytes, true, code};
}

/// Appends what may be printed of `piece`; tabs become one space, what is unsafe '?'.
/// \returns its width
size_t AppendSafe(std::string_view piece, std::string *text) {
  size_t width = 0;
  while (!piece.empty()) {
    const Character c = First(piece);
    if (c.code == '\t') {
      *text += ' ';
      ++width;
    } else if (!c.is_valid || IsUnsafe(c.code)) {
      *text += '?';
      ++width;
    } else {
      *text += piece.substr(0, c.bytes);
      width += WidthOf(c.code);
    }
    piece.remove_prefix(c.bytes);
  }
  return width;
}

/// The place of the character that byte `at` belongs to.
size_t BeginOfCharacter(std::string_view line, size_t at) {
  for (int i = 0; i < 3 && at > 0 && at < line.size() && IsContinuation(line[at]); ++i) --at;
  return std::min(at, line.size());
}

}  // namespace

Excerpt ExcerptOf(std::string_view line, size_t begin, size_t end) {
  size_t from = 0;
  if (line.size() > kMaxShown && begin > kMaxShown - kBeforeCaret) from = begin - kBeforeCaret;
  from = BeginOfCharacter(line, from);
  const size_t to = BeginOfCharacter(line, std::min(line.size(), from + kMaxShown));
  const size_t caret = BeginOfCharacter(line, std::clamp(begin, from, to));
  Excerpt excerpt{from > 0 ? std::string(kCut) : "", 0, 0};
  excerpt.caret = excerpt.text.size() + AppendSafe(line.substr(from, caret - from), &excerpt.text);
  size_t marked_end = std::clamp(end, caret, to);
  while (marked_end < to && IsContinuation(line[marked_end])) ++marked_end;
  excerpt.marked =
      std::max<size_t>(1, AppendSafe(line.substr(caret, marked_end - caret), &excerpt.text));
  AppendSafe(line.substr(marked_end, to - marked_end), &excerpt.text);
  if (to < line.size()) excerpt.text += kCut;
  return excerpt;
}

}  // namespace mgen
