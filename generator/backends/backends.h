// SPDX-License-Identifier: Apache-2.0
/// \file backends.h
/// The kinds of output, and the back ends: pure functions from a target's Plans to named texts.
#ifndef MSHADOW_GENERATOR_BACKENDS_BACKENDS_H_
#define MSHADOW_GENERATOR_BACKENDS_BACKENDS_H_

#include <string>
#include <vector>

#include "backends/emit_options.h"
#include "emit/output_file.h"
#include "ir/plan.h"

namespace mgen {

#define MGEN_BACKEND(kind, function, language, brings, per_spec, per_target, help) \
  std::vector<OutputFile> function(const std::vector<Plan> &plans, const EmitOptions &options);
#define MGEN_REPORT(kind, per_target, help)
#include "backends/backends.def"
#undef MGEN_REPORT
#undef MGEN_BACKEND

enum class Language { kCpp, kText };

/// A kind of output: a row of backends.def.
struct OutputKind {
  std::string name;  ///< in --emit
  /// Null if the driver itself writes the files.
  std::vector<OutputFile> (*emit)(const std::vector<Plan> &, const EmitOptions &);
  Language language;
  std::string brings;                   ///< the kind that it needs as well; "": none
  std::vector<std::string> per_spec;    ///< ".gen.h": follows the spec's stem
  std::vector<std::string> per_target;  ///< ".h": follows BASE
  std::string help;
};

/// The table of backends.def.
const std::vector<OutputKind> &OutputKinds();

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_BACKENDS_H_
