// SPDX-License-Identifier: Apache-2.0
/// \file determinism.h
/// Whether the bits of a rule's results are the same everywhere or only from run to run, and why.
#ifndef MSHADOW_GENERATOR_EMIT_DETERMINISM_H_
#define MSHADOW_GENERATOR_EMIT_DETERMINISM_H_

#include <optional>
#include <string>

#include "emit/numerics.h"
#include "ir/rule.h"

namespace mgen {

enum class Determinism {
  kRunToRun,    ///< on one machine with one build; another library or instruction set may differ
  kEverywhere,  ///< on every machine, compiler, number of threads and on GPUs, fused and unfused
};

/// As --determinism has it.
constexpr const char *NameOf(Determinism level) {
  return level == Determinism::kRunToRun ? "run-to-run" : "everywhere";
}

/// What keeps a rule's bits from being the same everywhere.
struct DeterminismLimit {
  std::string reason;       ///< the end of a sentence: "matrix products are BLAS's"
  std::string remedy;       ///< what to write instead
  SourceLocation location;  ///< the place in the spec
};

/// The first limit in the text of a rule; nothing if its level is kEverywhere.
std::optional<DeterminismLimit> LimitOf(const Rule &rule, Numerics numerics);

inline Determinism DeterminismOf(const Rule &rule, Numerics numerics) {
  return LimitOf(rule, numerics) ? Determinism::kRunToRun : Determinism::kEverywhere;
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_DETERMINISM_H_
