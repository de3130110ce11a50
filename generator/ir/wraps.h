// SPDX-License-Identifier: Apache-2.0
/// \file wraps.h
/// Operations of integers that may be done in a narrower type.
#ifndef MSHADOW_GENERATOR_IR_WRAPS_H_
#define MSHADOW_GENERATOR_IR_WRAPS_H_

#include "ir/expr.h"

namespace mgen {

/// Whether the low bits of the result depend only on the low bits of the operands.
inline bool WrapsAlike(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kNeg:
    case Op::kBitAnd:
    case Op::kBitOr:
    case Op::kBitXor:
    case Op::kBitNot:
      return true;
    default:
      return false;
  }
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_WRAPS_H_
