// SPDX-License-Identifier: Apache-2.0
/// \file numerics.h
/// How emitted formulas may round, which functions --numerics=correct rounds correctly, and which
/// operations --numerics=fast approximates. Both the code that prints formulas and the code that
/// reports on them ask here.
#ifndef MSHADOW_GENERATOR_EMIT_NUMERICS_H_
#define MSHADOW_GENERATOR_EMIT_NUMERICS_H_

#include <string>

#include "ir/expr.h"

namespace mgen {

/// --numerics.
enum class Numerics {
  kStrict,    ///< the unfused rule's bits
  kCorrect,   ///< the same, but for elementary functions, which are correctly rounded
  kContract,  ///< a product and the sum that takes it may be rounded once
  kFast,      ///< as kContract, and quotients, roots and functions of floats may be approximations
};

/// As --numerics has it.
constexpr const char *NameOf(Numerics numerics) {
  switch (numerics) {
    case Numerics::kStrict:
      return "strict";
    case Numerics::kCorrect:
      return "correct";
    case Numerics::kContract:
      return "contract";
    case Numerics::kFast:
      return "fast";
  }
  return "";
}

/// Whether a product and a sum may be rounded once. Then the bits depend on the instruction set.
constexpr bool MayContract(Numerics numerics) {
  return numerics == Numerics::kContract || numerics == Numerics::kFast;
}

/// The notice about a mode at the top of files; "" for kStrict, which needs none.
std::string NoticeOf(Numerics numerics);

/// Whether `node` is a function that --numerics=correct rounds correctly if it is of floats
/// (mshadow/packet/math_correct.inc).
bool HasCorrectForm(const Node &node);

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
