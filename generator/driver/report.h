// SPDX-License-Identifier: Apache-2.0
/// \file report.h
/// Reports on the rules of a compilation, for people and for tools.
#ifndef MSHADOW_GENERATOR_DRIVER_REPORT_H_
#define MSHADOW_GENERATOR_DRIVER_REPORT_H_

#include <map>
#include <string>
#include <vector>

#include "driver/pipeline.h"
#include "emit/numerics.h"

namespace mgen {

/// "optim::AdamW".
std::string QualifiedName(const Rule &rule);

/// What explain says about the kernels called `kernel` (qualified or not; "": all of them),
/// generated with these numerics.
std::string ReportText(const Compilation &compilation, Numerics numerics,
                       const std::string &kernel);
/// The same as {"numerics": "strict", "kernels": [...]}.
std::string ReportJson(const Compilation &compilation, Numerics numerics,
                       const std::string &kernel);

/// The report as a page: one file, which loads nothing. It has a table of the kernels of target
/// `base`, with the bytes that they move fused and unfused. For each kernel it has what explain
/// says, and pictures that a script in the page draws: the lines of the spec beside the emitted
/// loops, a graph of what each pass loads and stores, and a roofline.
/// \param loops the emitted loops, by the name of the spec
/// \throws FileError for a spec that cannot be read
std::string ReportHtml(const Compilation &compilation, Numerics numerics, const std::string &base,
                       const std::map<std::string, std::string> &loops);

/// The rules and their parameters, one on each line.
std::string ListText(const Compilation &compilation);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_REPORT_H_
