// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"

#include <iterator>
#include <sstream>

namespace mgen {
namespace {

std::vector<std::string> Words(const char *text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

const std::vector<OutputKind> &OutputKinds() {
  static const std::vector<OutputKind> all = {
#define MGEN_BACKEND(kind, function, language, brings, per_spec, per_target, help) \
  {#kind, function, Language::language, brings, Words(per_spec), Words(per_target), help},
#define MGEN_REPORT(kind, per_target, help) \
  {#kind, nullptr, Language::kText, "", {}, Words(per_target), help},
#include "backends/backends.def"
#undef MGEN_REPORT
#undef MGEN_BACKEND
  };
  return all;
}

}  // namespace mgen
