// SPDX-License-Identifier: Apache-2.0
/// \file schedule.h
/// Pass `schedule`: decides how a kernel runs, apart from what it computes. Back ends print
/// Plan::schedule and the phases, and decide nothing.
#ifndef MSHADOW_GENERATOR_PASSES_SCHEDULE_H_
#define MSHADOW_GENERATOR_PASSES_SCHEDULE_H_

#include "ir/plan.h"

namespace mgen {

/// Sets Plan::schedule, and in each phase the prefetches, the divisors, how many rows are read at a
/// time, and the non-temporal stores. The bits of a kernel's results do not depend on the schedule.
/// \param plan the Plan of one kernel; its steps are final
Plan SchedulePlan(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SCHEDULE_H_
