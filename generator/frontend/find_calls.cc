// SPDX-License-Identifier: Apache-2.0
#include "frontend/find_calls.h"

namespace mgen {

Calls CallsIn(const clang::FunctionDecl *function) {
  Calls calls;
  FindCall(function->getBody(), [&calls](const clang::FunctionDecl &callee) {
    if (callee.getDeclName().isIdentifier()) calls.emplace(callee.getNameAsString(), &callee);
    return false;
  });
  return calls;
}

}  // namespace mgen
