// SPDX-License-Identifier: Apache-2.0
/// \file advice.h
/// Pieces of C++ that notes tell people to write.
#ifndef MSHADOW_GENERATOR_FRONTEND_ADVICE_H_
#define MSHADOW_GENERATOR_FRONTEND_ADVICE_H_

#include <string>

#include "frontend/front_end.h"
#include "ir/rule.h"

namespace mgen {

/// What stands in the spec for `e`, which is short; else `otherwise`.
std::string TextOr(const FrontEnd &front, const clang::Expr *e, const std::string &otherwise);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_ADVICE_H_
