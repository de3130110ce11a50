// SPDX-License-Identifier: Apache-2.0
#include "driver/diff.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mgen {
namespace {

constexpr size_t kContext = 3;

/// Lines with their newline; the last may lack it.
std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// One line of the edit script, with the number of lines of either side that precede it.
struct Edit {
  char kind;  ///< ' ', '-' or '+'
  std::string_view line;
  size_t before;
  size_t after;
};

using Lines = std::vector<std::string_view>;
using Frontier = std::vector<long>;

/// More edits than this are no longer read line by line: everything is replaced.
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

/// Collects an edit script from its end.
class Script {
 public:
  Script(const Lines &a, const Lines &b) : a_(a), b_(b), x_(a.size()), y_(b.size()) {}

  void Step(char kind) {
    x_ -= kind != '+';
    y_ -= kind != '-';
    edits_.push_back({kind, kind == '+' ? b_[y_] : a_[x_], x_, y_});
  }
  long x() const { return static_cast<long>(x_); }
  long y() const { return static_cast<long>(y_); }

  std::vector<Edit> Finish() {
    while (x_ > 0 && y_ > 0 && a_[x_ - 1] == b_[y_ - 1]) Step(' ');
    while (y_ > 0) Step('+');
    while (x_ > 0) Step('-');
    std::reverse(edits_.begin(), edits_.end());
    return std::move(edits_);
  }

 private:
  const Lines &a_, &b_;
  size_t x_, y_;  // lines not yet in the script
  std::vector<Edit> edits_;
};

/// The shortest edit script from a to b: the frontiers walked back from the end.
std::vector<Edit> EditScript(const Lines &a, const Lines &b) {
  const std::vector<Frontier> trace = Frontiers(a, b);
  Script script(a, b);
  for (long d = static_cast<long>(trace.size()) - 1; d > 0; --d) {
    const Frontier &v = trace[d];
    const long k = script.x() - script.y();
    const bool down = k == -d || (k != d && v[k - 1 + d] < v[k + 1 + d]);
    const long previous_k = down ? k + 1 : k - 1;
    const long previous_x = v[previous_k + d];
    while (script.x() > previous_x && script.y() > previous_x - previous_k) script.Step(' ');
    script.Step(down ? '+' : '-');
  }
  return script.Finish();
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
