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

constexpr std::string_view kKeywords[] = {"alignas",       "alignof",     "and",
                                          "and_eq",        "asm",         "auto",
                                          "bitand",        "bitor",       "bool",
                                          "break",         "case",        "catch",
                                          "char",          "char16_t",    "char32_t",
                                          "char8_t",       "class",       "co_await",
                                          "co_return",     "co_yield",    "compl",
                                          "concept",       "const",       "const_cast",
                                          "consteval",     "constexpr",   "constinit",
                                          "continue",      "decltype",    "default",
                                          "delete",        "do",          "double",
                                          "dynamic_cast",  "else",        "enum",
                                          "explicit",      "export",      "extern",
                                          "false",         "float",       "for",
                                          "friend",        "goto",        "if",
                                          "inline",        "int",         "long",
                                          "mutable",       "namespace",   "new",
                                          "noexcept",      "not",         "not_eq",
                                          "nullptr",       "operator",    "or",
                                          "or_eq",         "private",     "protected",
                                          "public",        "register",    "reinterpret_cast",
                                          "requires",      "return",      "short",
                                          "signed",        "sizeof",      "static",
                                          "static_assert", "static_cast", "struct",
                                          "switch",        "template",    "this",
                                          "thread_local",  "throw",       "true",
                                          "try",           "typedef",     "typeid",
                                          "typename",      "union",       "unsigned",
                                          "using",         "virtual",     "void",
                                          "volatile",      "wchar_t",     "while",
                                          "xor",           "xor_eq"};

/// `a` and `b` in the pattern of `op`, or "" if the operation has none.
std::string_view Between(Op op) {
  switch (op) {
    case Op::kAdd:
      return "_plus_";
    case Op::kSub:
      return "_minus_";
    case Op::kMul:
      return "_times_";
    case Op::kDiv:
      return "_over_";
    case Op::kRem:
      return "_mod_";
    case Op::kLt:
      return "_below_";
    case Op::kLe:
      return "_at_most_";
    case Op::kGt:
      return "_above_";
    case Op::kGe:
      return "_at_least_";
    case Op::kEq:
      return "_equals_";
    case Op::kNe:
      return "_is_not_";
    case Op::kAnd:
      return "_and_";
    case Op::kOr:
      return "_or_";
    default:
      return "";
  }
}

/// How a comparison with zero is called.
std::string_view AgainstZero(Op op) {
  switch (op) {
    case Op::kLt:
      return "_is_negative";
    case Op::kLe:
      return "_is_not_positive";
    case Op::kGt:
      return "_is_positive";
    case Op::kGe:
      return "_is_not_negative";
    case Op::kEq:
      return "_is_zero";
    case Op::kNe:
      return "_is_not_zero";
    default:
      return "";
  }
}

std::string_view After(Op op) {
  switch (op) {
    case Op::kIsNan:
      return "_is_nan";
    case Op::kIsInf:
      return "_is_inf";
    case Op::kIsFinite:
      return "_is_finite";
    default:
      return "";
  }
}

std::string_view Before(Op op) {
  if (op == Op::kNeg) return "minus";
  if (op == Op::kNot) return "not";
  return ClassOf(op) == OpClass::Packet ? IrName(op) : std::string_view();
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
  if (node.args.size() == 2 && !Between(node.op).empty()) {
    if (!AgainstZero(node.op).empty() && IsZero(node.args[1])) {
      return names[0] + std::string(AgainstZero(node.op));
    }
    if (node.op == Op::kMul && names[0] == names[1]) return "square_" + names[0];
    return names[0] + std::string(Between(node.op)) + names[1];
  }
  const bool is_sine = node.op == Op::kSineOf, of_pair = is_sine || node.op == Op::kCosineOf;
  const std::string pair(IrName(Op::kSinCos));
  if (of_pair && names[0].rfind(pair + "_", 0) == 0) {  // as if it were computed alone
    return (is_sine ? "sin" : "cos") + names[0].substr(pair.size());
  }
  if (!After(node.op).empty()) return names[0] + std::string(After(node.op));
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

bool IsCxxKeyword(std::string_view name) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), name) != std::end(kKeywords);
}

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
      return MadeName(tensor + (leaf.dim == Node::kLastDim ? "_last_extent"
                                : leaf.dim == Node::kRows  ? "_rows"
                                : leaf.dim < 0             ? "_size"
                                                           : "_extent" + std::to_string(leaf.dim)));
    }
    default:
      return "";
  }
}

}  // namespace mgen
