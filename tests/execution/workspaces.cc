// SPDX-License-Identifier: Apache-2.0
#include "workspaces.h"

#include "indexed_array.h"
#include "program.h"

namespace mshadow_test {

void AddWorkspaces(const mgen::Rule &rule, size_t instance, Arrays *arrays) {
  const std::vector<mgen::ScalarKind> kinds =
      instance < rule.instances.size() ? rule.instances[instance] : std::vector<mgen::ScalarKind>();
  for (const mgen::Param &param : rule.params) {
    if (!param.is_workspace) continue;
    Array array;
    if (param.shape_of >= 0) array.shape = arrays->at(rule.params[param.shape_of].name).shape;
    for (const mgen::Expr &extent : param.extents) {
      Program program(extent, [&kinds](mgen::Type type) { return KindIn(type, kinds); });
      const auto size = [&](const mgen::Node &leaf, const std::vector<Estimate> &) {
        const Array &tensor = arrays->at(rule.params[leaf.index].name);
        return ExactInteger(mgen::ScalarKind::kInt64, ExtentOf(tensor, leaf.dim));
      };
      array.shape.push_back(program.Run(size).integer);
    }
    size_t size = 1;
    for (int64_t extent : array.shape) size *= static_cast<size_t>(extent);
    array.elements.assign(size, Undecided(KindIn(param.type, kinds)));
    (*arrays)[param.name] = array;
  }
}

}  // namespace mshadow_test
