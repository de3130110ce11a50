// SPDX-License-Identifier: Apache-2.0
/// \file schedule.h
/// Pass `schedule`: decides how a kernel runs, apart from what it computes. Back ends print
/// Plan::schedule and the phases, and decide nothing.
#ifndef MSHADOW_GENERATOR_PASSES_SCHEDULE_H_
#define MSHADOW_GENERATOR_PASSES_SCHEDULE_H_

#include "ir/plan.h"

namespace mgen {

/// Fills Plan::schedule, and what the schedule decides in each phase: prefetches, divisors, rows at
/// a time, non-temporal stores. No bit of a kernel's results depends on it.
/// \param plan of one kernel; its steps are final
Plan SchedulePlan(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SCHEDULE_H_
