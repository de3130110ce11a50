// SPDX-License-Identifier: Apache-2.0
#include "emit/layout.h"

#include <algorithm>
#include <utility>

namespace mgen {
namespace {

Layout Make(LayoutNode::Kind kind, std::string text, std::vector<Layout> parts) {
  return std::make_shared<const LayoutNode>(LayoutNode{kind, std::move(text), std::move(parts)});
}

struct Item {
  const LayoutNode *node;
  int indent;
  bool flat;  // lines are spaces
};

/// Whether the first node, and what follows it up to the next place where a line may end, take at
/// most `space` columns. `rest` is a stack: its last element comes next.
bool Fits(const LayoutNode *first, bool is_flat, const std::vector<Item> &rest, int space) {
  std::vector<std::pair<const LayoutNode *, bool>> todo = {{first, is_flat}};
  size_t next = rest.size();
  while (space >= 0) {
    if (todo.empty()) {
      if (next == 0) return true;
      --next;
      todo.push_back({rest[next].node, rest[next].flat});
    }
    const auto [node, flat] = todo.back();
    todo.pop_back();
    if (node->kind == LayoutNode::kText) {
      space -= static_cast<int>(node->text.size());
    } else if (node->kind == LayoutNode::kLine || node->kind == LayoutNode::kJoin) {
      if (!flat) return true;
      --space;
    }
    if (node->kind != LayoutNode::kText) {
      for (size_t i = node->parts.size(); i-- > 0;) todo.push_back({node->parts[i].get(), flat});
    }
  }
  return false;
}

}  // namespace

Layout Text(std::string text) { return Make(LayoutNode::kText, std::move(text), {}); }
Layout Line() { return Make(LayoutNode::kLine, "", {}); }
Layout Concat(std::vector<Layout> parts) { return Make(LayoutNode::kConcat, "", std::move(parts)); }
Layout Group(Layout part) { return Make(LayoutNode::kGroup, "", {std::move(part)}); }
Layout Continuation(Layout part) { return Make(LayoutNode::kJoin, "", {std::move(part)}); }
Layout Align(Layout part) { return Make(LayoutNode::kAlign, "", {std::move(part)}); }

Layout Fill(const std::vector<Layout> &parts) {
  std::vector<Layout> filled;
  for (size_t i = 0; i < parts.size(); ++i) {
    filled.push_back(i == 0 ? parts[i] : Group(Concat({Line(), parts[i]})));
  }
  return Concat(std::move(filled));
}

namespace {

class Renderer {
 public:
  explicit Renderer(int width) : width_(width) {}

  std::string Run(const Layout &layout) {
    stack_.push_back({layout.get(), 0, false});
    while (!stack_.empty()) {
      const Item item = stack_.back();
      stack_.pop_back();
      Place(item);
    }
    return out_;
  }

 private:
  void Place(const Item &item) {
    const auto &parts = item.node->parts;
    switch (item.node->kind) {
      case LayoutNode::kText:
        out_ += item.node->text;
        column_ += static_cast<int>(item.node->text.size());
        break;
      case LayoutNode::kLine:
        EndLine(item.flat, item.indent);
        break;
      case LayoutNode::kGroup:
        Push(parts[0], item.indent, item.flat || Fits(item.node, true, stack_, width_ - column_));
        break;
      case LayoutNode::kJoin:
        PlaceJoin(item);
        break;
      case LayoutNode::kAlign:
        Push(parts[0], column_, item.flat);
        break;
      case LayoutNode::kConcat:
        for (size_t i = parts.size(); i-- > 0;) Push(parts[i], item.indent, item.flat);
        break;
    }
  }

  void PlaceJoin(const Item &item) {
    const LayoutNode *part = item.node->parts[0].get();
    const bool flat = item.flat || Fits(part, true, stack_, width_ - column_ - 1);
    const bool begins_here = Fits(part, false, stack_, width_ - column_ - 1) &&
                             !Fits(part, true, stack_, width_ - item.indent);
    EndLine(flat || begins_here, item.indent);
    Push(item.node->parts[0], item.indent, flat);
  }

  void Push(const Layout &layout, int indent, bool flat) {
    stack_.push_back({layout.get(), indent, flat});
  }

  void EndLine(bool flat, int indent) {
    out_ += flat ? " " : "\n" + std::string(indent, ' ');
    column_ = flat ? column_ + 1 : indent;
  }

  const int width_;
  std::string out_;
  int column_ = 0;
  std::vector<Item> stack_;
};

}  // namespace

std::string Render(const Layout &layout, int width) { return Renderer(width).Run(layout); }

std::string RenderList(const std::string &head, const std::vector<std::string> &parts,
                       const std::string &tail, int width) {
  std::vector<Layout> list;
  size_t widest = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const std::string part = parts[i] + (last ? "" : ",");
    widest = std::max(widest, part.size() + (last ? tail.size() : 0));
    list.push_back(Text(part));
  }
  const bool fits = head.size() + widest <= static_cast<size_t>(width);
  const Layout rows = Concat({Text(fits ? head : "    "), Align(Fill(list)), Text(tail)});
  return (fits ? "" : head + "\n") + Render(rows, width);
}

std::string ShortFunction(const std::string &signature, const std::string &body) {
  const std::string line = signature + " { " + body + " }";
  const bool fits = line.size() <= kLineWidth && line.find('\n') == std::string::npos;
  return fits ? line : signature + " {\n  " + body + "\n}";
}

std::string Indented(const std::string &text, int columns) {
  const std::string margin(columns, ' ');
  std::string indented = margin;
  for (const char c : text) {
    indented += c;
    if (c == '\n') indented += margin;
  }
  return indented;
}

}  // namespace mgen
