// SPDX-License-Identifier: Apache-2.0
/// \file comment.h
/// Makes comments of emitted code from text of a spec.
#ifndef MSHADOW_GENERATOR_EMIT_COMMENT_H_
#define MSHADOW_GENERATOR_EMIT_COMMENT_H_

#include <string>
#include <string_view>
#include <vector>

namespace mgen {

/// Returns `line` in a form that is harmless in any comment and hides nothing from a reader. It has
/// no end of a comment, no line splice (a backslash at the end, also as a trigraph), no control
/// characters, and only valid UTF-8. Characters that are invisible, or change the direction of
/// text, are written as <U+202E>.
std::string EscapeComment(std::string_view line);

/// Escapes the lines, puts "/// " before each, and wraps long ones.
std::string DocComment(const std::vector<std::string> &lines);

/// Breaks `text`, which is already escaped, at spaces. The lines begin with `first` or `next`, and
/// have at most `width` columns.
std::string WrapComment(const std::string &text, const std::string &first, const std::string &next,
                        int width);

/// Appends "  " and `comments[i]` to line i of `lines` where it is not empty, all at one column if
/// the lines allow it. Lines may have several rows; the comment comes after the last.
std::string AlignComments(const std::vector<std::string> &lines,
                          const std::vector<std::string> &comments, int width);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_COMMENT_H_
