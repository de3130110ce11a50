// SPDX-License-Identifier: Apache-2.0
#include "estimate_integer.h"

#include <stdexcept>
#include <string>

namespace mshadow_test {

using mgen::Category;
using mgen::Op;
using mgen::ScalarKind;

int64_t WrapInteger(ScalarKind kind, int64_t value) {
  if (kind == ScalarKind::kBool) return value != 0 ? 1 : 0;
  const int unused = 64 - 8 * mgen::Bytes(kind);
  const uint64_t shifted = static_cast<uint64_t>(value) << unused;
  if (mgen::CategoryOf(kind) == Category::kSigned) return static_cast<int64_t>(shifted) >> unused;
  return static_cast<int64_t>(shifted >> unused);
}

namespace {

bool IsSigned(ScalarKind kind) { return mgen::CategoryOf(kind) == Category::kSigned; }

/// Quotient and remainder truncate; the least number by -1 wraps.
Estimate Divide(Op op, ScalarKind kind, int64_t a, int64_t b) {
  const bool is_quotient = op == Op::kDiv;
  if (b == 0) return Undecided(kind);
  if (!IsSigned(kind)) {
    const uint64_t ua = static_cast<uint64_t>(a);
    const uint64_t ub = static_cast<uint64_t>(b);
    return ExactInteger(kind, static_cast<int64_t>(is_quotient ? ua / ub : ua % ub));
  }
  if (b == -1) {
    return ExactInteger(kind, is_quotient ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : 0);
  }
  return ExactInteger(kind, is_quotient ? a / b : a % b);
}

Estimate Shift(Op op, ScalarKind kind, int64_t a, int64_t by) {
  if (by < 0 || by >= 8 * mgen::Bytes(kind)) return Undecided(kind);
  if (op == Op::kShl)
    return ExactInteger(kind, static_cast<int64_t>(static_cast<uint64_t>(a) << by));
  // The value is kept sign- or zero-extended, u64 apart.
  const bool is_signed = IsSigned(kind);
  return ExactInteger(kind,
                      is_signed ? a >> by : static_cast<int64_t>(static_cast<uint64_t>(a) >> by));
}

bool Less(ScalarKind kind, int64_t a, int64_t b) {
  return IsSigned(kind) ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
}

/// Sums and products in uint64_t: their low bits are those of the true value.
Estimate Wrapping(Op op, ScalarKind kind, uint64_t a, uint64_t b) {
  switch (op) {
    case Op::kAdd:
      return ExactInteger(kind, static_cast<int64_t>(a + b));
    case Op::kSub:
      return ExactInteger(kind, static_cast<int64_t>(a - b));
    case Op::kMul:
      return ExactInteger(kind, static_cast<int64_t>(a * b));
    case Op::kBitAnd:
      return ExactInteger(kind, static_cast<int64_t>(a & b));
    case Op::kBitOr:
      return ExactInteger(kind, static_cast<int64_t>(a | b));
    case Op::kBitXor:
      return ExactInteger(kind, static_cast<int64_t>(a ^ b));
    default:
      throw std::invalid_argument(std::string(mgen::IrName(op)) + " does not take integers");
  }
}

}  // namespace

Estimate ApplyToIntegers(Op op, ScalarKind kind, const std::vector<Estimate> &args) {
  const int64_t a = args[0].integer;
  const uint64_t bits = static_cast<uint64_t>(a);
  if (args.size() == 1) {
    if (op == Op::kNeg) return ExactInteger(kind, static_cast<int64_t>(0 - bits));
    if (op == Op::kBitNot) return ExactInteger(kind, static_cast<int64_t>(~bits));
    if (op == Op::kAbs && (!IsSigned(kind) || a >= 0)) return args[0];
    if (op == Op::kAbs) return ExactInteger(kind, static_cast<int64_t>(0 - bits));
    throw std::invalid_argument(std::string(mgen::IrName(op)) + " does not take an integer");
  }
  const int64_t b = args[1].integer;
  switch (op) {
    case Op::kDiv:
    case Op::kRem:
      return Divide(op, kind, a, b);
    case Op::kShl:
    case Op::kShr:
      return Shift(op, kind, a, b);
    case Op::kMin:
      return Less(kind, b, a) ? args[1] : args[0];
    case Op::kMax:
      return Less(kind, a, b) ? args[1] : args[0];
    default:
      return Wrapping(op, kind, bits, static_cast<uint64_t>(b));
  }
}

}  // namespace mshadow_test
