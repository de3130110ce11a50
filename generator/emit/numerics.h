// SPDX-License-Identifier: Apache-2.0
/// \file numerics.h
/// How emitted formulas may round, and which operations --numerics=fast approximates. Both the code
/// that prints formulas and the code that reports on them ask here.
#ifndef MSHADOW_GENERATOR_EMIT_NUMERICS_H_
#define MSHADOW_GENERATOR_EMIT_NUMERICS_H_

#include <string>

#include "ir/expr.h"

namespace mgen {

/// --numerics, each mode with the liberties of those before it.
enum class Numerics {
  kStrict,    ///< the unfused rule's bits
  kContract,  ///< a product and the sum that takes it may be rounded once
  kFast,      ///< quotients, roots and functions of floats may be approximations
};

/// As --numerics has it.
constexpr const char *NameOf(Numerics numerics) {
  return numerics == Numerics::kStrict     ? "strict"
         : numerics == Numerics::kContract ? "contract"
                                           : "fast";
}

/// The notice about a mode at the top of files; "" for kStrict, which needs none.
std::string NoticeOf(Numerics numerics);

/// The largest error of an approximation, in ULP of its result (mshadow/packet/approximate.inc
/// and math_fast.inc).
constexpr int kFastUlps = 4;

/// The approximate form of an operation of a kernel.
enum class Approximation { kNone, kDiv, kDivSqrt, kSqrt, kRsqrt, kFunction };

/// The approximate form of `node`.
/// \param divides whether the kernel has a kDiv. Then its square roots are exact: the processor
///     computes them in parallel with the steps that approximate quotients, at no cost in time.
Approximation ApproximationOf(const Node &node, bool divides);

/// Whether ApproximationOf an expression in `value` is kDiv.
bool HasFastDiv(const Expr &value);

/// The number of operations of `value` that are printed as approximations.
int CountApproximations(const Expr &value, bool divides);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_NUMERICS_H_
