// SPDX-License-Identifier: Apache-2.0
/// \file access.h
/// What a launch does to an argument: directly, or through views and slices of it.
#ifndef MSHADOW_GENERATOR_IR_ACCESS_H_
#define MSHADOW_GENERATOR_IR_ACCESS_H_

#include "ir/plan.h"

namespace mgen {

struct Access {
  bool read = false;     ///< some variant reads elements from before the launch
  bool written = false;  ///< some variant writes elements
};

/// \param argument index into Plan::rule's params
Access AccessOf(const Plan &plan, int argument);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_ACCESS_H_
