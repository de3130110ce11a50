// SPDX-License-Identifier: Apache-2.0
#include "frontend/known_functions.h"

#include "frontend/clang_compat.h"
#include "frontend/types.h"

namespace mgen {
namespace {

struct LibmRow {
  llvm::StringRef name;
  Op op;  // kCall: kept
  unsigned arity;
};

constexpr LibmRow kLibmRows[] = {
#define MGEN_LIBM_OP(name, op) {#name, Op::op, 0},
#define MGEN_LIBM_CALL(name, arity) {#name, Op::kCall, arity},
#include "frontend/known_functions.def"
#undef MGEN_LIBM_OP
#undef MGEN_LIBM_CALL
};

/// The operation that mshadow::math calls `name`.
std::optional<Op> MathOp(llvm::StringRef name) {
#define MGEN_OP(id, ir_name, arity, op_class, spelling) \
  if (IsFunction(OpClass::op_class) && name == ir_name) return Op::id;
#include "ir/ops.def"
#undef MGEN_OP
  return std::nullopt;
}

const LibmRow *FindLibm(llvm::StringRef name) {
  for (const LibmRow &row : kLibmRows) {
    if (name == row.name) return &row;
    if (name.size() == row.name.size() + 1 && name.back() == 'f' && name.drop_back() == row.name) {
      return &row;
    }
  }
  return nullptr;
}

bool TakesInteger(const clang::ASTContext &ast, const clang::FunctionDecl &function, unsigned i) {
  const auto kind = ScalarKindOf(ast, function.getParamDecl(i)->getType());
  return kind && CategoryOf(*kind) != Category::kFloat;
}

KnownFunction Operation(Op op) {
  KnownFunction known;
  known.op = op;
  return known;
}

std::optional<KnownFunction> FindMath(const clang::FunctionDecl &function, llvm::StringRef name) {
  const std::optional<Op> op = MathOp(name);
  if (!op || function.getNumParams() != static_cast<unsigned>(Arity(*op))) return std::nullopt;
  if (*op == Op::kPow && TakesInteger(function.getASTContext(), function, 1)) {
    return Operation(Op::kPowInt);
  }
  return Operation(*op);
}

std::optional<KnownFunction> FindStd(const clang::FunctionDecl &function, llvm::StringRef name) {
  const unsigned arity = function.getNumParams();
  if (name == "min" && arity == 2) return Operation(Op::kMin);
  if (name == "max" && arity == 2) return Operation(Op::kMax);
  return std::nullopt;
}

std::optional<KnownFunction> FindC(const clang::FunctionDecl &function, llvm::StringRef name) {
  const LibmRow *row = FindLibm(name);
  if (!row) return std::nullopt;
  const unsigned arity = row->op == Op::kCall ? row->arity : static_cast<unsigned>(Arity(row->op));
  // Clang declares its type-generic builtins, such as __builtin_isnan, with '...'.
  const bool is_generic = function.isVariadic() && function.getNumParams() == 0;
  if (function.getNumParams() != arity && !(is_generic && row->op != Op::kCall)) {
    return std::nullopt;
  }
  if (row->op != Op::kCall) return Operation(row->op);
  KnownFunction known;
  known.kind = KnownFunction::kLibm;
  known.libm = row->name.str();
  if (MathOp(row->name)) known.replacement = row->name.str();
  return known;
}

}  // namespace

std::optional<KnownFunction> FindKnownFunction(const clang::FunctionDecl &function) {
  if (!function.getDeclName().isIdentifier()) return std::nullopt;
  const std::string qualified = QualifiedName(function);
  const llvm::StringRef name = function.getName();
  if (qualified == "mshadow::ScalarCast") {
    KnownFunction known;
    known.kind = KnownFunction::kCast;
    return known;
  }
  if (qualified == "mshadow::math::" + name.str()) return FindMath(function, name);
  if (compat::StartsWith(qualified, "std::")) {
    if (const auto known = FindStd(function, name)) return known;
    return FindC(function, name);
  }
  if (compat::StartsWith(name, "__builtin_")) {
    return FindC(function, name.drop_front(llvm::StringRef("__builtin_").size()));
  }
  if (qualified == name && function.isExternC()) return FindC(function, name);
  return std::nullopt;
}

}  // namespace mgen
