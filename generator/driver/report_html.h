// SPDX-License-Identifier: Apache-2.0
/// \file report_html.h
/// The report as a page: one file, no script, nothing from elsewhere.
#ifndef MSHADOW_GENERATOR_DRIVER_REPORT_HTML_H_
#define MSHADOW_GENERATOR_DRIVER_REPORT_HTML_H_

#include <string>

#include "driver/pipeline.h"

namespace mgen {

/// A table of the kernels of target `base` with what they move, fused and not, and of each what
/// explain says.
std::string ReportHtml(const Compilation &compilation, Numerics numerics, const std::string &base);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_REPORT_HTML_H_
