// SPDX-License-Identifier: Apache-2.0
/// \file step_text.h
/// What the functions of a kernel's body are made of: the step of a sweep, and what is done between
/// sweeps.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "backends/common/phase_text.h"
#include "backends/common/skeleton.h"

namespace mgen {

/// Whether text names N, the number of lanes: a constant that nothing names is a warning.
bool NamesLanes(const std::string &text);

/// Prints the phases of one body, in their order: it knows what they have declared.
class StepText {
 public:
  explicit StepText(const PlanText &rule);

  const PlanText &rule() const { return rule_; }
  std::string Name(int operand) const { return rule_.operand_name(operand); }
  std::string Member(int operand) const { return "plan." + Name(operand); }
  /// Whether an operand has one value for a row, which is the same packet in all steps.
  bool IsValue(int operand) const;

  /// The row of an operand, or its value; "" of what is declared where it is assigned.
  /// \param target what has the value
  std::string Local(int operand, const std::string &target = "row");
  /// The row in which a reduction's leaf is.
  std::string LeafRow(int reduction) const;
  /// The declaration of what `steps` assign, unless its first assignment can be that: then "".
  std::string Declared(int operand, const std::vector<mgen::Step> &steps);
  /// The reductions of a phase, by the loop `target` around it.
  std::string Reductions(const PhaseText &phase, const std::string &target) const;
  /// What is done once, between sweeps. \param indent columns before it
  std::string Once(const PhaseText &phase, int indent);
  /// A sweep over the elements of a row. \param indent columns before the step's body
  std::string Step(const PhaseText &phase, int indent);
  /// The rows of a sweep's operands, and the rows' values.
  std::string Rows(const PhaseText &phase);
  /// A sweep that reduces, leaf by leaf. \param values that a leaf has
  /// \param indent columns before it
  std::string LeafLoop(const PhaseText &phase, const std::string &values, int indent);
  /// A sweep that reduces nothing, row by row.
  std::string RowLoop(const PhaseText &phase, int indent);
  /// A packet of the values that columns have: "const auto mean = mean_row[i];".
  std::string ColumnLoad(int operand, bool is_written) const;
  /// The type of an operand's values.
  std::string Packet(int operand) const;

 private:
  /// What the loop around rows and leaves is over.
  std::string Unit() const { return SkeletonOf(plan_).unit; }
  /// Whether several passes load the operand's elements, and none stores them.
  bool IsCached(int operand) const;
  /// How often the results of reductions are read.
  void CountResults(const Phase &phase);
  void CountResult(const Node &node);
  bool IsUnread(int operand) const;
  /// The steps of the first phase that assigns a value.
  std::vector<mgen::Step> FirstAssigning(int operand) const;
  /// What picks elements out of the row: anew in each phase, since sweeps may store them.
  std::string Gathers(const PhaseText &phase);
  int AssignmentsOf(int value) const;
  /// What stands before the name of what is assigned, so many times in all.
  std::string Declaration(int operand, int assignments);
  /// The results of reductions that are read more than once.
  std::string Results(const PhaseText &phase);
  std::string Finish(int reduction) const;
  ExprStyle OnceStyle() const;
  /// Where the step's lanes are, and which of all elements, where that matters.
  static std::string Place(const PhaseText &phase);
  std::string Divisors(const PhaseText &phase);
  static const std::vector<Prefetch> &PrefetchesOf(const PhaseText &phase);
  std::string NextRows(const PhaseText &phase) const;
  std::string Prefetches(const PhaseText &phase) const;
  /// `row.Sweep([=](auto i, auto &total_lanes) MSHADOW_INLINED {`. The step captures values, which
  /// no store can change; of what holds elements references.
  /// \param indent columns before it
  std::string Call(const PhaseText &phase, int indent) const;
  /// Where the packets of a sweep begin; of one that reduces, what goes past the cache.
  std::string Out(const PhaseText &phase) const;
  /// What a sweep writes, and which rows have elements at some places only.
  std::string Inside(const PhaseText &phase, int out) const;
  std::string End(const PhaseText &phase) const;
  std::string Loads(const PhaseText &phase);
  ExprStyle SweepStyle(const PhaseText &phase) const;
  /// Stores elements, those under one guard together.
  std::string ElementStores(const PhaseText &phase) const;

  const PlanText rule_;
  const Plan &plan_;
  std::map<int, int> read_;   ///< how often results of reductions are
  std::set<int> undeclared_;  ///< operands that are declared where they are assigned
  std::set<int> gathered_, finished_, divisors_;  ///< what was declared so far
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
