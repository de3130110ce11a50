// SPDX-License-Identifier: Apache-2.0
/// \file advice.h
/// Pieces of C++ that notes tell people to write, made of names that the rule has.
#ifndef MSHADOW_GENERATOR_FRONTEND_ADVICE_H_
#define MSHADOW_GENERATOR_FRONTEND_ADVICE_H_

#include <string>

#include "frontend/front_end.h"
#include "ir/rule.h"

namespace mgen {

/// The name of a tensor parameter: the first of this rank, or the first of more than one dimension,
/// or the first.
std::string TensorOfRank(const Rule &rule, int rank);

/// What stands in the spec for `e`, which is short; else `otherwise`.
std::string TextOr(const FrontEnd &front, const clang::Expr *e, const std::string &otherwise);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_ADVICE_H_
