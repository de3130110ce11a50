// SPDX-License-Identifier: Apache-2.0
/// \file unset.h
/// Temporaries that are read before they have a value.
#ifndef MSHADOW_GENERATOR_PASSES_UNSET_H_
#define MSHADOW_GENERATOR_PASSES_UNSET_H_

#include <set>

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Reports each statement that reads one of the temporaries, itself or through a view, where some
/// values of the conditions let no statement before it write that one. A write of a part counts:
/// of which elements a part is, a launch alone knows. With more than twice kMaxConditions it looks
/// at nothing; another check reports those.
/// \param temporaries indices into Rule::params
void CheckUnset(const Rule &rule, const std::set<int> &temporaries, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_UNSET_H_
