// SPDX-License-Identifier: Apache-2.0
/// \file manifest.h
/// BASE.manifest: fingerprints, by which a set of outputs can be checked. Sorted lines:
///
///     format 1
///     input SHA256 PATH        specs and the headers they include, relative to the path base
///     option FLAG              each flag that affects the outputs
///     output SHA256 NAME
///     revision N               that of the emitted code
///     tool VERSION             the one line that may change without the outputs changing
#ifndef MSHADOW_GENERATOR_DRIVER_MANIFEST_H_
#define MSHADOW_GENERATOR_DRIVER_MANIFEST_H_

#include <map>
#include <string>
#include <string_view>

#include "driver/options.h"
#include "driver/pipeline.h"
#include "emit/output_file.h"

namespace mgen {

/// \throws FileError for an input that cannot be read
std::string MakeManifest(const Options &options, const Compilation &compilation,
                         const std::vector<OutputFile> &outputs);

/// The outputs that a manifest names, with their fingerprints. Anyone may have written the file, so
/// lines of another form, and names that are not plain file names, are ignored.
std::map<std::string, std::string> ManifestOutputs(std::string_view manifest);

/// The manifest without its `tool` line.
std::string WithoutToolLine(std::string_view manifest);

/// `text` with LF for every CR LF.
std::string NormalizeNewlines(std::string_view text);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_MANIFEST_H_
