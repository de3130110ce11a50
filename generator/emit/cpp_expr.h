// SPDX-License-Identifier: Apache-2.0
/// \file cpp_expr.h
/// Prints expressions of the IRs as C++, with the parentheses that C++ needs and those that
/// compilers ask for (-Wparentheses), and no others.
#ifndef MSHADOW_GENERATOR_EMIT_CPP_EXPR_H_
#define MSHADOW_GENERATOR_EMIT_CPP_EXPR_H_

#include <functional>
#include <string>

#include "emit/layout.h"
#include "emit/numerics.h"
#include "ir/expr.h"

namespace mgen {

/// How an expression is printed: for which code, and with which names.
struct ExprStyle {
  /// Packets: functions of the region that includes the text. Host: scalars, mshadow::math.
  /// People: for a comment; no types, no namespaces, literals as one writes them by hand.
  enum Target { kPacket, kHost, kPeople } target = kPacket;
  /// The text of a leaf other than a literal: a name, or a postfix expression.
  std::function<std::string(const Node &)> leaf;
  /// The C++ type of a value.
  std::function<std::string(Type)> type_name;
  /// kPacket: the number of lanes, and whether a leaf has one value for all lanes.
  std::string lanes = "N";
  std::function<bool(const Node &)> is_scalar;
  /// kPacket: decides which operations are printed as MulAdd, CorrectExp, FastDiv and the like.
  Numerics numerics = Numerics::kStrict;
  bool divides = false;  ///< the argument of ApproximationOf
};

/// The layout of the expression.
Layout PrintExpr(const Expr &expr, const ExprStyle &style);

/// `head`, the expression and `tail`, in lines. Further lines are aligned with the beginning of the
/// expression. If `head` ends in "= ", the expression begins on the next line if that saves a line.
std::string RenderExpr(const std::string &head, const Expr &expr, const std::string &tail,
                       const ExprStyle &style, int width = kLineWidth);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_CPP_EXPR_H_
