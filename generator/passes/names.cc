// SPDX-License-Identifier: Apache-2.0
#include "passes/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "ir/made_name.h"

namespace mgen {
namespace {

constexpr size_t kMaxLength = 40;
constexpr int kMaxDepth = 4;  // a deeper expression has no name that helps

/// The words in the name of an operation, between and after the names of its operands.
struct Words {
  Op op;
  std::string_view between;
  std::string_view against_zero;  ///< after that of the first operand, if the other one is 0
  std::string_view after;         ///< after that of its only operand
};

constexpr Words kWords[] = {
    {Op::kAdd, "_plus_", "", ""},
    {Op::kSub, "_minus_", "", ""},
    {Op::kMul, "_times_", "", ""},
    {Op::kDiv, "_over_", "", ""},
    {Op::kRem, "_mod_", "", ""},
    {Op::kLt, "_below_", "_is_negative", ""},
    {Op::kLe, "_at_most_", "_is_not_positive", ""},
    {Op::kGt, "_above_", "_is_positive", ""},
    {Op::kGe, "_at_least_", "_is_not_negative", ""},
    {Op::kEq, "_equals_", "_is_zero", ""},
    {Op::kNe, "_is_not_", "_is_not_zero", ""},
    {Op::kAnd, "_and_", "", ""},
    {Op::kOr, "_or_", "", ""},
    {Op::kIsNan, "", "", "_is_nan"},
    {Op::kIsInf, "", "", "_is_inf"},
    {Op::kIsFinite, "", "", "_is_finite"},
};

Words WordsOf(Op op) {
  for (const Words &words : kWords) {
    if (words.op == op) return words;
  }
  return {op, "", "", ""};
}

std::string_view Before(Op op) {
  if (op == Op::kNeg) return "minus";
  if (op == Op::kNot) return "not";
  return IsFunction(ClassOf(op)) ? IrName(op) : std::string_view();
}

std::string LiteralName(const Node &literal) {
  static constexpr std::array<std::string_view, 11> kNumbers = {
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, literal.value);
  if (value == 0.5) return "half";
  if (!(value >= 0 && value <= 10 && value == std::floor(value))) return "";
  return std::string(kNumbers[static_cast<size_t>(value)]);
}

bool IsZero(const Expr &expr) {
  return expr->op == Op::kLiteral &&
         std::visit([](auto v) { return v == decltype(v)(0); }, expr->value);
}

std::string Derive(const Expr &expr, const LeafName &leaf_name, int depth);

std::string DeriveFromOp(const Node &node, const LeafName &leaf_name, int depth) {
  std::vector<std::string> names;
  for (const Expr &arg : node.args) {
    names.push_back(Derive(arg, leaf_name, depth + 1));
    if (names.back().empty()) return "";
  }
  if (node.op == Op::kMul && node.args[0] == node.args[1]) return "square_" + names[0];
  const Words words = WordsOf(node.op);
  if (!words.against_zero.empty() && IsZero(node.args[1])) {
    return names[0] + std::string(words.against_zero);
  }
  if (!words.between.empty()) {
    if (node.op == Op::kMul && names[0] == names[1]) return "square_" + names[0];
    return names[0] + std::string(words.between) + names[1];
  }
  const bool is_sine = node.op == Op::kSineOf, of_pair = is_sine || node.op == Op::kCosineOf;
  const std::string pair(IrName(Op::kSinCos));
  if (of_pair && names[0].rfind(pair + "_", 0) == 0) {  // as if it were computed alone
    return (is_sine ? "sin" : "cos") + names[0].substr(pair.size());
  }
  if (!words.after.empty()) return names[0] + std::string(words.after);
  std::string name = node.op == Op::kCall ? node.name : std::string(Before(node.op));
  if (name.empty()) return "";
  for (const std::string &operand : names) name += "_" + operand;
  return name;
}

std::string Derive(const Expr &expr, const LeafName &leaf_name, int depth) {
  if (ClassOf(expr->op) == OpClass::Leaf) {
    return expr->op == Op::kLiteral ? LiteralName(*expr) : leaf_name(*expr);
  }
  if (!expr->name.empty() && expr->op != Op::kCall) return expr->name;
  if (depth >= kMaxDepth) return "";
  if (expr->op == Op::kCast) return Derive(expr->args[0], leaf_name, depth + 1);
  if (expr->op == Op::kSelect) return "";
  return DeriveFromOp(*expr, leaf_name, depth);
}

}  // namespace

std::string NameSet::Unique(const std::string &base) {
  const std::string made = MadeName(base);
  std::string name = made;
  for (int i = 2; IsCxxKeyword(name) || Has(name); ++i) name = made + std::to_string(i);
  Take(name);
  return name;
}

std::string NameOf(const Expr &expr, const LeafName &leaf_name) {
  const std::string name = MadeName(Derive(expr, leaf_name, 0));
  return name.size() <= kMaxLength ? name : "";
}

std::string TypeSuffix(const Rule &rule, Type type) {
  std::string name(IrName(type.kind));
  if (type.symbolic()) name = rule.type_params()[type.param];
  if (type.promoted) name = "promoted";
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

std::string GatherName(const Rule &rule, const Node &gather) {
  return MadeName(rule.params[gather.index].name + "_at_" + rule.params[gather.by].name);
}

std::string RuleLeafName(const Rule &rule, const Node &leaf) {
  switch (leaf.op) {
    case Op::kRead:
      return leaf.axes.is_picked() ? GatherName(rule, leaf) : rule.params[leaf.index].name;
    case Op::kParam:
      return rule.params[leaf.index].name;
    case Op::kLocal:
      return rule.prologue[leaf.index].name;
    case Op::kIndex:
      return "number";
    case Op::kDim: {
      const std::string &tensor = rule.params[leaf.index].name;
      return MadeName(tensor +
                      (leaf.dim == Node::kLastDim ? "_last_extent"
                       : leaf.dim == Node::kRows  ? "_rows"
                       : leaf.dim < 0             ? "_size"
                       : leaf.dim >= Node::kFromLast
                           ? "_extent_from_last" + std::to_string(leaf.dim - Node::kFromLast)
                           : "_extent" + std::to_string(leaf.dim)));
    }
    default:
      return "";
  }
}

}  // namespace mgen
