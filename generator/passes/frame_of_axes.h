// SPDX-License-Identifier: Apache-2.0
/// \file frame_of_axes.h
/// The one place where index expressions become the index maps of a kernel's frame, which later
/// passes and the back ends know. It goes when they take index expressions, too
/// (docs/decisions/axes.md).
#ifndef MSHADOW_GENERATOR_PASSES_FRAME_OF_AXES_H_
#define MSHADOW_GENERATOR_PASSES_FRAME_OF_AXES_H_

#include "ir/rule.h"

namespace mgen {

/// A kernel whose reads have index maps in place of index expressions. In one that reduces, or
/// picks elements of rows, a vector has an element for each row (column, channel), or for all of
/// them: the statements between such vectors read them through that map, too.
Rule FrameOfAxes(Rule kernel);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FRAME_OF_AXES_H_
