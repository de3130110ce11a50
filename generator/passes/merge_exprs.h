// SPDX-License-Identifier: Apache-2.0
/// \file merge_exprs.h
/// Merges the expressions of a rule's instances. Part of `merge_instances`.
#ifndef MSHADOW_GENERATOR_PASSES_MERGE_EXPRS_H_
#define MSHADOW_GENERATOR_PASSES_MERGE_EXPRS_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/rule.h"
#include "passes/narrow_ops.h"
#include "passes/type_table.h"

namespace mgen {

/// Thrown if two instances differ in a way that a single rule cannot express.
struct InstancesDiffer {
  size_t instance;  ///< differs from instance 0
  std::string what;
  SourceLocation here;   ///< in that instance
  SourceLocation there;  ///< in instance 0

  /// Sets the locations that are not known, to those of the surrounding expression or statement.
  void PlaceAt(const SourceLocation &here_around, const SourceLocation &there_around);
};

class ExprMerger {
 public:
  /// `merged` has the parameters and locals of the merged rule, and must outlive this. More of them
  /// may be added between calls.
  ExprMerger(const TypeTable &types, const Rule &merged) : types_(types), merged_(merged) {}

  /// One expression of each instance → the merged one.
  /// \throws InstancesDiffer
  Expr Merge(const std::vector<Expr> &exprs);

  /// Sets the type of kOperand in the expressions of a reducer, which are merged next.
  void set_operand_type(Type type) { operand_type_ = type; }

  /// Casts `expr` to `type`. Both have the same kinds in all instances, so the cast does nothing.
  /// \throws std::invalid_argument if the kinds differ
  Expr AsType(const Expr &expr, Type type) const;

 private:
  /// The same expression in every instance.
  using Tuple = std::vector<Expr>;
  using Key = std::vector<const Node *>;
  struct Frame {
    Key key;  ///< of the expressions as they came
    Tuple exprs;
    Tuple cores;  ///< without the casts on top
    std::vector<Expr> args;
  };

  /// `stack` is left as it was when something differs.
  Expr Merge(const Tuple &exprs, std::vector<Frame> *stack);
  static Key KeyOf(const Tuple &exprs);
  Frame Open(const Tuple &exprs);
  Kinds ComputedIn(const Frame &frame) const;
  bool IsNamed(const Frame &frame) const;
  void Narrow(Frame *frame);
  static Frame Changed(Frame frame, const std::function<Expr(const Expr &)> &change);
  void RequireSame(const Frame &frame) const;
  Expr Constant(const Tuple &exprs);
  Expr Close(const Frame &frame);
  Expr Core(const Frame &frame) const;
  Expr Read(const Frame &frame) const;
  Expr Operation(const Frame &frame) const;
  std::vector<Expr> Unify(const Node &node, std::vector<Expr> args) const;
  Expr WithCasts(const Frame &frame, Expr core) const;
  Type PickType(const Tuple &exprs) const;

  Type reducer_type(int reducer) const { return merged_.reducers[reducer].type; }

  const TypeTable &types_;
  const Rule &merged_;
  Type operand_type_;
  Narrowing narrowing_;
  std::map<Key, Expr> done_;
  std::map<const Node *, bool> is_uniform_;  // by the node of instance 0; operands are known
  std::vector<Tuple> kept_;                  // keeps the keys alive
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_EXPRS_H_
