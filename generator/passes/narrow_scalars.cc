// SPDX-License-Identifier: Apache-2.0
#include "passes/narrow_scalars.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "ir/printer.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// The 16-bit kind that `type` is in some instance.
std::optional<ScalarKind> NarrowKind(const Rule &rule, Type type) {
  if (!type.symbolic()) return IsNarrowFloat(type.kind) ? std::optional(type.kind) : std::nullopt;
  for (const std::vector<ScalarKind> &instance : rule.instances) {
    if (IsNarrowFloat(KindIn(type, instance))) return KindIn(type, instance);
  }
  return std::nullopt;
}

bool IsComputed(const Rule &rule, const Expr &scalar) {
  if (scalar->op == Op::kLocal) return IsComputed(rule, rule.prologue[scalar->index].value);
  if (scalar->op == Op::kCast) return IsComputed(rule, scalar->args[0]);
  return ClassOf(scalar->op) != OpClass::Leaf;
}

/// The wide float below the cast, if `cast` rounds a computed float to 16 bits.
const Node *RoundedValue(const Rule &rule, const Node &cast) {
  if (cast.op != Op::kCast) return nullptr;
  const Expr &wide = cast.args[0];
  const bool is_wide_float =
      !wide->type.symbolic() && IsFloat(wide->type.kind) && !IsNarrowFloat(wide->type.kind);
  return is_wide_float && IsComputed(rule, wide) ? wide.get() : nullptr;
}

class Warner {
 public:
  Warner(const Rule &rule, Diagnostics &diagnostics) : rule_(rule), diagnostics_(diagnostics) {}

  void CheckStatement(const Statement &statement) {
    // By node: a tensor that it reads, or -1 for a scalar.
    std::unordered_map<const Node *, int> tensor_of;
    ForEachNode(statement.value, [&](const Expr &node) {
      const bool is_element = node->op == Op::kRead || node->op == Op::kIndex;
      int tensor = is_element ? node->index : -1;
      for (const Expr &arg : node->args) tensor = std::max(tensor, tensor_of.at(arg.get()));
      tensor_of[node.get()] = tensor;
      if (!IsArithmetic(node->op)) return;
      for (int i : {0, 1}) {
        const int other = tensor_of.at(node->args[1 - i].get());
        const bool is_scalar = tensor_of.at(node->args[i].get()) < 0;
        if (is_scalar && other >= 0) CheckMeeting(statement, node->args[i], other);
      }
    });
    const bool is_scalar = tensor_of.at(statement.value.get()) < 0;
    if (statement.saver != Saver::kSave && is_scalar) {
      CheckMeeting(statement, statement.value, statement.target);
    }
  }

 private:
  static bool IsArithmetic(Op op) {
    return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kDiv;
  }

  void CheckMeeting(const Statement &statement, const Expr &scalar, int tensor) {
    const std::optional<ScalarKind> narrow = NarrowKind(rule_, scalar->type);
    if (!narrow) return;
    const Node *wide = RoundedValue(rule_, *scalar);
    if (wide == nullptr) return;
    const std::string what =
        wide->op == Op::kLocal ? "'" + rule_.prologue[wide->index].name + "'" : "expression";
    const char *type = *narrow == ScalarKind::kFloat16 ? "half_t" : "bf16_t";
    const std::string &name = rule_.params[tensor].name;
    const SourceLocation &place = scalar->location.line > 0 ? scalar->location : statement.location;
    diagnostics_.Report(DiagId::kNarrowScalar, place, what, type, name)
        .Note(DiagId::kNarrowScalarNote, place,
              scalar->type.symbolic() ? Print(scalar->type, rule_) : std::string(type), name);
  }

  const Rule &rule_;
  Diagnostics &diagnostics_;
};

}  // namespace

void WarnOfNarrowScalars(const Rule &rule, Diagnostics &diagnostics) {
  Warner warner(rule, diagnostics);
  ForEachStatement(rule, [&warner](const Statement &statement) {
    if (statement.kind == Statement::kAssign) warner.CheckStatement(statement);
  });
}

}  // namespace mgen
