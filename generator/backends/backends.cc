// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"

namespace mgen {

const std::vector<Backend> &Backends() {
  static const std::vector<Backend> all = {
#define MGEN_BACKEND(kind, function, help) {#kind, function, help},
#include "backends/backends.def"
#undef MGEN_BACKEND
  };
  return all;
}

}  // namespace mgen
