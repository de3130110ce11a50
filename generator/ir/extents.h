// SPDX-License-Identifier: Apache-2.0
/// \file extents.h
/// Extents of tensors, parts and temporaries in terms of the arguments'.
#ifndef MSHADOW_GENERATOR_IR_EXTENTS_H_
#define MSHADOW_GENERATOR_IR_EXTENTS_H_

#include <optional>
#include <string>

#include "ir/rule.h"

namespace mgen {

/// An extent of a tensor, or its number of rows, over the arguments' extents.
Expr ExtentOf(const Rule &rule, int tensor, int dimension);
/// The same of a part, over its tensor's and the range that it is.
Expr ExtentOfPart(const Rule &rule, int part, int dimension);

/// A number of the launch over the arguments' extents and literals; null if parameters of the rule
/// are in it.
Expr OfArguments(const Rule &rule, Expr value);

/// How long a temporary vector is: one element, one for each row, for each column, or for each
/// index in a dimension, the channels, between the first of more than two and the last.
struct Length {
  enum Kind { kOne, kRows, kColumns, kChannels } kind;
  int dim = -1;  ///< kChannels: the dimension
};
/// The length of a temporary vector by its extent: 1, a matrix' rows, a tensor's columns, its
/// channels, or those of a part; nothing if it is none of these.
std::optional<Length> LengthOf(const Rule &rule, const Param &vector);

/// The initialisation of a temporary to write, "k(x.shape_, x.stream_)"; of a vector one that has a
/// value for `each`.
std::string InitOfTemporary(const Rule &rule, const Param &temporary,
                            Length::Kind each = Length::kRows);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EXTENTS_H_
