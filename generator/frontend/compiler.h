// SPDX-License-Identifier: Apache-2.0
/// \file compiler.h
/// Runs Clang over one spec: flags, headers, limits, dependencies.
#ifndef MSHADOW_GENERATOR_FRONTEND_COMPILER_H_
#define MSHADOW_GENERATOR_FRONTEND_COMPILER_H_

#include <functional>
#include <string>

#include "frontend/parse_spec.h"

namespace clang {
class CompilerInstance;
}

namespace mgen {

class ClangDiagnostics;

/// Looks at a parsed spec. What Clang said is in the second argument, not yet reported.
using SpecVisitor = std::function<void(clang::CompilerInstance &, ClangDiagnostics &)>;

/// Parses and type-checks `path`, which is a regular file, and calls `visit`, after errors too.
/// Runs on a thread with a large stack.
/// \throws std::runtime_error if Clang crashes: a bug, not a mistake in the spec; what `visit`
/// throws
void Compile(const ParseOptions &options, const std::string &path, Diagnostics &diagnostics,
             Dependencies *dependencies, const SpecVisitor &visit);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_COMPILER_H_
