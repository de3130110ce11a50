// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <utility>
#include <variant>

#include "ir/walk.h"

namespace mshadow_test {
namespace {

using mgen::Expr;
using mgen::Node;
using mgen::Op;
using mgen::ScalarKind;

Estimate LiteralOf(ScalarKind kind, const mgen::LiteralValue &value) {
  return std::visit(
      [kind](auto v) {
        if (!mgen::IsFloat(kind)) return ExactInteger(kind, static_cast<int64_t>(v));
        // A literal of a type parameter is rounded to the instance's type.
        return Convert(kind, ExactFloat(ScalarKind::kFloat64, static_cast<double>(v)));
      },
      value);
}

}  // namespace

Program::Program(const Expr &root, const KindOf &kind_of) {
  mgen::ForEachNode(root, [&](const Expr &node) {
    Line line{node, kind_of(node->type), {}};
    for (const Expr &arg : node->args) line.args.push_back(index_.at(arg.get()));
    index_[node.get()] = lines_.size();
    lines_.push_back(std::move(line));
  });
  values_.resize(lines_.size());
}

const Estimate &Program::Run(const LeafValue &leaf_value, int64_t column) {
  column_ = column;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const Line &line = lines_[i];
    args_.clear();
    for (size_t arg : line.args) args_.push_back(values_[arg]);
    values_[i] = RunLine(line, leaf_value);
  }
  return values_.back();
}

Estimate Program::RunLine(const Line &line, const LeafValue &leaf_value) const {
  const Node &node = *line.node;
  if (node.op == Op::kLiteral) return LiteralOf(line.kind, node.value);
  const bool is_leaf = node.args.empty() && node.op != Op::kCall;
  if (is_leaf || node.op == Op::kRead) return leaf_value(node, args_);
  if (node.op == Op::kCast) return Convert(line.kind, args_[0]);
  if (node.op == Op::kAtColumn) {
    const Estimate index = Convert(ScalarKind::kInt64, args_[0]);
    if (index.undecided) return Undecided(ScalarKind::kBool);
    return ExactInteger(ScalarKind::kBool, index.integer == column_ ? 1 : 0);
  }
  if (node.op == Op::kCall) return CallLibm(node.name, line.kind, args_);
  return Apply(node.op, line.kind, args_);
}

}  // namespace mshadow_test
