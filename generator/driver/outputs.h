// SPDX-License-Identifier: Apache-2.0
/// \file outputs.h
/// Plans → the texts of all output files.
#ifndef MSHADOW_GENERATOR_DRIVER_OUTPUTS_H_
#define MSHADOW_GENERATOR_DRIVER_OUTPUTS_H_

#include <string>
#include <vector>

#include "driver/options.h"
#include "driver/pipeline.h"
#include "emit/output_file.h"

namespace mgen {

/// The names of the outputs, manifest last: a function of the command line alone.
/// \throws UsageError as ListSpecs
std::vector<std::string> OutputNames(const Options &options);

/// The outputs, with the names of OutputNames and in their order. A spec whose rules were all left
/// out has files without code, since builds know the names beforehand.
/// \throws FileError for an input that cannot be read, std::logic_error for a bug of ours
std::vector<OutputFile> MakeOutputs(const Options &options, const Compilation &compilation);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_OUTPUTS_H_
