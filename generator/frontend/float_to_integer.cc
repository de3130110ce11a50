// SPDX-License-Identifier: Apache-2.0
#include "frontend/float_to_integer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/clang_compat.h"
#include "frontend/types.h"
#include "ir/walk.h"

namespace mgen {
namespace {

struct Interval {
  double least, greatest;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Interval kAll = {-kInfinity, kInfinity};

/// What an integer type holds; of 64 bits, the next double within.
Interval RangeOf(ScalarKind kind) {
  if (kind == ScalarKind::kBool) return {0, 1};
  const bool is_signed = CategoryOf(kind) == Category::kSigned;
  const int bits = 8 * Bytes(kind) - (is_signed ? 1 : 0);
  const double end = std::ldexp(1.0, bits);
  return {is_signed ? -end : 0.0, bits > 53 ? std::nextafter(end, 0.0) : end - 1};
}

/// The values that `e` may have, NaN aside, as far as a minimum, a maximum and their like say it.
/// \param depth how far to look
Interval IntervalOf(const Expr &e, int depth) {
  if (depth == 0) return kAll;
  const auto arg = [&](size_t i) { return IntervalOf(e->args[i], depth - 1); };
  switch (e->op) {
    case Op::kLiteral: {
      const double value = std::visit([](auto v) { return static_cast<double>(v); }, e->value);
      return std::isnan(value) ? kAll : Interval{value, value};
    }
    case Op::kMin:
      return {std::min(arg(0).least, arg(1).least), std::min(arg(0).greatest, arg(1).greatest)};
    case Op::kMax:
      return {std::max(arg(0).least, arg(1).least), std::max(arg(0).greatest, arg(1).greatest)};
    case Op::kSelect:
      return {std::min(arg(1).least, arg(2).least), std::max(arg(1).greatest, arg(2).greatest)};
    case Op::kAbs:
      return {0, std::max(-arg(0).least, arg(0).greatest)};
    case Op::kRound:
    case Op::kRint:
      return {std::round(arg(0).least), std::round(arg(0).greatest)};
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
      return {std::floor(arg(0).least), std::ceil(arg(0).greatest)};
    case Op::kSigmoid:
      return {0, 1};
    case Op::kErfc:
      return {0, 2};
    case Op::kAtan:
    case Op::kAsin:
      return {-1.6, 1.6};
    case Op::kAcos:
      return {0, 3.2};
    case Op::kAtan2:
      return {-3.2, 3.2};
    case Op::kSin:
    case Op::kCos:
    case Op::kTanh:
      return {-1, 1};
    case Op::kCast: {
      const ScalarKind from = e->args[0]->type.kind;
      const Interval held = CategoryOf(from) == Category::kFloat ? kAll : RangeOf(from);
      const Interval value = arg(0);
      return {std::max(held.least, value.least), std::min(held.greatest, value.greatest)};
    }
    default:
      return kAll;
  }
}

}  // namespace

void WarnOfRange(FrontEnd &front, const clang::CastExpr *e, ScalarKind kind, const Expr &value) {
  constexpr int kDepth = 8;
  if (CategoryOf(value->type.kind) != Category::kFloat) return;
  const Interval values = IntervalOf(value, kDepth), held = RangeOf(kind);
  // What is above the greatest by less than 1 is truncated to it.
  if (values.least > held.least - 1 && values.greatest < held.greatest + 1) return;
  const clang::SourceManager &sources = front.ast.getSourceManager();
  const clang::SourceLocation place = sources.getFileLoc(e->getBeginLoc());
  const bool is_users = place.isValid() && !sources.isInSystemHeader(place) &&
                        !compat::StartsWith(sources.getFilename(place), "/__mshadow_gen__");
  if (!is_users) return;
  const SourceLocation where = front.Where(e->getSourceRange());
  const std::string type = TypeText(front.ast, e->getType());
  front.diagnostics.Report(DiagId::kFloatToInteger, where, type)
      .Note(DiagId::kFloatToIntegerNote, where, type);
}

}  // namespace mgen
