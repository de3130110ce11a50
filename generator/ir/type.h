// SPDX-License-Identifier: Apache-2.0
/// \file type.h
/// Element types as the IRs see them: a concrete scalar kind, or a rule's type parameter.
#ifndef MSHADOW_GENERATOR_IR_TYPE_H_
#define MSHADOW_GENERATOR_IR_TYPE_H_

#include <optional>
#include <string_view>
#include <vector>

namespace mgen {

/// Every scalar kind a value may have; written once in scalar_kinds.def.
enum class ScalarKind {
#define MGEN_SCALAR_KIND(id, ir_name, cpp_name, bytes, category) id,
#include "ir/scalar_kinds.def"
#undef MGEN_SCALAR_KIND
};

enum class Category { kBool, kSigned, kUnsigned, kFloat };

/// The name in IR text: "f32", "i8", ….
std::string_view IrName(ScalarKind kind);
/// The name in emitted C++: "float", "int8_t", "mshadow::half::half_t", ….
std::string_view CppName(ScalarKind kind);
int Bytes(ScalarKind kind);
Category CategoryOf(ScalarKind kind);
std::optional<ScalarKind> ParseScalarKind(std::string_view ir_name);

bool IsFloat(ScalarKind kind);
bool IsInteger(ScalarKind kind);
/// f16 and bf16: arithmetic is done in float and rounded after every operation.
bool IsNarrowFloat(ScalarKind kind);
/// The kinds a tensor's elements may have (a value inside an op may have others, such as u32).
bool IsElementKind(ScalarKind kind);
/// `value` rounded to nearest, ties to even, in a float kind; for other kinds, `value` itself.
double RoundTo(ScalarKind kind, double value);

/// The kind that C++ computes in with values of `kind`: int for what is narrower, float for the
/// 16-bit floats, otherwise `kind`. In emitted C++: mshadow::Promoted.
ScalarKind Promoted(ScalarKind kind);

/// The type of a value. A rule that is the same for all its instances is stated once, over its type
/// parameters: then `param` is the index into Rule::type_params and `kind` is the first instance's.
struct Type {
  ScalarKind kind = ScalarKind::kFloat32;
  int param = -1;
  bool promoted = false;  ///< symbolic types: what arithmetic on the type parameter computes in

  bool symbolic() const { return param >= 0; }
  friend bool operator==(const Type &a, const Type &b) {
    return a.param == b.param && a.promoted == b.promoted && (a.symbolic() || a.kind == b.kind);
  }
  friend bool operator!=(const Type &a, const Type &b) { return !(a == b); }
};

/// The kind of `type` in the instance of these element types.
ScalarKind KindIn(Type type, const std::vector<ScalarKind> &instance);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_TYPE_H_
