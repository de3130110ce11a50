// SPDX-License-Identifier: Apache-2.0
/// \file phases_text.h
/// A rule that reduces columns or channels, phase by phase: the formulas, and how loops call them.
/// (Other kernels are written as kernel_body.h says.)
///
/// Sweep k of BatchNorm is BatchNormMap<k> and BatchNormStep<k>; what is done once for a column,
/// between sweeps, is BatchNormColumn<k>, for a channel BatchNorm2dChannel<k>. Values are packets
/// with the same value in every lane; those of columns, with each column's.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_PHASES_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_PHASES_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// One phase, and what of the row it is about.
struct PhaseText {
  const Phase *phase;
  int number;                   ///< of the sweep, or of the row's steps, from 1
  std::vector<int> values;      ///< operands with one value per row, …, that it reads or gives
  std::set<int> given;          ///< those that it gives
  std::set<int> divisors;       ///< those that it takes as a Divisor
  std::vector<int> reductions;  ///< of a sweep: that it takes terms of; else: that it reads
  bool uses_scalars = false;    ///< of the launch
  bool uses_place = false;      ///< the numbers of rows or columns, or of elements
  bool uses_number = false;     ///< the numbers of elements among all that are reduced together
  std::string function;         ///< "BatchNormStep1", "BatchNormColumn1"
  /// Of what is done once: "before its sweeps", "after sweep 1".
  std::string when;
};
std::vector<PhaseText> PhasesOf(const PlanText &rule);

/// What rule.map.inc holds: every phase's functions.
std::string PhasesText(const PlanText &rule);

/// The call of a phase's function.
struct PhaseCall {
  std::string lanes;       ///< template argument N
  std::string scalars;     ///< the Scalars
  std::string index;       ///< of the first element, from where the pointers point: "i", ""
  std::string reduction;   ///< after a reduction's name: its accumulators; "" for its result
  std::string at;          ///< the place of the first element: "{y, i}"
  std::string which;       ///< the lanes: "AllLanes()"
  int indent;              ///< columns before it
  std::string value = {};  ///< after the name of a column's value: ".at(x)"
};
std::string PhaseCallText(const PlanText &rule, const PhaseText &phase, const PhaseCall &call);

/// The parameters that are values of the row.
std::vector<std::string> ValueParams(const PlanText &rule, const PhaseText &phase);
/// `top_max` + call for each reduction of a sweep: "top_max.Begin();".
std::string ForReductions(const PlanText &rule, const PhaseText &phase, const std::string &call);

/// One statement in its variants.
std::string GuardedLine(const PlanText &rule, const Guard &guard, const std::string &line);
/// The operands of a sweep that are elements.
std::vector<int> OperandsOf(const PhaseText &phase);
/// How a step takes an operand's elements: a pointer to them, or what stands for one.
std::string ElementsParam(const PlanText &rule, int operand);
/// The pointer to an operand's elements of row `y`.
std::string ElementsLocal(const PlanText &rule, int operand, const std::string &y);
/// The pointers to the elements of row `y` that a sweep of such a rule takes, and the row's values.
std::string SweepLocals(const PlanText &rule, const PhaseText &phase, const std::string &y);
/// A value of row or channel `y`, read if a tensor holds it.
std::string ValueLocal(const PlanText &rule, int operand, const std::string &y);
/// The values of a channel: those that a tensor holds are read.
std::string ChannelValues(const PlanText &rule);
/// Writes them back.
std::string ChannelStores(const PlanText &rule);
/// "Maximum, float": the template arguments of a reduction's accumulators.
std::string ReductionArgs(const PlanText &rule, int reduction);
/// "RowReduction<Maximum, float": open for what a back end adds.
std::string ReductionType(const PlanText &rule, int reduction);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_PHASES_TEXT_H_
