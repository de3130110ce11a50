// SPDX-License-Identifier: Apache-2.0
/// \file rejected_names.h
/// Names whose declarations were rejected. A statement that uses one is not wrong once more: what
/// is wrong was said where the name is declared.
#ifndef MSHADOW_GENERATOR_FRONTEND_REJECTED_NAMES_H_
#define MSHADOW_GENERATOR_FRONTEND_REJECTED_NAMES_H_

#include <set>

#include "frontend/clang_compat.h"

namespace mgen {

class RejectedNames {
 public:
  /// What a statement that is wrong would have declared.
  void Add(const clang::Stmt *statement);
  bool AreUsedIn(const clang::Stmt *e) const;

 private:
  std::set<const clang::Decl *> names_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_REJECTED_NAMES_H_
