// SPDX-License-Identifier: Apache-2.0
#include "ir/expr.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mgen {
namespace {

struct OpInfo {
  std::string_view ir_name;
  int arity;
  OpClass op_class;
  std::string_view spelling;
};

constexpr OpInfo kOps[] = {
#define MGEN_OP(id, ir_name, arity, op_class, spelling) \
  {ir_name, arity, OpClass::op_class, spelling},
#include "ir/ops.def"
#undef MGEN_OP
};

const OpInfo &Info(Op op) { return kOps[static_cast<int>(op)]; }

struct OrderInfo {
  std::string_view ir_name;
  bool is_of_row;
  std::string_view tree;
};

constexpr OrderInfo kOrders[] = {
#define MGEN_ORDER(id, ir_name, is_of_row, tree) {ir_name, is_of_row, tree},
#include "ir/orders.def"
#undef MGEN_ORDER
};

const OrderInfo &Info(Order order) { return kOrders[static_cast<int>(order)]; }

/// The first operation whose row `test` accepts.
template <typename Test>
std::optional<Op> FindOp(const Test &test) {
  const auto *const op = std::find_if(std::begin(kOps), std::end(kOps), test);
  return op == std::end(kOps) ? std::nullopt : std::optional(static_cast<Op>(op - kOps));
}

/// Moves the operands of `node` to `to`, unless another owner still needs them.
void TakeOperands(Expr node, std::vector<Expr> *to) {
  if (node.use_count() != 1) return;
  // Nodes are made as non-const objects (builder.cc), and this is the last reference.
  auto &args = const_cast<Node &>(*node).args;
  std::move(args.begin(), args.end(), std::back_inserter(*to));
  args.clear();
}

}  // namespace

std::string_view IrName(Op op) { return Info(op).ir_name; }
std::string_view Spelling(Op op) { return Info(op).spelling; }
int Arity(Op op) { return Info(op).arity; }
OpClass ClassOf(Op op) { return Info(op).op_class; }

bool IsElementary(Op op) {
  return ClassOf(op) == OpClass::Math || ClassOf(op) == OpClass::FastMath;
}

std::optional<Op> ParseOp(std::string_view ir_name) {
  return FindOp([ir_name](const OpInfo &op) {
    return op.ir_name == ir_name && op.op_class != OpClass::Reduce;
  });
}

std::optional<Op> ParseReduction(std::string_view ir_name) {
  return FindOp([ir_name](const OpInfo &op) {
    return op.ir_name == ir_name && op.op_class == OpClass::Reduce;
  });
}

std::optional<Op> BinaryOp(std::string_view spelling) {
  return FindOp([spelling](const OpInfo &op) {
    const bool is_infix = op.op_class == OpClass::Infix || op.op_class == OpClass::Compare;
    return is_infix && op.arity == 2 && op.spelling == spelling;
  });
}

std::string_view IrName(Order order) { return Info(order).ir_name; }
bool IsOfRow(Order order) { return Info(order).is_of_row; }
std::string_view TreeOf(Order order) { return Info(order).tree; }

std::optional<Order> ParseOrder(std::string_view ir_name) {
  for (int i = 0; i < static_cast<int>(std::size(kOrders)); ++i) {
    if (kOrders[i].ir_name == ir_name) return static_cast<Order>(i);
  }
  return std::nullopt;
}

Node::~Node() {
  std::vector<Expr> pending = std::move(args);
  while (!pending.empty()) {
    Expr last = std::move(pending.back());
    pending.pop_back();
    TakeOperands(std::move(last), &pending);
  }
}

}  // namespace mgen
