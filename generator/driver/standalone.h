// SPDX-License-Identifier: Apache-2.0
/// \file standalone.h
/// --standalone: outputs that include no header of mshadow. What they need of the runtime, which is
/// inside this program, is written beside them:
///
///     BASE.runtime.h   tensors, checks, Plans: all headers in one
///     BASE.runtime.cc  what is behind them: errors, threads, the choice of an instruction set
///     BASE.packet.inc  packets, for the region of one instruction set
///     BASE.math.inc    what all regions share: 16-bit floats, loads, stores, elementary functions
///     BASE.instances.h, BASE.instances.cc  what entries for blobs need, where they are emitted
///     BASE.c_api.h, BASE.c_api.cc          and the functions for C
///     BASE.cuda.h, BASE.cuda.cu            and kernels
#ifndef MSHADOW_GENERATOR_DRIVER_STANDALONE_H_
#define MSHADOW_GENERATOR_DRIVER_STANDALONE_H_

#include <set>
#include <string>
#include <vector>

#include "emit/output_file.h"

namespace mgen {

/// The names of the files that are added.
std::vector<std::string> StandaloneNames(const std::string &base,
                                         const std::set<std::string> &emit);

/// `outputs` with includes of those files for includes of the runtime, and the files.
/// \param views whether a rule reads views
std::vector<OutputFile> MakeStandalone(std::vector<OutputFile> outputs, const std::string &base,
                                       const std::set<std::string> &emit, bool views);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_STANDALONE_H_
