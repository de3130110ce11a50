// SPDX-License-Identifier: Apache-2.0
#include "ir/type.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace mgen {
namespace {

struct KindInfo {
  std::string_view ir_name;
  std::string_view cpp_name;
  int bytes;
  Category category;
};

constexpr KindInfo kKinds[] = {
#define MGEN_SCALAR_KIND(id, ir_name, cpp_name, bytes, category) \
  {ir_name, cpp_name, bytes, Category::category},
#include "ir/scalar_kinds.def"
#undef MGEN_SCALAR_KIND
};

const KindInfo &Info(ScalarKind kind) { return kKinds[static_cast<int>(kind)]; }

}  // namespace

std::string_view IrName(ScalarKind kind) { return Info(kind).ir_name; }
std::string_view CppName(ScalarKind kind) { return Info(kind).cpp_name; }
int Bytes(ScalarKind kind) { return Info(kind).bytes; }
Category CategoryOf(ScalarKind kind) { return Info(kind).category; }

std::optional<ScalarKind> ParseScalarKind(std::string_view ir_name) {
  for (int i = 0; i < static_cast<int>(std::size(kKinds)); ++i) {
    if (kKinds[i].ir_name == ir_name) return static_cast<ScalarKind>(i);
  }
  return std::nullopt;
}

bool IsFloat(ScalarKind kind) { return CategoryOf(kind) == Category::kFloat; }

bool IsInteger(ScalarKind kind) {
  return CategoryOf(kind) == Category::kSigned || CategoryOf(kind) == Category::kUnsigned;
}

bool IsNarrowFloat(ScalarKind kind) {
  return kind == ScalarKind::kFloat16 || kind == ScalarKind::kBFloat16;
}

ScalarKind Promoted(ScalarKind kind) {
  if (IsNarrowFloat(kind)) return ScalarKind::kFloat32;
  return !IsFloat(kind) && Bytes(kind) < 4 ? ScalarKind::kInt32 : kind;
}

ScalarKind KindIn(Type type, const std::vector<ScalarKind> &instance) {
  if (!type.symbolic()) return type.kind;
  const ScalarKind kind = instance.at(static_cast<size_t>(type.param));
  return type.promoted ? Promoted(kind) : kind;
}

bool IsElementKind(ScalarKind kind) { return kind <= ScalarKind::kBool; }

double RoundTo(ScalarKind kind, double value) {
  if (kind == ScalarKind::kFloat32) return static_cast<float>(value);
  if (!IsNarrowFloat(kind) || value == 0 || !std::isfinite(value)) return value;
  const bool half = kind == ScalarKind::kFloat16;
  const int digits = half ? 11 : 8;            // of the significand, the hidden one included
  const int min_exponent = half ? -14 : -126;  // of the least normal number
  const double largest = half ? 65504.0 : static_cast<double>(std::ldexp(255.0, 120));
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const double ulp = std::ldexp(1.0, exponent - digits + 1);
  const double rounded = std::nearbyint(value / ulp) * ulp;
  if (std::fabs(rounded) <= largest) return std::copysign(rounded, value);
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

}  // namespace mgen
