// SPDX-License-Identifier: Apache-2.0
#include "driver/diff.h"

#include <algorithm>
#include <vector>

namespace mgen {
namespace {

constexpr size_t kContext = 3;

/// One line of the edit script, with the number of lines of either side that precede it.
struct Edit {
  char kind;  ///< ' ', '-' or '+'
  std::string_view line;
  size_t before;
  size_t after;
};

using Frontier = std::vector<long>;

/// The most edits of a diff. If there are more, the diff replaces everything.
constexpr long kMaxEdits = 1000;

/// The greedy forward pass of Myers (1986), "An O(ND) difference algorithm": per edit count d, the
/// furthest x on every diagonal k before edit d, stored at k + d. Empty beyond kMaxEdits.
std::vector<Frontier> Frontiers(const Lines &a, const Lines &b) {
  const long n = static_cast<long>(a.size()), m = static_cast<long>(b.size());
  const long limit = std::min(n + m, kMaxEdits);
  const long offset = limit + 1;
  Frontier v(2 * offset + 1, 0);
  std::vector<Frontier> trace;
  for (long d = 0; d <= limit; ++d) {
    trace.emplace_back(v.begin() + offset - d, v.begin() + offset + d + 1);
    for (long k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && v[k - 1 + offset] < v[k + 1 + offset]);
      long x = down ? v[k + 1 + offset] : v[k - 1 + offset] + 1;
      while (x < n && x - k < m && a[x] == b[x - k]) ++x;
      v[k + offset] = x;
      if (x >= n && x - k >= m) return trace;
    }
  }
  return {};
}

/// The shortest edit script from a to b: the frontiers walked back from the end.
std::vector<Edit> EditScript(const Lines &a, const Lines &b) {
  size_t x = a.size(), y = b.size();  // lines not yet in the script
  std::vector<Edit> edits;
  const auto step = [&](char kind) {
    x -= kind != '+';
    y -= kind != '-';
    edits.push_back({kind, kind == '+' ? b[y] : a[x], x, y});
  };
  const std::vector<Frontier> trace = Frontiers(a, b);
  for (long d = static_cast<long>(trace.size()) - 1; d > 0; --d) {
    const Frontier &v = trace[d];
    const long k = static_cast<long>(x) - static_cast<long>(y);
    const bool down = k == -d || (k != d && v[k - 1 + d] < v[k + 1 + d]);
    const long previous_k = down ? k + 1 : k - 1;
    const long previous_x = v[previous_k + d];
    while (static_cast<long>(x) > previous_x && static_cast<long>(y) > previous_x - previous_k) {
      step(' ');
    }
    step(down ? '+' : '-');
  }
  while (x > 0 && y > 0 && a[x - 1] == b[y - 1]) step(' ');
  while (y > 0) step('+');
  while (x > 0) step('-');
  std::reverse(edits.begin(), edits.end());
  return edits;
}

/// "3,7", or "3" for one line; a range of no lines names the line before it.
std::string Range(size_t first, size_t count) {
  const std::string start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

/// One hunk: edits [begin, end).
std::string Hunk(const std::vector<Edit> &edits, size_t begin, size_t end) {
  size_t removed = 0, added = 0;
  std::string body;
  for (size_t i = begin; i < end; ++i) {
    removed += edits[i].kind != '+';
    added += edits[i].kind != '-';
    body += edits[i].kind;
    body += edits[i].line;
    if (edits[i].line.back() != '\n') body += "\n\\ No newline at end of file\n";
  }
  return "@@ -" + Range(edits[begin].before, removed) + " +" + Range(edits[begin].after, added) +
         " @@\n" + body;
}

}  // namespace

Lines SplitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string UnifiedDiff(std::string_view before, std::string_view after,
                        const std::string &before_label, const std::string &after_label) {
  if (before == after) return "";
  const std::vector<Edit> edits = EditScript(SplitLines(before), SplitLines(after));
  std::string text = "--- " + before_label + "\n+++ " + after_label + "\n";
  const auto changed = [&](size_t i) { return edits[i].kind != ' '; };
  for (size_t i = 0; i < edits.size(); ++i) {
    if (!changed(i)) continue;
    // A hunk runs on while the next change is within two contexts.
    const size_t begin = i < kContext ? 0 : i - kContext;
    size_t last = i;
    for (size_t j = i; j < edits.size() && j <= last + 2 * kContext; ++j) {
      if (changed(j)) last = j;
    }
    text += Hunk(edits, begin, std::min(last + kContext + 1, edits.size()));
    i = last;
  }
  return text;
}

}  // namespace mgen
