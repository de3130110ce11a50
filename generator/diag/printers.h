// SPDX-License-Identifier: Apache-2.0
/// \file printers.h
/// Diagnostics as text in Clang's style, and as JSON.
#ifndef MSHADOW_GENERATOR_DIAG_PRINTERS_H_
#define MSHADOW_GENERATOR_DIAG_PRINTERS_H_

#include <string>

#include "diag/diagnostics.h"

namespace mgen {

/// All diagnostics, each as
///
///     specs/adamw.h:31:12: error: TEXT [mshadow-ID]
///        31 |   weight -= grad;
///           |   ^~~~~~
///     specs/adamw.h:29:3: note: TEXT
///
/// \param color whether to set colours with ANSI escapes.
std::string FormatText(const Diagnostics &diagnostics, bool color);

/// {"diagnostics":[{"file":…,"line":…,"column":…,"end_column":…,"severity":…,"id":"mshadow-…",
/// "text":…,"notes":[…]}],"errors":N} and a newline.
std::string FormatJson(const Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DIAG_PRINTERS_H_
