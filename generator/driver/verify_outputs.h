// SPDX-License-Identifier: Apache-2.0
/// \file verify_outputs.h
/// --verify: what the back ends gave goes through verify/ before anybody sees it.
#ifndef MSHADOW_GENERATOR_DRIVER_VERIFY_OUTPUTS_H_
#define MSHADOW_GENERATOR_DRIVER_VERIFY_OUTPUTS_H_

#include <string>
#include <vector>

#include "driver/options.h"
#include "driver/pipeline.h"
#include "emit/output_file.h"

namespace mgen {

/// \param license the text of --license-header, which every output begins with
/// \param outputs those of the back ends
/// \throws UsageError for a licence that is code, std::logic_error for an output that is not clean
void VerifyOutputs(const Options &options, const Compilation &compilation,
                   const std::string &license, const std::vector<OutputFile> &outputs);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_VERIFY_OUTPUTS_H_
