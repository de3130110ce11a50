// SPDX-License-Identifier: Apache-2.0
#include "emit/literal.h"

#include <charconv>
#include <cmath>

namespace mgen {
namespace {

template <typename T>
std::string ShortestDigits(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string digits(buffer, end);
  const size_t e = digits.find('e');
  if (e == std::string::npos) return digits.find('.') == std::string::npos ? digits + ".0" : digits;
  // "1e-08" -> "1e-8"
  const size_t sign = e + 1;
  size_t first = sign + (digits[sign] == '-' || digits[sign] == '+' ? 1 : 0);
  while (first + 1 < digits.size() && digits[first] == '0') digits.erase(first, 1);
  if (digits[sign] == '+') digits.erase(sign, 1);
  return digits;
}

double AsDouble(const LiteralValue &value) {
  return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

bool IsZero(const LiteralValue &value) { return AsDouble(value) == 0; }

std::string IntegerText(const LiteralValue &value, ScalarKind kind, const std::string &type_name) {
  const std::string digits = IntegerDigits(value);
  switch (kind) {
    case ScalarKind::kInt32:
      return digits == "-2147483648" ? "(-2147483647 - 1)" : digits;
    case ScalarKind::kUint32:
      return digits + "u";
    case ScalarKind::kInt64:
      if (digits == "-9223372036854775808") return "(int64_t(-9223372036854775807) - 1)";
      return type_name + "(" + digits + ")";
    case ScalarKind::kUint64:
      return type_name + "(" + digits + "u)";
    default:
      return type_name + "(" + digits + ")";
  }
}

}  // namespace

std::string IntegerDigits(const LiteralValue &value, bool is_bool) {
  if (is_bool) return IsZero(value) ? "false" : "true";
  if (const auto *number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const auto *number = std::get_if<uint64_t>(&value)) return std::to_string(*number);
  return std::to_string(static_cast<int64_t>(AsDouble(value)));
}

std::string FloatLiteral(float value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return ShortestDigits(value) + "f";
}

std::string DoubleLiteral(double value) {
  if (std::isnan(value)) return "double(NAN)";
  if (std::isinf(value)) return value < 0 ? "double(-INFINITY)" : "double(INFINITY)";
  return ShortestDigits(value);
}

std::string LiteralText(const LiteralValue &value, Type type, const std::string &type_name) {
  const double number = AsDouble(value);
  if (type.symbolic() || IsNarrowFloat(type.kind)) {
    if (CategoryOf(type.kind) != Category::kFloat)
      return type_name + "(" + IntegerDigits(value) + ")";
    const float narrow = static_cast<float>(number);
    const bool exact = std::isnan(number) || narrow == number;
    return type_name + "(" + (exact ? FloatLiteral(narrow) : DoubleLiteral(number)) + ")";
  }
  switch (CategoryOf(type.kind)) {
    case Category::kBool:
      return IntegerDigits(value, true);
    case Category::kFloat:
      return type.kind == ScalarKind::kFloat32 ? FloatLiteral(static_cast<float>(number))
                                               : DoubleLiteral(number);
    default:
      return IntegerText(value, type.kind, type_name);
  }
}

}  // namespace mgen
