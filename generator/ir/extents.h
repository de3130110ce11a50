// SPDX-License-Identifier: Apache-2.0
/// \file extents.h
/// Extents of tensors, slices and temporaries, in terms of the extents of arguments.
#ifndef MSHADOW_GENERATOR_IR_EXTENTS_H_
#define MSHADOW_GENERATOR_IR_EXTENTS_H_

#include <optional>
#include <string>

#include "ir/rule.h"

namespace mgen {

/// An extent of a tensor, or its number of rows, in terms of the extents of arguments.
Expr ExtentOf(const Rule &rule, int tensor, int dimension);
/// The same for a slice, in terms of its tensor's extents and of its own range.
Expr ExtentOfPart(const Rule &rule, int part, int dimension);

/// \p value in terms of the arguments' extents and literals: each local is replaced by its value.
/// Null if it depends on a scalar parameter of the rule.
Expr OfArguments(const Rule &rule, Expr value);

/// How many elements a temporary vector has: one, or one for each row, for each column, or for each
/// coordinate of another dimension, that is, for each channel.
struct Length {
  enum Kind { kOne, kRows, kColumns, kChannels } kind;
  int dim = -1;  ///< kChannels: the dimension
};
/// The length of a temporary vector, found from its extent. Nothing, unless that is 1, or the
/// number of rows, columns or channels of a tensor or of a slice.
std::optional<Length> LengthOf(const Rule &rule, const Param &vector);

/// The argument of the highest rank that the statements use, whose elements their kernel goes over;
/// nullptr if they use none.
const Param *WidestArgument(const Rule &rule);

/// A declaration of a temporary that a message suggests: "k(x.shape_, x.stream_)".
/// \param each what a vector has an element for
std::string InitOfTemporary(const Rule &rule, const Param &temporary,
                            Length::Kind each = Length::kRows);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EXTENTS_H_
