// SPDX-License-Identifier: Apache-2.0
/// \file literal.h
/// Literals of emitted C++. They are printed from their values, never from a spec's text.
#ifndef MSHADOW_GENERATOR_EMIT_LITERAL_H_
#define MSHADOW_GENERATOR_EMIT_LITERAL_H_

#include <string>

#include "ir/expr.h"

namespace mgen {

/// The shortest decimal that gives this value back: "1.0f", "1e-8f", "INFINITY", "NAN". A NaN's
/// sign and payload are lost.
std::string FloatLiteral(float value);
std::string DoubleLiteral(double value);

/// The number without a type; "true" or "false" if `is_bool`.
std::string IntegerDigits(const LiteralValue &value, bool is_bool = false);

/// A C++ expression of exactly the C++ type `type_name`, the name of `type`: "0.5f", "3",
/// "int64_t(3)", "DType(0.5f)".
std::string LiteralText(const LiteralValue &value, Type type, const std::string &type_name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_LITERAL_H_
