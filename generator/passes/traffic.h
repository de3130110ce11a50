// SPDX-License-Identifier: Apache-2.0
/// \file traffic.h
/// What counts as traffic of memory in the figures that messages and `explain` give.
#ifndef MSHADOW_GENERATOR_PASSES_TRAFFIC_H_
#define MSHADOW_GENERATOR_PASSES_TRAFFIC_H_

#include "ir/rule.h"

namespace mgen {

/// Whether each element of a tensor that a kernel reads or writes is one of memory. Random numbers
/// and ranges are in no memory. A view that only broadcasts smaller tensors finds these in cache.
bool IsTraffic(const Param &param);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_TRAFFIC_H_
