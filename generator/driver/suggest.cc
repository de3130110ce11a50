// SPDX-License-Identifier: Apache-2.0
#include "driver/suggest.h"

#include <algorithm>

namespace mgen {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Cost of writing `b` for `a`, in halves.
int ReplaceCost(char a, char b) { return a == b ? 0 : Lower(a) == Lower(b) ? 1 : 2; }

/// Optimal string alignment distance in halves of an edit.
int Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(2 * (i + j));
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 2, d[i][j - 1] + 2, d[i - 1][j - 1] + ReplaceCost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 2);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string> &candidates) {
  // A third of the letters wrong is still a misspelling; more is another word.
  int best = static_cast<int>(2 * (word.size() / 3 + 1)) + 1;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    const int distance = Distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string> &candidates) {
  const std::string nearest = Nearest(word, candidates);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace mgen
