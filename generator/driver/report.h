// SPDX-License-Identifier: Apache-2.0
/// \file report.h
/// Reports on the rules of a compilation, for people and for tools.
#ifndef MSHADOW_GENERATOR_DRIVER_REPORT_H_
#define MSHADOW_GENERATOR_DRIVER_REPORT_H_

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

/// The report as a page: one file, without scripts, which loads nothing. It has a table of the
/// kernels of target `base`, with the bytes that they move fused and unfused, and for each kernel
/// what explain says.
std::string ReportHtml(const Compilation &compilation, Numerics numerics, const std::string &base);

/// The rules and their parameters, one on each line.
std::string ListText(const Compilation &compilation);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_REPORT_H_
