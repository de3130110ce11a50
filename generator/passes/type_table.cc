// SPDX-License-Identifier: Apache-2.0
#include "passes/type_table.h"

#include <algorithm>

namespace mgen {

std::vector<Type> TypeTable::Candidates(const Kinds &kinds) const {
  std::vector<Type> types;
  const auto add_params = [&](bool promoted) {
    for (int p = 0; p < param_count(); ++p) {
      const Type type{kinds.front(), p, promoted};
      if (KindsOf(type) == kinds) types.push_back(type);
    }
  };
  add_params(false);
  const auto differs = [&kinds](ScalarKind kind) { return kind != kinds.front(); };
  if (std::none_of(kinds.begin(), kinds.end(), differs)) types.push_back({kinds.front()});
  if (types.empty()) add_params(true);
  return types;
}

Type TypeTable::Parameter(int param, bool promoted) const {
  Type type{ScalarKind::kFloat32, param, promoted};
  type.kind = KindIn(type, instances_.front());
  return type;
}

Kinds TypeTable::KindsOf(Type type) const {
  if (!type.symbolic()) return Kinds(instances_.size(), type.kind);
  Kinds kinds;
  for (const std::vector<ScalarKind> &instance : instances_)
    kinds.push_back(KindIn(type, instance));
  return kinds;
}

}  // namespace mgen
