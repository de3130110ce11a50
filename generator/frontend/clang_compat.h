// SPDX-License-Identifier: Apache-2.0
/// \file clang_compat.h
/// Every header of Clang that the front end uses, and everything that differs between the versions
/// (14 to 19) that it builds with. Included first by every file here; precompiled.
#ifndef MSHADOW_GENERATOR_FRONTEND_CLANG_COMPAT_H_
#define MSHADOW_GENERATOR_FRONTEND_CLANG_COMPAT_H_

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Comment.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>
#pragma GCC diagnostic pop

namespace mgen::compat {

inline bool StartsWith(llvm::StringRef text, llvm::StringRef prefix) {
#if MGEN_CLANG_MAJOR >= 16
  return text.starts_with(prefix);
#else
  return text.startswith(prefix);
#endif
}

/// Stops the driver from reading a clang.cfg next to the tool; 14 never does.
inline void AddNoDefaultConfig(std::vector<std::string> *args) {
#if MGEN_CLANG_MAJOR >= 16
  args->push_back("--no-default-config");
#else
  static_cast<void>(args);
#endif
}

}  // namespace mgen::compat

#endif  // MSHADOW_GENERATOR_FRONTEND_CLANG_COMPAT_H_
