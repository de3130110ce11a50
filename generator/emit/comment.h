// SPDX-License-Identifier: Apache-2.0
/// \file comment.h
/// Text from a spec on its way into a comment of emitted code.
#ifndef MSHADOW_GENERATOR_EMIT_COMMENT_H_
#define MSHADOW_GENERATOR_EMIT_COMMENT_H_

#include <string>
#include <string_view>
#include <vector>

namespace mgen {

/// One line that is harmless in any comment, and shows what a reader would otherwise not see: no
/// end of comment, no line splice (a backslash at the end, also as a trigraph), no control
/// characters, no invisible or direction-changing characters (written as <U+202E>), only valid
/// UTF-8.
std::string EscapeComment(std::string_view line);

/// "/// " before every line (none of them escaped yet); long ones are wrapped.
std::string DocComment(const std::vector<std::string> &lines);

/// `text`, which is harmless, in lines that begin with `first` or `next` and are at most `width`
/// columns, broken at spaces.
std::string WrapComment(const std::string &text, const std::string &first, const std::string &next,
                        int width);

/// Appends "  " and `comments[i]` to line i of `lines` where it is not empty, all at one column if
/// the lines allow it. Lines may have several rows; the comment comes after the last.
std::string AlignComments(const std::vector<std::string> &lines,
                          const std::vector<std::string> &comments, int width);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_COMMENT_H_
