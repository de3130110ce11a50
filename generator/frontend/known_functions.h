// SPDX-License-Identifier: Apache-2.0
/// \file known_functions.h
/// Functions that are an operation of the IR by their name: mshadow::math's and the C library's.
#ifndef MSHADOW_GENERATOR_FRONTEND_KNOWN_FUNCTIONS_H_
#define MSHADOW_GENERATOR_FRONTEND_KNOWN_FUNCTIONS_H_

#include <optional>
#include <string>

#include "frontend/clang_compat.h"
#include "ir/expr.h"

namespace mgen {

struct KnownFunction {
  enum Kind {
    kOp,    ///< `op` of the arguments
    kCast,  ///< mshadow::ScalarCast: the argument as the result's type
    kLibm,  ///< a call that is kept
  } kind = kOp;
  Op op = Op::kCall;
  std::string libm;         ///< kLibm: the C name without the type's suffix, "exp"
  std::string replacement;  ///< kLibm: the function of mshadow::math to use instead, or ""
};

/// \returns nothing for a function that has to be looked into.
std::optional<KnownFunction> FindKnownFunction(const clang::FunctionDecl &function);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_KNOWN_FUNCTIONS_H_
