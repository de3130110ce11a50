// SPDX-License-Identifier: Apache-2.0
/// \file instantiations.h
/// What the front end asks of Clang's Sema, which instantiates templates.
#ifndef MSHADOW_GENERATOR_FRONTEND_INSTANTIATIONS_H_
#define MSHADOW_GENERATOR_FRONTEND_INSTANTIATIONS_H_

#include <atomic>

#include "frontend/clang_compat.h"

namespace mgen {

/// Gives `line` that of the spec which a template is instantiated for: most of that is done once
/// all tokens were seen.
void WatchInstantiations(clang::Sema &sema, std::atomic<int> *line);

/// Makes Sema instantiate rules that share a name, at the end of the spec. MSHADOW_INSTANTIATE
/// itself instantiates every other rule, but C++ has no expression that names one of several
/// function templates. \returns what Sema asks for them, which must live as long as it
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> InstantiateOverloads(clang::Sema &sema);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_INSTANTIATIONS_H_
