// SPDX-License-Identifier: Apache-2.0
/// \file backends.h
/// The back ends: pure functions from a target's Plans to named texts.
#ifndef MSHADOW_GENERATOR_BACKENDS_BACKENDS_H_
#define MSHADOW_GENERATOR_BACKENDS_BACKENDS_H_

#include <string_view>
#include <vector>

#include "backends/emit_options.h"
#include "emit/output_file.h"
#include "ir/plan.h"

namespace mgen {

#define MGEN_BACKEND(kind, function, help) \
  std::vector<OutputFile> function(const std::vector<Plan> &plans, const EmitOptions &options);
#include "backends/backends.def"
#undef MGEN_BACKEND

struct Backend {
  std::string_view kind;
  std::vector<OutputFile> (*emit)(const std::vector<Plan> &, const EmitOptions &);
  std::string_view help;
};

/// The table of backends.def.
const std::vector<Backend> &Backends();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_BACKENDS_H_
