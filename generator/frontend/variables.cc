// SPDX-License-Identifier: Apache-2.0
#include "frontend/variables.h"

#include <algorithm>
#include <utility>

#include "frontend/values.h"

namespace mgen {

Variables::Slot *Variables::Find(const clang::VarDecl *variable) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const Slot &s) { return s.variable == variable; });
  return slot == slots_.end() ? nullptr : &*slot;
}

bool Variables::Knows(const clang::VarDecl *variable) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot &s) { return s.variable == variable; });
}

void Variables::Set(const clang::VarDecl *variable, Expr value) {
  if (Slot *slot = Find(variable)) {
    slot->value = std::move(value);
  } else {
    slots_.push_back({variable, std::move(value)});
  }
}

Variables Merge(const Expr &condition, const Variables &then_values, const Variables &else_values) {
  Variables merged;
  const size_t shared = std::min(then_values.slots().size(), else_values.slots().size());
  for (size_t i = 0; i < shared; ++i) {
    const Variables::Slot &a = then_values.slots()[i];
    const Variables::Slot &b = else_values.slots()[i];
    if (a.variable != b.variable) break;  // from here on they are local to a branch
    const bool known = a.value && b.value;
    merged.Set(a.variable, known ? Choose(condition, a.value, b.value) : nullptr);
  }
  return merged;
}

}  // namespace mgen
