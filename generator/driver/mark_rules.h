// SPDX-License-Identifier: Apache-2.0
/// \file mark_rules.h
/// Puts the hash of a spec's code into the names that have a kRuleMark.
#ifndef MSHADOW_GENERATOR_DRIVER_MARK_RULES_H_
#define MSHADOW_GENERATOR_DRIVER_MARK_RULES_H_

#include <string>
#include <vector>

#include "emit/output_file.h"

namespace mgen {

/// Replaces the marks in the outputs of one spec, "adamw.…" for the stem "adamw", by the hash of
/// those among `rules`, without the licence at their top.
void MarkRules(const std::string &stem, const std::string &license,
               const std::vector<OutputFile> &rules, std::vector<OutputFile> *outputs);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_MARK_RULES_H_
