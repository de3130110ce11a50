// SPDX-License-Identifier: Apache-2.0
/// \file bind_axes.h
/// Pass `bind_axes`: finds the axes that each read has.
#ifndef MSHADOW_GENERATOR_PASSES_BIND_AXES_H_
#define MSHADOW_GENERATOR_PASSES_BIND_AXES_H_

#include "ir/rule.h"

namespace mgen {

/// Returns \p kernel with axes in its reads in place of index expressions. If the kernel keeps
/// axes, its vectors have these axes wherever they are read, even in statements that use only
/// vectors.
Rule BindAxes(Rule kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_BIND_AXES_H_
