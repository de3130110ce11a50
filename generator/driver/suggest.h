// SPDX-License-Identifier: Apache-2.0
/// \file suggest.h
/// "did you mean …?" for misspelt commands, flags, kinds and kernels.
#ifndef MSHADOW_GENERATOR_DRIVER_SUGGEST_H_
#define MSHADOW_GENERATOR_DRIVER_SUGGEST_H_

#include <string>
#include <string_view>
#include <vector>

namespace mgen {

/// The candidate nearest to `word` by edit distance, ignoring case; "" if none is so near that
/// `word` could be a misspelling of it.
std::string Nearest(std::string_view word, const std::vector<std::string> &candidates);

/// "; did you mean 'generate'?", or "" if nothing is near.
std::string DidYouMean(std::string_view word, const std::vector<std::string> &candidates);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_SUGGEST_H_
