// SPDX-License-Identifier: Apache-2.0
#include "frontend/types.h"

#include "frontend/clang_compat.h"

namespace mgen {
namespace {

clang::QualType Plain(clang::QualType type) {
  return type.isNull() ? type : type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

std::optional<ScalarKind> IntegerKind(uint64_t bits, bool is_signed) {
  switch (bits) {
    case 8:
      return is_signed ? ScalarKind::kInt8 : ScalarKind::kUint8;
    case 16:
      return is_signed ? ScalarKind::kInt16 : ScalarKind::kUint16;
    case 32:
      return is_signed ? ScalarKind::kInt32 : ScalarKind::kUint32;
    case 64:
      return is_signed ? ScalarKind::kInt64 : ScalarKind::kUint64;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ScalarKind> ScalarKindOf(const clang::ASTContext &context, clang::QualType type) {
  const clang::QualType plain = Plain(type);
  if (plain.isNull()) return std::nullopt;
  if (const auto *builtin = plain->getAs<clang::BuiltinType>()) {
    if (builtin->getKind() == clang::BuiltinType::Float) return ScalarKind::kFloat32;
    if (builtin->getKind() == clang::BuiltinType::Double) return ScalarKind::kFloat64;
    if (builtin->getKind() == clang::BuiltinType::Bool) return ScalarKind::kBool;
    if (!builtin->isInteger()) return std::nullopt;
    return IntegerKind(context.getTypeSize(plain), builtin->isSignedInteger());
  }
  if (const auto *enumeration = plain->getAs<clang::EnumType>()) {
    const clang::EnumDecl *decl = enumeration->getDecl();
    if (decl->isScoped() || decl->getIntegerType().isNull()) return std::nullopt;
    return ScalarKindOf(context, decl->getIntegerType());
  }
  const std::string name = RecordName(plain);
  if (name == "mshadow::half::half_t") return ScalarKind::kFloat16;
  if (name == "mshadow::bfloat::bf16_t") return ScalarKind::kBFloat16;
  return std::nullopt;
}

std::string ShortName(ScalarKind kind) {
  const std::string name(CppName(kind));
  const size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

const clang::CXXRecordDecl *RecordOf(clang::QualType type) {
  const clang::QualType plain = Plain(type);
  return plain.isNull() ? nullptr : plain->getAsCXXRecordDecl();
}

std::string QualifiedName(const clang::NamedDecl &decl) {
  std::string name = decl.getNameAsString();
  for (const clang::DeclContext *scope = decl.getDeclContext(); scope; scope = scope->getParent()) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space && (space->isInline() || space->isAnonymousNamespace())) continue;
    const auto *named = llvm::dyn_cast<clang::NamedDecl>(scope);
    if (named) name = named->getNameAsString() + "::" + name;
  }
  return name;
}

std::string RecordName(clang::QualType type) {
  const clang::CXXRecordDecl *record = RecordOf(type);
  return record ? QualifiedName(*record) : "";
}

const clang::TemplateArgumentList *TemplateArgs(clang::QualType type) {
  const clang::CXXRecordDecl *record = RecordOf(type);
  const auto *special = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  return special ? &special->getTemplateArgs() : nullptr;
}

std::optional<clang::QualType> ElementTypeOf(clang::QualType type) {
  const clang::CXXRecordDecl *record = RecordOf(type);
  if (!record) return std::nullopt;
  if (QualifiedName(*record) == "mshadow::expr::Exp") {
    return (*TemplateArgs(type))[1].getAsType();
  }
  if (!record->hasDefinition()) return std::nullopt;
  for (const clang::CXXBaseSpecifier &base : record->getDefinition()->bases()) {
    if (auto element = ElementTypeOf(base.getType())) return element;
  }
  return std::nullopt;
}

namespace {

/// The rank that the base of chainers says, MakeTensorExp<Node, Source, rank, DType>, or that of
/// assignable views, TRValue<Node, Device, rank, DType>; 0 for others.
int RankOfChainer(clang::QualType type) {
  const clang::CXXRecordDecl *record = RecordOf(type);
  if (!record || !record->hasDefinition()) return 0;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    const std::string name = RecordName(base.getType());
    if (name != "mshadow::expr::MakeTensorExp" && name != "mshadow::TRValue") continue;
    const clang::TemplateArgumentList *args = TemplateArgs(base.getType());
    return static_cast<int>((*args)[2].getAsIntegral().getExtValue());
  }
  return 0;
}

}  // namespace

int RankOf(clang::QualType type) {
  const clang::TemplateArgumentList *args = TemplateArgs(type);
  if (!args) return 0;
  const std::string record = RecordName(type);
  if (record == "mshadow::Tensor") return (*args)[1].getAsIntegral().getExtValue();
  if (record == "mshadow::expr::RangeExp") return 1;
  if (const int rank = RankOfChainer(type); rank > 0) return rank;
  for (const clang::TemplateArgument &arg : args->asArray()) {
    if (arg.getKind() != clang::TemplateArgument::Type) continue;
    if (const int rank = RankOf(arg.getAsType()); rank > 0) return rank;
  }
  return 0;
}

bool IsTensor(clang::QualType type) { return RecordName(type) == "mshadow::Tensor"; }

bool IsPointer(clang::QualType type) {
  const clang::QualType plain = Plain(type);
  return !plain.isNull() && (plain->isPointerType() || plain->isArrayType());
}

std::string TypeText(const clang::ASTContext &context, clang::QualType type) {
  const auto kind = ScalarKindOf(context, type);
  if (kind && !type->isReferenceType() && !type->isEnumeralType()) return ShortName(*kind);
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  return type.getAsString(policy);
}

}  // namespace mgen
