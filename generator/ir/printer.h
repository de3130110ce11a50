// SPDX-License-Identifier: Apache-2.0
/// \file printer.h
/// The IRs as text, for people, tests and --dump-after. docs/internals.md describes the form;
/// ir/parser.h reads a rule's back.
#ifndef MSHADOW_GENERATOR_IR_PRINTER_H_
#define MSHADOW_GENERATOR_IR_PRINTER_H_

#include <string>

#include "ir/plan.h"

namespace mgen {

std::string Print(const Rule &rule);
std::string Print(const Plan &plan);

/// One expression with the names of the rule or plan that it belongs to.
std::string Print(const Expr &expr, const Rule &rule);
std::string Print(const Expr &expr, const Plan &plan);

/// `"mshadow::expr::slice<1>($0, $1, $2)" in, 0i64, dim(in, 1)`
std::string Print(const View &view, const Rule &rule);

/// "f32", or the name of the rule's type parameter.
std::string Print(Type type, const Rule &rule);

/// The shortest decimal form that reads back as the same float (f32 and narrower) or double, with a
/// point or an exponent: "0.001", "1.0", "1e-08", "-inf", "nan".
std::string PrintNumber(double value, ScalarKind kind);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_PRINTER_H_
