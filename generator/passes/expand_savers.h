// SPDX-License-Identifier: Apache-2.0
/// \file expand_savers.h
/// Writes `t += e` as `t = add(t, e)`, and so on for the other savers, so that later passes know
/// one kind of statement. Runs after `check`, whose messages speak of what the spec says.
///
///     1: mean += grad        →     1: mean = add(mean, grad)
///
/// Operands of type bool are promoted to i32, as in C++.
#ifndef MSHADOW_GENERATOR_PASSES_EXPAND_SAVERS_H_
#define MSHADOW_GENERATOR_PASSES_EXPAND_SAVERS_H_

#include "ir/rule.h"

namespace mgen {

Rule ExpandSavers(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_EXPAND_SAVERS_H_
