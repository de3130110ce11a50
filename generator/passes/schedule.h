// SPDX-License-Identifier: Apache-2.0
/// \file schedule.h
/// Pass `schedule`: how a kernel runs, beside what it computes. Back ends print what stands in
/// Plan::schedule and in the phases, and decide nothing again.
#ifndef MSHADOW_GENERATOR_PASSES_SCHEDULE_H_
#define MSHADOW_GENERATOR_PASSES_SCHEDULE_H_

#include "ir/plan.h"

namespace mgen {

/// Fills Plan::schedule, and of each phase what it prefetches, divides by and stores past the
/// cache. The bits of a kernel do not depend on it.
/// \param plan of one kernel; its steps are final
Plan SchedulePlan(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SCHEDULE_H_
