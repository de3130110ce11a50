// SPDX-License-Identifier: Apache-2.0
#include "emit/numerics.h"

#include <set>

#include "ir/walk.h"

namespace mgen {
namespace {

/// Whether a type is float or double, or a type parameter, which may be one of them.
bool MayBeNative(Type type) {
  return type.symbolic() || type.kind == ScalarKind::kFloat32 || type.kind == ScalarKind::kFloat64;
}

bool IsDivSqrt(const Node &node) {
  return node.op == Op::kDiv && node.args[1]->op == Op::kSqrt && node.args[1]->type == node.type;
}

}  // namespace

std::string NoticeOf(Numerics numerics) {
  switch (numerics) {
    case Numerics::kStrict:
      return "";
    case Numerics::kCorrect:
      return "Numerics: correct. Elementary functions of float are correctly rounded. Unfused "
             "rules "
             "compute them within 1 unit in the last place, and all other operations the same.";
    case Numerics::kContract:
      return "Numerics: contract. A multiplication and an addition may be rounded once, as one "
             "operation. The bound of the error is that of strict; the last bits depend on the "
             "instruction set.";
    case Numerics::kFast:
      return "Numerics: fast. A multiplication and an addition may be rounded once, as one "
             "operation. Divisions, square roots and some elementary functions of float and double "
             "may be approximated, each within " +
             std::to_string(kFastUlps) +
             " units in the last place. The last bits depend on the instruction set.";
  }
  return "";
}

bool HasCorrectForm(const Node &node) {
  if (!MayBeNative(node.type)) return false;
  const OpClass op_class = ClassOf(node.op);
  const bool is_function = op_class == OpClass::Math || op_class == OpClass::FastMath;
  return is_function && node.op != Op::kPowInt && node.op != Op::kLogAddExp;
}

Approximation ApproximationOf(const Node &node, bool divides) {
  if (!MayBeNative(node.type)) return Approximation::kNone;
  switch (node.op) {
    case Op::kDiv:
      return IsDivSqrt(node) ? Approximation::kDivSqrt : Approximation::kDiv;
    case Op::kSqrt:
      return divides ? Approximation::kNone : Approximation::kSqrt;
    case Op::kRsqrt:
      return Approximation::kRsqrt;
    default:
      return ClassOf(node.op) == OpClass::FastMath ? Approximation::kFunction
                                                   : Approximation::kNone;
  }
}

bool HasFastDiv(const Expr &value) {
  bool has = false;
  ForEachNode(value, [&has](const Expr &node) {
    has = has || ApproximationOf(*node, false) == Approximation::kDiv;
  });
  return has;
}

int CountApproximations(const Expr &value, bool divides) {
  std::set<const Node *> parts;  // roots that their quotient is printed with
  int count = 0;
  ForEachNode(value, [&](const Expr &node) {
    if (IsDivSqrt(*node)) parts.insert(node->args[1].get());
  });
  ForEachNode(value, [&](const Expr &node) {
    const bool is_one = ApproximationOf(*node, divides) != Approximation::kNone;
    count += is_one && parts.count(node.get()) == 0;
  });
  return count;
}

}  // namespace mgen
