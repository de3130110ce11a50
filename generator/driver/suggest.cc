// SPDX-License-Identifier: Apache-2.0
#include "driver/suggest.h"

#include <llvm/ADT/StringRef.h>

namespace mgen {

std::string Nearest(std::string_view word, const std::vector<std::string> &candidates) {
  const std::string lower = llvm::StringRef(word).lower();
  // A third of the letters wrong is still a misspelling; more is another word.
  size_t best = word.size() / 3 + 2;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    const size_t distance =
        llvm::StringRef(lower).edit_distance(llvm::StringRef(candidate).lower());
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
