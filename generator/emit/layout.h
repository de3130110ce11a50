// SPDX-License-Identifier: Apache-2.0
/// \file layout.h
/// Lays out emitted C++ in lines: text with places where a line may end, grouped by what should
/// stay together. After Wadler, "A prettier printer" (2003), with alignment to a column and
/// filling.
///
///     Concat({Text("f("), Align(Fill({Text("a,"), Text("b")})), Text(");")})
#ifndef MSHADOW_GENERATOR_EMIT_LAYOUT_H_
#define MSHADOW_GENERATOR_EMIT_LAYOUT_H_

#include <memory>
#include <string>
#include <vector>

namespace mgen {

/// Columns of an emitted line.
constexpr int kLineWidth = 100;

struct LayoutNode;
/// Immutable, so that parts are shared freely.
using Layout = std::shared_ptr<const LayoutNode>;

struct LayoutNode {
  enum Kind { kText, kLine, kConcat, kGroup, kAlign, kJoin } kind;
  std::string text;           ///< kText
  std::vector<Layout> parts;  ///< the others; all but kConcat have one
};

Layout Text(std::string text);
/// A space, or the end of the line if the group that it stands in does not fit.
Layout Line();
Layout Concat(std::vector<Layout> parts);
/// Its lines are spaces if all of it, and what must follow on the same line, fits.
Layout Group(Layout part);
/// What follows a space, or begins a line: where a whole line would hold it and this one does not.
/// Something longer than a line begins here and ends its lines inside.
Layout Continuation(Layout part);
/// Lines that end inside continue at the column where it began.
Layout Align(Layout part);
/// As many of the parts on each line as fit, a space between two.
Layout Fill(const std::vector<Layout> &parts);

/// The text in lines of at most `width` columns where the layout allows it. Continuation lines are
/// indented with respect to column 0.
std::string Render(const Layout &layout, int width = kLineWidth);

/// `head` + the parts, comma-separated and filled + `tail`: a signature, a call. The parts are
/// aligned behind the head, or if one is too long for that they begin on the next line, four
/// columns in.
std::string RenderList(const std::string &head, const std::vector<std::string> &parts,
                       const std::string &tail, int width = kLineWidth);

/// A function whose body is a line: all in one line, if it is that short.
std::string ShortFunction(const std::string &signature, const std::string &body);

/// Each line `columns` further in.
std::string Indented(const std::string &text, int columns = 2);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_LAYOUT_H_
