// SPDX-License-Identifier: Apache-2.0
/// \file diff.h
/// Unified diffs, as `diff -u` writes them.
#ifndef MSHADOW_GENERATOR_DRIVER_DIFF_H_
#define MSHADOW_GENERATOR_DRIVER_DIFF_H_

#include <string>
#include <string_view>
#include <vector>

namespace mgen {

using Lines = std::vector<std::string_view>;
/// Lines with their newline; the last may lack it.
Lines SplitLines(std::string_view text);

/// The unified diff, with three lines of context, that turns `before` into `after`; "" if they are
/// equal. A missing file is diffed as an empty one whose label is /dev/null.
std::string UnifiedDiff(std::string_view before, std::string_view after,
                        const std::string &before_label, const std::string &after_label);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_DIFF_H_
