// SPDX-License-Identifier: Apache-2.0
/// \file bind_axes.h
/// Which axes of the kernel's elements each read has.
#ifndef MSHADOW_GENERATOR_PASSES_BIND_AXES_H_
#define MSHADOW_GENERATOR_PASSES_BIND_AXES_H_

#include "ir/rule.h"

namespace mgen {

/// A kernel whose reads have axes in the place of index expressions. In one with values, a vector
/// has an element for each of the axes that these have: the statements between such vectors read
/// them so, too.
Rule BindAxes(Rule kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_BIND_AXES_H_
