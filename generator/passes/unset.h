// SPDX-License-Identifier: Apache-2.0
/// \file unset.h
/// Finds temporaries that are read before they have a value.
#ifndef MSHADOW_GENERATOR_PASSES_UNSET_H_
#define MSHADOW_GENERATOR_PASSES_UNSET_H_

#include <set>

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Reports each statement that reads one of the temporaries, directly or through a view, if for
/// some values of the conditions no earlier statement writes it. A write of a slice counts as one:
/// only a launch knows which elements a slice has. With more than 2 * kMaxConditions conditions it
/// checks nothing; IsLegalKernel reports those.
/// \param temporaries indices into Rule::params
void CheckUnset(const Rule &rule, const std::set<int> &temporaries, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_UNSET_H_
