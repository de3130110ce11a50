// SPDX-License-Identifier: Apache-2.0
/// \file numerics.h
/// What emitted formulas may do to roundings, and which operations --numerics=fast approximates:
/// one answer for what prints them and what says so.
#ifndef MSHADOW_GENERATOR_EMIT_NUMERICS_H_
#define MSHADOW_GENERATOR_EMIT_NUMERICS_H_

#include <string>

#include "ir/expr.h"

namespace mgen {

/// --numerics, each mode with the liberties of those before it.
enum class Numerics {
  kStrict,    ///< the unfused rule's bits
  kContract,  ///< a product and the sum that takes it may be rounded once
  kFast,      ///< quotients and square roots of floats may be approximations
};

/// As --numerics has it.
constexpr const char *NameOf(Numerics numerics) {
  return numerics == Numerics::kStrict     ? "strict"
         : numerics == Numerics::kContract ? "contract"
                                           : "fast";
}

/// What files say in their heads of a mode; "" of kStrict, which needs no warning.
std::string NoticeOf(Numerics numerics);

/// What an approximation is off by at most, in units of the last place of its result
/// (mshadow/packet/approximate.inc).
constexpr int kFastUlps = 3;

/// The approximate form of an operation of a kernel.
enum class Approximation { kNone, kDiv, kDivSqrt, kSqrt, kRsqrt };

/// That of `node`. `divides`: the kernel has a kDiv. Its square roots are exact then: the processor
/// computes those beside the steps that approximate quotients, at no cost in time.
Approximation ApproximationOf(const Node &node, bool divides);

/// Whether ApproximationOf an expression in `value` is kDiv.
bool HasFastDiv(const Expr &value);

/// What is approximated in `value` once it is printed.
int CountApproximations(const Expr &value, bool divides);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_NUMERICS_H_
