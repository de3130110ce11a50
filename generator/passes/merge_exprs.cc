// SPDX-License-Identifier: Apache-2.0
#include "passes/merge_exprs.h"

#include <algorithm>
#include <stdexcept>

#include "ir/builder.h"
#include "passes/constants.h"
#include "passes/merge_casts.h"
#include "passes/merge_constants.h"
#include "passes/narrow_ops.h"

namespace mgen {
namespace {

std::string Describe(const Node &node) {
  if (node.op == Op::kCall) return "a call of " + node.name;
  switch (node.op) {
    case Op::kLiteral:
      return "a literal";
    case Op::kRead:
      return "a tensor";
    case Op::kParam:
      return "a parameter";
    case Op::kCast:
      return "a conversion";
    case Op::kLocal:
      return "a variable";
    default:
      return std::string(IrName(node.op));
  }
}

bool AreConstants(const std::vector<Expr> &exprs) {
  return std::all_of(exprs.begin(), exprs.end(), IsConstant);
}

bool IsCastOfCast(const Expr &expr) {
  return expr->op == Op::kCast && expr->args[0]->op == Op::kCast;
}
bool IsCastOfBool(const Expr &expr) {
  return expr->op == Op::kCast && expr->args[0]->type == kBoolType;
}

bool IsLogical(Op op) { return op == Op::kAnd || op == Op::kOr || op == Op::kNot; }

}  // namespace

void InstancesDiffer::PlaceAt(const SourceLocation &here_around,
                              const SourceLocation &there_around) {
  if (here.line == 0) here = here_around;
  if (there.line == 0) there = there_around;
}

ExprMerger::Key ExprMerger::KeyOf(const Tuple &exprs) {
  Key key;
  for (const Expr &expr : exprs) key.push_back(expr.get());
  return key;
}

ExprMerger::Frame ExprMerger::Open(const Tuple &exprs) {
  Frame frame;
  frame.key = KeyOf(exprs);
  frame.exprs = exprs;
  for (const Expr &expr : exprs) frame.cores.push_back(CoreOf(expr));
  RequireSame(frame);
  const bool is_operation = ClassOf(frame.cores[0]->op) != OpClass::Leaf;
  if (!is_operation) return frame;
  if (!IsNamed(frame)) Narrow(&frame);
  return frame;
}

/// The kinds in which an operation is computed: its result's, or its operands' if that is bool.
Kinds ExprMerger::ComputedIn(const Frame &frame) const {
  Kinds kinds;
  for (const Expr &core : frame.cores) {
    const bool has_operands = core->type == kBoolType && !core->args.empty();
    kinds.push_back(has_operands ? core->args[0]->type.kind : core->type.kind);
  }
  return kinds;
}

/// Whether the type that an operation is computed in is one that the rule names.
bool ExprMerger::IsNamed(const Frame &frame) const {
  const std::vector<Type> candidates = types_.Candidates(ComputedIn(frame));
  return !candidates.empty() && !candidates.front().promoted;
}

/// The rule names no type that is f32 for 16-bit instances and f64 for another, or i32 for int8_t
/// and f16 for half_t. If an operation is computed in such a type, it is computed in the operands'
/// own type instead if that gives the same and has a name, or else in that type's promoted type.
void ExprMerger::Narrow(Frame *frame) {
  const auto in_narrow_type = [this](const Expr &expr) { return narrowing_(expr); };
  const auto in_wide_type = [this](const Expr &expr) { return narrowing_.Widened(expr); };
  const Frame narrow = Changed(*frame, in_narrow_type);
  if (IsNamed(narrow)) {
    *frame = narrow;
  } else if (types_.Candidates(ComputedIn(*frame)).empty()) {
    *frame = Changed(*frame, in_wide_type);
  }
  kept_.push_back(frame->exprs);
}

/// The frame in which each value below the outer casts is replaced by its other form, if `change`
/// has one.
ExprMerger::Frame ExprMerger::Changed(Frame frame,
                                      const std::function<Expr(const Expr &)> &change) {
  for (size_t i = 0; i < frame.exprs.size(); ++i) {
    std::vector<Type> casts;
    Expr expr = frame.exprs[i];
    for (; IsCastOfCast(expr) || IsCastOfBool(expr); expr = expr->args[0]) {
      casts.push_back(expr->type);
    }
    const Expr core = change(expr);
    if (core == nullptr) continue;
    frame.cores[i] = core;
    frame.exprs[i] = core;
    for (; !casts.empty(); casts.pop_back()) {
      frame.exprs[i] = MakeCast(casts.back(), frame.exprs[i]);
    }
  }
  return frame;
}

void ExprMerger::RequireSame(const Frame &frame) const {
  const Node &first = *frame.cores[0];
  for (size_t i = 1; i < frame.cores.size(); ++i) {
    const Node &other = *frame.cores[i];
    std::string what;
    if (first.op != other.op) {
      what = Describe(other) + " takes the place of " + Describe(first);
    } else if (first.args.size() != other.args.size() || first.index != other.index ||
               first.dim != other.dim || first.order != other.order ||
               first.reducer != other.reducer || first.is_exclusive != other.is_exclusive ||
               (first.op == Op::kCall && first.name != other.name)) {
      what = Describe(first) + " is another one";
    }
    if (!what.empty()) throw InstancesDiffer{i, what, other.location, first.location};
  }
}

Expr ExprMerger::Merge(const std::vector<Expr> &exprs) {
  kept_.push_back(exprs);
  if (AreConstants(exprs)) return Constant(exprs);
  std::vector<Frame> open;
  try {
    return Merge(exprs, &open);
  } catch (InstancesDiffer &differ) {
    for (auto frame = open.rbegin(); frame != open.rend(); ++frame) {
      differ.PlaceAt(frame->exprs[differ.instance]->location, frame->exprs[0]->location);
    }
    throw;
  }
}

Expr ExprMerger::Merge(const Tuple &exprs, std::vector<Frame> *stack) {
  std::vector<Frame> &open = *stack;
  open.push_back(Open(exprs));
  while (true) {
    Frame &frame = open.back();
    const size_t next = frame.args.size();
    if (next < frame.cores[0]->args.size()) {
      Tuple operands;
      for (const Expr &core : frame.cores) operands.push_back(core->args[next]);
      const auto known = done_.find(KeyOf(operands));
      if (known != done_.end()) {
        frame.args.push_back(known->second);
      } else if (AreConstants(operands)) {
        frame.args.push_back(Constant(operands));
      } else {
        open.push_back(Open(operands));
      }
      continue;
    }
    const Key key = frame.key;
    Expr merged = Close(frame);
    done_[key] = merged;
    open.pop_back();
    if (open.empty()) return merged;
    open.back().args.push_back(std::move(merged));
  }
}

Expr ExprMerger::Constant(const Tuple &exprs) {
  const Expr merged = MergeConstants(types_, exprs);
  if (merged == nullptr) {
    PickType(exprs);
    throw InstancesDiffer{exprs.size() - 1, "a constant has another value", exprs.back()->location,
                          exprs[0]->location};
  }
  is_uniform_[exprs[0].get()] = true;
  return done_[KeyOf(exprs)] = WithLocation(merged, exprs[0]->location);
}

Expr ExprMerger::Close(const Frame &frame) {
  bool is_uniform = frame.cores[0]->op != Op::kRead && frame.cores[0]->op != Op::kOperand;
  for (const Expr &arg : frame.cores[0]->args) {
    is_uniform = is_uniform && is_uniform_.at(arg.get());
  }
  is_uniform_[frame.key[0]] = is_uniform;
  Expr core = Core(frame);
  core = WithLocation(WithName(core, frame.cores[0]->name), frame.cores[0]->location);
  Expr merged = WithCasts(frame, core);
  if (merged == core) return core;
  return WithLocation(WithName(merged, frame.exprs[0]->name), frame.exprs[0]->location);
}

/// The type of values that are `exprs` in the instances, the concrete one where there is a choice.
/// \throws InstancesDiffer if the rule names none
Type ExprMerger::PickType(const Tuple &exprs) const {
  Kinds kinds;
  for (const Expr &expr : exprs) kinds.push_back(expr->type.kind);
  const std::vector<Type> types = types_.Candidates(kinds);
  if (!types.empty()) return types.back();
  const auto other = std::find_if(exprs.begin(), exprs.end(), [&exprs](const Expr &expr) {
    return expr->type.kind != exprs[0]->type.kind;
  });
  throw InstancesDiffer{static_cast<size_t>(other - exprs.begin()),
                        Describe(*exprs[0]) + " has type " +
                            std::string(CppName((*other)->type.kind)) + ", in the other instance " +
                            std::string(CppName(exprs[0]->type.kind)),
                        (*other)->location, exprs[0]->location};
}

Expr ExprMerger::Core(const Frame &frame) const {
  const Node &node = *frame.cores[0];
  switch (node.op) {
    case Op::kRead:
      return Read(frame);
    case Op::kAxis:
      return MakeAxis(node.dim);
    case Op::kOperand:
      return MakeOperand(node.index, operand_type_);
    case Op::kIndex:
      return MakeIndex(PickType(frame.cores), node.index, node.dim);
    case Op::kParam:
      return MakeParam(node.index, merged_.params[node.index].type);
    case Op::kLocal:
      return MakeLocal(node.index, merged_.prologue[node.index].type);
    case Op::kDim:
      return MakeDim(node.index, node.dim);
    default:
      return Operation(frame);
  }
}

Expr ExprMerger::Read(const Frame &frame) const {
  const int tensor = frame.cores[0]->index;
  std::vector<Expr> indices;
  for (const Expr &index : frame.args) indices.push_back(AsType(index, kIndexType));
  return MakeRead(tensor, merged_.params[tensor].type, std::move(indices));
}

Expr ExprMerger::Operation(const Frame &frame) const {
  const Node &node = *frame.cores[0];
  if (node.op == Op::kCall) return MakeCall(node.name, PickType(frame.cores), frame.args);
  const Tuple &cores = frame.cores;
  if (node.op == Op::kBitCast) return MakeBitCast(PickType(cores), frame.args[0]);
  if (node.op == Op::kRoundStochastic) {
    return MakeRoundStochastic(PickType(cores), AsType(frame.args[0], kFloatType),
                               AsType(frame.args[1], kFloatType));
  }
  try {
    if (ClassOf(node.op) == OpClass::Reduce) {
      const bool is_own = node.index >= 0;
      const Expr term = is_own ? AsType(frame.args[0], reducer_type(node.index)) : frame.args[0];
      return MakeReduction(node.op, node.dim, node.order, term, node.index);
    }
    if (node.op == Op::kScan) {
      const bool is_own = node.index >= 0;
      const Expr term = is_own ? AsType(frame.args[0], reducer_type(node.index)) : frame.args[0];
      return MakeScan(node.reducer, node.is_exclusive, term, node.index);
    }
    return MakeOp(node.op, Unify(node, frame.args));
  } catch (const std::invalid_argument &error) {
    throw InstancesDiffer{cores.size() - 1, error.what(), cores.back()->location, node.location};
  }
}

/// Gives the operands one type. They already have the same kinds in all instances. Only the names
/// of their types may differ, such as `float` and DType.
std::vector<Expr> ExprMerger::Unify(const Node &node, std::vector<Expr> args) const {
  const Op op = node.op;
  if (IsLogical(op) || op == Op::kSelect) args[0] = AsType(args[0], kBoolType);
  if (IsLogical(op) && args.size() == 2) args[1] = AsType(args[1], kBoolType);
  if (op == Op::kPowInt) args[1] = AsType(args[1], kIntType);
  if (args.size() < 2 || op == Op::kPowInt) return args;
  Expr &a = args[args.size() - 2];
  Expr &b = args[args.size() - 1];
  if (a->type == b->type) return args;
  // A uniform value takes the type of one that is not. Of two tensors, the one with the type
  // parameter takes the concrete type.
  const bool a_is_uniform = is_uniform_.at(node.args[args.size() - 2].get());
  const bool b_is_uniform = is_uniform_.at(node.args[args.size() - 1].get());
  const bool a_follows =
      a_is_uniform != b_is_uniform ? a_is_uniform : a->type.symbolic() || !b->type.symbolic();
  if (a_follows) {
    a = AsType(a, b->type);
  } else {
    b = AsType(b, a->type);
  }
  return args;
}

Expr ExprMerger::AsType(const Expr &expr, Type type) const {
  if (expr->type == type) return expr;
  if (types_.KindsOf(expr->type) != types_.KindsOf(type)) {
    throw std::invalid_argument("operands are of types that differ");
  }
  if (expr->op == Op::kLiteral) return WithLocation(MakeLiteral(type, expr->value), expr->location);
  if (expr->op == Op::kIndex) {
    return WithLocation(MakeIndex(type, expr->index, expr->dim), expr->location);
  }
  return WithLocation(MakeCast(type, expr), expr->location);
}

Expr ExprMerger::WithCasts(const Frame &frame, Expr core) const {
  const auto casts = FindCasts(types_, frame.exprs, core->type, is_uniform_.at(frame.key[0]));
  if (!casts) {
    PickType(frame.cores);
    PickType(frame.exprs);
    throw InstancesDiffer{frame.exprs.size() - 1, "conversions differ",
                          frame.exprs.back()->location, frame.exprs[0]->location};
  }
  for (Type type : *casts) core = MakeCast(type, core);
  return core;
}

}  // namespace mgen
