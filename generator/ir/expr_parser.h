// SPDX-License-Identifier: Apache-2.0
/// \file expr_parser.h
/// Reads expressions; part of ir/parser.h.
#ifndef MSHADOW_GENERATOR_IR_EXPR_PARSER_H_
#define MSHADOW_GENERATOR_IR_EXPR_PARSER_H_

#include <map>
#include <string>
#include <vector>

#include "ir/cursor.h"
#include "ir/rule.h"

namespace mgen {

/// Reads the expressions of one rule in order. Keeps its own stack of open operations.
class ExprParser {
 public:
  explicit ExprParser(const Rule &rule) : rule_(rule) {}

  Expr Parse(Cursor *cursor);
  /// Sets the type of kOperand, for the reducer that is read next.
  void set_operand_type(Type type) { operand_type_ = type; }
  Type ParseType(Cursor *cursor) const;

 private:
  /// An operation whose operands are being read.
  struct Frame {
    Op op = Op::kLiteral;
    Type type;         // kCast, kCall
    std::string name;  // kCall
    int reducer = -1;  // a reduction or scan by a reducer of the rule's own
    int kept = -1;     // a reduction: Node::dim
    Order order = Order::kLanes;
    Op scanned_by = Op::kReduceSum;  // kScan
    bool is_exclusive = false;
    int tensor = -1;    // kRead
    std::string label;  // what stands before '@'
    SourceLocation location;
    std::vector<Expr> args;
  };

  /// Reads a leaf, or opens an operation: then it returns null and `frame` is filled.
  /// \param is_index whether an index of a tensor is expected; a number is then an i64
  Expr LeafOrOpen(Cursor *cursor, bool is_index, Frame *frame);
  void Open(Cursor *cursor, const std::string &word, Frame *frame) const;
  Expr Labelled(Cursor *cursor) const;
  Expr Leaf(Cursor *cursor, const std::string &word, const SourceLocation &here) const;
  Expr NumberLiteral(Cursor *cursor, const std::string &number) const;
  Expr SymbolicLiteral(Cursor *cursor) const;
  Expr Dimension(Cursor *cursor, bool is_size) const;
  Expr Index(Cursor *cursor) const;
  Expr Axis(Cursor *cursor) const;
  Expr Gather(Cursor *cursor) const;
  Expr MappedRead(Cursor *cursor, Axes axes) const;
  Expr Named(const std::string &name) const;
  int TensorNamed(Cursor *cursor) const;
  int ReducerNamed(Cursor *cursor) const;
  void ParseKept(Cursor *cursor, Frame *frame) const;
  void ParseScanned(Cursor *cursor, Frame *frame) const;
  Expr Close(Frame frame);

  const Rule &rule_;
  Type operand_type_;
  std::map<std::string, Expr> labels_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EXPR_PARSER_H_
