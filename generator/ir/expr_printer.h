// SPDX-License-Identifier: Apache-2.0
/// \file expr_printer.h
/// Expressions as text; part of ir/printer.h.
#ifndef MSHADOW_GENERATOR_IR_EXPR_PRINTER_H_
#define MSHADOW_GENERATOR_IR_EXPR_PRINTER_H_

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/rule.h"

namespace mgen {

/// Prints the expressions of one rule in order. A subexpression with a name of its own is printed
/// once as `g@cast<f32>(grad)` and then as `@g`, so that DAGs print in linear space. So is a large
/// subexpression that is used twice, with a number as its name.
class ExprPrinter {
 public:
  using LeafName = std::function<std::string(const Node &leaf)>;
  ExprPrinter(std::vector<std::string> type_params, LeafName leaf_name)
      : type_params_(std::move(type_params)), leaf_name_(std::move(leaf_name)) {}

  std::string Print(const Expr &root);
  std::string TypeName(Type type) const;

 private:
  void CountUses(const Expr &root);
  bool IsPrinted(const Node &node, std::string *text) const;
  std::string Label(const Node &node);
  void Open(const Expr &node, std::string *text);
  std::string Leaf(const Node &leaf) const;
  std::string KeptText(const Node &reduction) const;
  std::string ScannedText(const Node &scan) const;
  std::string Literal(const Node &literal) const;

  std::vector<std::string> type_params_;
  LeafName leaf_name_;
  std::map<std::string, Expr> named_;  ///< by label: the node that it stands for now
  std::unordered_map<const Node *, std::string> labels_;
  struct Measure {
    int uses = 0;
    int tree_size = 0;  ///< of the printed tree, up to a limit
  };
  std::unordered_map<const Node *, Measure> measures_;  // of the current root
  int last_number_ = 0;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EXPR_PRINTER_H_
