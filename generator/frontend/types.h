// SPDX-License-Identifier: Apache-2.0
/// \file types.h
/// Clang's types as the IR's, and the runtime's classes by their names.
#ifndef MSHADOW_GENERATOR_FRONTEND_TYPES_H_
#define MSHADOW_GENERATOR_FRONTEND_TYPES_H_

#include <optional>
#include <string>

#include "frontend/clang_compat.h"
#include "ir/type.h"

namespace mgen {

/// The scalar kind of an arithmetic type, half_t or bf16_t; references and qualifiers are looked
/// through. \returns nothing for long double, __int128, pointers, classes, ….
std::optional<ScalarKind> ScalarKindOf(const clang::ASTContext &context, clang::QualType type);

/// As users write it: "float", "half_t".
std::string ShortName(ScalarKind kind);

/// "mshadow::expr::BinaryMapExp" for any specialisation of that template; inline namespaces are
/// left out. "" for a type that is no class.
std::string RecordName(clang::QualType type);
std::string QualifiedName(const clang::NamedDecl &decl);

/// The template arguments of a class template's specialisation; null for other types.
const clang::TemplateArgumentList *TemplateArgs(clang::QualType type);

/// The class that a type (without references and qualifiers) is, or null.
const clang::CXXRecordDecl *RecordOf(clang::QualType type);

/// The element type of an mshadow expression: the second argument of its base
/// mshadow::expr::Exp<…>. \returns nothing if the type is no expression.
std::optional<clang::QualType> ElementTypeOf(clang::QualType type);
inline bool IsExpression(clang::QualType type) { return ElementTypeOf(type).has_value(); }

/// The rank of an mshadow expression, which is that of its tensors and broadcasts; 0 if it has
/// none.
int RankOf(clang::QualType type);

bool IsTensor(clang::QualType type);
bool IsPointer(clang::QualType type);

/// A type as users know it, for messages.
std::string TypeText(const clang::ASTContext &context, clang::QualType type);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_TYPES_H_
