// SPDX-License-Identifier: Apache-2.0
/// \file standalone.h
/// --standalone: outputs that include no header of mshadow. The generator contains the runtime, and
/// writes the parts that the outputs need as further files:
///
///     BASE.runtime.h   tensors, checks, Plans: all headers in one
///     BASE.runtime.cc  its library: errors, threads, the choice of an instruction set
///     BASE.packet.inc  packets, for the region of one instruction set
///     BASE.math.inc    what all regions share: 16-bit floats, loads, stores, elementary functions
///     BASE.views.h     views; without code if no rule reads any
///     BASE.instances.h, BASE.instances.cc  with --emit=blob
///     BASE.c_api.h, BASE.c_api.cc          with --emit=c
///     BASE.cuda.h, BASE.cuda.cu            with --emit=cuda
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

/// Replaces includes of the runtime's headers in `outputs` by includes of these files, and adds the
/// files.
/// \param views whether a rule reads views
std::vector<OutputFile> MakeStandalone(std::vector<OutputFile> outputs, const std::string &base,
                                       const std::set<std::string> &emit, bool views);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_STANDALONE_H_
