// SPDX-License-Identifier: Apache-2.0
#include "checked_argument.h"

#include <stdexcept>

namespace mshadow_test {

void CheckArgument(const mgen::Param &param, mgen::ScalarKind kind, const Scalars &scalars,
                   const Arrays &arrays) {
  const auto refuse = [&param](const char *why) {
    throw std::invalid_argument("argument " + param.name + " " + why);
  };
  if (!param.is_tensor) {
    const auto scalar = scalars.find(param.name);
    if (scalar == scalars.end()) return refuse("is missing");
    if (scalar->second.kind != kind) refuse("is of another kind");
    return;
  }
  const auto array = arrays.find(param.name);
  if (array == arrays.end()) return refuse("is missing");
  int64_t size = 1;
  for (int64_t extent : array->second.shape) size *= extent;
  if (size != static_cast<int64_t>(array->second.elements.size())) refuse("is of another size");
  for (const Estimate &element : array->second.elements) {
    if (element.kind != kind) refuse("is of another kind");
  }
}

}  // namespace mshadow_test
