// SPDX-License-Identifier: Apache-2.0
#include "ir/expr_printer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

constexpr int kLarge = 12;  // nodes; a smaller part is printed wherever it is used

bool IsLeaf(const Node &node) { return ClassOf(node.op) == OpClass::Leaf; }

template <typename T>
std::string Shortest(T value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

}  // namespace

std::string PrintNumber(double value, ScalarKind kind) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = kind != ScalarKind::kFloat64 && static_cast<float>(value) == value
                         ? Shortest(static_cast<float>(value))
                         : Shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string ExprPrinter::TypeName(Type type) const {
  if (!type.symbolic()) return std::string(IrName(type.kind));
  const std::string &param = type_params_.at(type.param);
  return type.promoted ? "promoted<" + param + ">" : param;
}

std::string ExprPrinter::Literal(const Node &literal) const {
  const std::string number = std::visit(
      [&literal](auto v) -> std::string {
        if constexpr (std::is_same_v<decltype(v), bool>) return v ? "true" : "false";
        if constexpr (std::is_same_v<decltype(v), double>) {
          // The kind of a symbolic type is only the first instance's.
          const bool any = literal.type.symbolic();
          return PrintNumber(v, any ? ScalarKind::kFloat64 : literal.type.kind);
        }
        return std::to_string(v);
      },
      literal.value);
  if (literal.type.symbolic()) return "literal<" + TypeName(literal.type) + ">(" + number + ")";
  return literal.type == kBoolType ? number : number + TypeName(literal.type);
}

std::string ExprPrinter::Leaf(const Node &leaf) const {
  if (leaf.op == Op::kLiteral) return Literal(leaf);
  if (leaf.op == Op::kOperand) return "operand(" + std::to_string(leaf.index) + ")";
  if (leaf.op == Op::kAxis) {
    return "axis(" + DimText(leaf.dim) + ")";
  }
  const std::string name = leaf_name_(leaf);
  if (leaf.op == Op::kDim) {
    return leaf.dim == -1 ? "size(" + name + ")" : "dim(" + name + ", " + DimText(leaf.dim) + ")";
  }
  if (leaf.op == Op::kIndex && leaf.dim < 0)
    return "index<" + TypeName(leaf.type) + ">(" + name + ")";
  if (leaf.op == Op::kIndex) {
    return "index<" + TypeName(leaf.type) + ">(" + name + ", " + std::to_string(leaf.dim) + ")";
  }
  if (leaf.op != Op::kRead || leaf.axes.is_every()) return name;
  if (leaf.axes.is_picked()) {
    Node indices;
    indices.op = Op::kRead;
    indices.index = leaf.by;
    return "gather(" + name + ", " + leaf_name_(indices) + ")";
  }
  const int dim = std::max(leaf.axes.only(), leaf.axes.without());
  return std::string(IrName(leaf.axes)) + (dim < 0 ? "" : "<" + std::to_string(dim) + ">") + "(" +
         name + ")";
}

void ExprPrinter::CountUses(const Expr &root) {
  measures_.clear();
  ForEachNode(root, [this](const Expr &node) {
    Measure &measure = measures_[node.get()];
    measure.tree_size = 1;
    for (const Expr &arg : node->args) {
      Measure &operand = measures_[arg.get()];
      ++operand.uses;
      measure.tree_size = std::min(measure.tree_size + operand.tree_size, kLarge);
    }
  });
}

bool ExprPrinter::IsPrinted(const Node &node, std::string *text) const {
  const auto label = labels_.find(&node);
  if (label == labels_.end() || named_.at(label->second).get() != &node) return false;
  *text += "@" + label->second;
  return true;
}

std::string ExprPrinter::Label(const Node &node) {
  if (!node.name.empty() && node.op != Op::kCall) return node.name;
  const Measure &measure = measures_.at(&node);
  if (measure.uses < 2 || measure.tree_size < kLarge) return "";
  return std::to_string(++last_number_);
}

/// "keep 0 by lanes", before it a reducer of the rule's own.
std::string ExprPrinter::KeptText(const Node &reduction) const {
  std::string text = reduction.index < 0 ? "" : leaf_name_(reduction) + " ";
  if (reduction.dim != -1) text += "keep " + DimText(reduction.dim) + " ";
  return text + "by " + std::string(IrName(reduction.order));
}

/// "sum", or "exclusive sum"; the same with a reducer of the rule's own.
std::string ExprPrinter::ScannedText(const Node &scan) const {
  const std::string own = scan.index < 0 ? "" : " " + leaf_name_(scan);
  return (scan.is_exclusive ? "exclusive " : "") + std::string(IrName(scan.reducer)) + own;
}

/// Prints everything before the operands.
void ExprPrinter::Open(const Expr &node, std::string *text) {
  if (const std::string label = Label(*node); !label.empty()) {
    *text += label + "@";
    named_[label] = node;
    labels_[node.get()] = label;
  }
  *text += IrName(node->op);
  if (NamesType(node->op)) *text += "<" + TypeName(node->type) + ">";
  if (ClassOf(node->op) == OpClass::Reduce) *text += "<" + KeptText(*node) + ">";
  if (node->op == Op::kScan) *text += "<" + ScannedText(*node) + ">";
  *text += "(";
  if (node->op == Op::kCall) *text += node->args.empty() ? node->name : node->name + ", ";
}

std::string ExprPrinter::Print(const Expr &root) {
  CountUses(root);
  std::string text;
  std::vector<std::pair<const Node *, size_t>> open;  // nodes whose operands are being printed
  const auto print = [&](const Expr &node) {
    const bool is_index = !open.empty() && open.back().first->op == Op::kRead;
    if (is_index && node->op == Op::kLiteral) {
      text += std::to_string(std::get<int64_t>(node->value));  // every index is an i64
    } else if (IsLeaf(*node)) {
      text += Leaf(*node);
      if (node->args.empty()) return;
      text += "[";
      open.push_back({node.get(), 0});
    } else if (!IsPrinted(*node, &text)) {
      Open(node, &text);
      open.push_back({node.get(), 0});
    }
  };
  print(root);
  while (!open.empty()) {
    auto &[node, next] = open.back();
    if (next == node->args.size()) {
      text += node->op == Op::kRead ? "]" : ")";
      open.pop_back();
      continue;
    }
    if (next > 0) text += ", ";
    print(node->args[next++]);
  }
  return text;
}

}  // namespace mgen
