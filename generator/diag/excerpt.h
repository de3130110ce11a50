// SPDX-License-Identifier: Apache-2.0
/// \file excerpt.h
/// A line of a spec as a terminal may show it, with a caret below.
#ifndef MSHADOW_GENERATOR_DIAG_EXCERPT_H_
#define MSHADOW_GENERATOR_DIAG_EXCERPT_H_

#include <string>
#include <string_view>

namespace mgen {

struct Excerpt {
  std::string text;  ///< safe, UTF-8
  size_t caret;      ///< columns before the caret
  size_t marked;     ///< columns from the caret to the end of what is marked, at least 1
};

/// Of a long line, what stands around the caret.
/// \param begin byte of the caret
/// \param end byte behind what is marked
Excerpt ExcerptOf(std::string_view line, size_t begin, size_t end);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DIAG_EXCERPT_H_
