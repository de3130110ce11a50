// SPDX-License-Identifier: Apache-2.0
/// \file emit_options.h
/// The options that, with the Plans, decide the emitted texts. Everything is a value: back ends
/// read no file, clock or environment.
#ifndef MSHADOW_GENERATOR_BACKENDS_EMIT_OPTIONS_H_
#define MSHADOW_GENERATOR_BACKENDS_EMIT_OPTIONS_H_

#include <string>
#include <vector>

#include "emit/numerics.h"

namespace mgen {

/// Revision of the contract between emitted code and the runtime's headers. A change that breaks
/// older emitted code, or that needs newer headers, takes the next number, here and in
/// <mshadow/emitted/revision.h>.
constexpr int kCodeRevision = 17;

struct EmitOptions {
  std::string base;  ///< --name: the umbrella header is <base>.h
  /// --namespace: outputs are wrapped in these namespaces, outermost first.
  std::vector<std::string> wrap;
  /// --isa: instruction sets beyond the baseline, which is always there.
  std::vector<std::string> isa = {"baseline", "avx2", "avx512"};
  Numerics numerics = Numerics::kStrict;  ///< --numerics
  bool cuda = true;                       ///< --cuda: gpu launchers call kernels of the .gen.cu
  std::string license;                    ///< text of --license-header, prepended as it is
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_EMIT_OPTIONS_H_
