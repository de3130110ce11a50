// SPDX-License-Identifier: Apache-2.0
/// \file layout.h
/// Breaks emitted C++ into lines. A layout is text with places where a line may end, in groups of
/// what should stay together. After Wadler, "A prettier printer" (2003), with alignment to a column
/// and filling.
///
///     Concat({Text("f("), Align(Fill({Text("a,"), Text("b")})), Text(");")})
#ifndef MSHADOW_GENERATOR_EMIT_LAYOUT_H_
#define MSHADOW_GENERATOR_EMIT_LAYOUT_H_

#include <memory>
#include <string>
#include <vector>

namespace mgen {

/// The columns of an emitted line.
constexpr int kLineWidth = 100;

struct LayoutNode;
/// Immutable, so that layouts share parts.
using Layout = std::shared_ptr<const LayoutNode>;

struct LayoutNode {
  enum Kind { kText, kLine, kConcat, kGroup, kAlign, kJoin } kind;
  std::string text;           ///< of kText
  std::vector<Layout> parts;  ///< of the others; all but kConcat have one
};

Layout Text(std::string text);
/// A space, or the end of a line if the group around it does not fit.
Layout Line();
Layout Concat(std::vector<Layout> parts);
/// A group. If all of it fits, with what must follow on the same line, its lines are spaces.
Layout Group(Layout part);
/// Follows a space, or begins a line if a whole line holds it but this one does not. If it is
/// longer than a line, it begins here and breaks inside.
Layout Continuation(Layout part);
/// Its further lines begin in the column in which it begins.
Layout Align(Layout part);
/// Puts as many parts on each line as fit, with a space between two.
Layout Fill(const std::vector<Layout> &parts);

/// Renders the layout in lines of at most `width` columns, where it allows that. Further lines are
/// indented from column 0.
std::string Render(const Layout &layout, int width = kLineWidth);

/// `head`, the parts, and `tail`: a signature, a call. Parts are separated by commas and fill
/// lines. They are aligned with the end of the head or, if one is too long for that, begin on the
/// next line, indented by four columns.
std::string RenderList(const std::string &head, const std::vector<std::string> &parts,
                       const std::string &tail, int width = kLineWidth);

/// A function whose body is one line. It is one line itself, if that is short enough.
std::string ShortFunction(const std::string &signature, const std::string &body);

/// Indents each line by `columns`.
std::string Indented(const std::string &text, int columns = 2);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_LAYOUT_H_
