// SPDX-License-Identifier: Apache-2.0
/// \file help.h
/// Explanations of messages: the sections of docs/messages/*.md, which are embedded in the program.
#ifndef MSHADOW_GENERATOR_DRIVER_HELP_H_
#define MSHADOW_GENERATOR_DRIVER_HELP_H_

#include <string>
#include <vector>

namespace mgen {

/// The ids that `mshadow-gen help` explains, "const-write" among them, sorted: those of errors,
/// warnings and performance messages.
std::vector<std::string> ExplainedIds();

/// What `mshadow-gen help ID` prints: the id, its severity, and the text of its section, with code
/// indented instead of fenced.
/// \param id one of ExplainedIds()
/// \throws std::logic_error if no page has a section for the id
std::string Explanation(const std::string &id);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_HELP_H_
