// SPDX-License-Identifier: Apache-2.0
/// \file step_text.h
/// The pieces of a kernel's body: the steps of sweeps, and the epilogues.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "backends/common/phase_text.h"
#include "backends/common/skeleton.h"

namespace mgen {

/// Whether a text names N, the number of lanes. A function declares N only if its text does, since
/// compilers warn of unused constants.
bool NamesLanes(const std::string &text);

/// Prints the phases of one body, in their order. It remembers what they have declared.
class StepText {
 public:
  explicit StepText(const PlanText &rule);

  const PlanText &rule() const { return rule_; }
  std::string Name(int operand) const { return rule_.operand_name(operand); }
  std::string Member(int operand) const { return "plan." + Name(operand); }
  /// Whether an operand has one value for a row, which is the same packet in all steps.
  bool IsValue(int operand) const;

  /// Declares an operand's row or value; "" if the operand is declared later, or not at all.
  /// \param target the object that has the value
  std::string Local(int operand, const std::string &target = "row");
  /// Declares the row of a reduction's leaf.
  std::string LeafRow(int reduction) const;
  /// Declares an operand that `steps` assign; "" if its first assignment can declare it.
  std::string Declared(int operand, const std::vector<mgen::Step> &steps);
  /// Declares the accumulators of a phase's scans.
  std::string Scans(const PhaseText &phase) const;
  /// Declares the reductions of a phase, in the loop with variable `target`.
  std::string Reductions(const PhaseText &phase, const std::string &target) const;
  /// An epilogue. \param indent columns by which its lines are indented
  std::string Once(const PhaseText &phase, int indent);
  /// A sweep over the elements of a row. \param indent columns by which the step's body is indented
  std::string Step(const PhaseText &phase, int indent);
  /// Declares the rows of a sweep's operands, and the values of rows.
  std::string Rows(const PhaseText &phase);
  /// A sweep that reduces, leaf by leaf.
  /// \param values declarations of the values that belong to a leaf
  /// \param indent columns by which it is indented
  std::string LeafLoop(const PhaseText &phase, const std::string &values, int indent);
  /// A sweep that reduces nothing, row by row.
  std::string RowLoop(const PhaseText &phase, int indent);
  /// Loads a packet: "const auto mean = mean_row[i];". Where only some variants use the operand:
  /// "const auto mean = LoadIf<(kCentred)>(mean_row, i);".
  /// \param again whether a variant uses it only if there are no row buffers
  std::string Load(int operand, bool is_written, bool again = false) const;
  /// The value of an operand that has one for a row, a channel or the like. \param target as Local
  std::string ValueOf(int operand, const std::string &target) const;
  /// The type of a packet of an operand.
  std::string Packet(int operand) const;

 private:
  /// An expression that reads an operand's memory. A variant that does not use the operand does not
  /// evaluate it.
  std::string IfUsed(int operand, const std::string &value) const;
  /// The variable of the loop around leaves and rows: "channel".
  std::string Unit() const { return SkeletonOf(plan_).unit; }
  /// Whether every element of the operand is stored, and none is read before.
  bool IsNew(int operand) const;
  /// Whether several passes load the operand's elements, and none stores them.
  bool IsCached(int operand) const;
  /// Counts how often the results of reductions are read.
  void CountResults(const Phase &phase);
  void CountResult(const Node &node);
  bool IsUnread(int operand) const;
  /// The steps of the first phase that assigns a value.
  std::vector<mgen::Step> FirstAssigning(int operand) const;
  /// Loads the elements that indices pick from a row. Each phase loads them again, since sweeps may
  /// store them.
  std::string Gathers(const PhaseText &phase);
  int AssignmentsOf(int value) const;
  /// The text before the name of an operand in an assignment: its type if this declares it.
  /// \param assignments how often the operand is assigned
  std::string Declaration(int operand, int assignments);
  /// Declares those results of reductions that are read more than once.
  std::string Results(const PhaseText &phase);
  std::string Finish(int reduction) const;
  ExprStyle OnceStyle() const;
  /// The coordinates of the step's lanes, and the indices of their elements if the phase uses them.
  static std::string Place(const PhaseText &phase);
  std::string Divisors(const PhaseText &phase);
  /// `for (auto leaf = block.leaves(plan.in); !leaf.done(); leaf.next()) {`
  /// \param indent columns by which it is indented
  std::string LeafLoopHead(const PhaseText &phase, int indent) const;
  static const std::vector<Prefetch> &PrefetchesOf(const PhaseText &phase);
  std::string NextRows(const PhaseText &phase) const;
  std::string Prefetches(const PhaseText &phase) const;
  /// `row.Sweep([=](auto i, auto &total_lanes) MSHADOW_INLINED {`. The step captures copies, which
  /// no store can change. It captures references only to what is large: row buffers and most views.
  /// \param indent columns by which it is indented
  std::string Call(const PhaseText &phase, int indent) const;
  /// The row in whose memory the packets of a sweep begin. For a sweep that reduces, the row that
  /// gets non-temporal stores.
  std::string Out(const PhaseText &phase) const;
  /// The row that a sweep writes, with the rows of views that lack elements in some columns.
  std::string Inside(const PhaseText &phase, int out) const;
  std::string End(const PhaseText &phase) const;
  std::string Loads(const PhaseText &phase);
  ExprStyle SweepStyle(const PhaseText &phase) const;
  /// Stores elements, those under one guard together.
  std::string ElementStores(const PhaseText &phase) const;

  const PlanText rule_;
  const Plan &plan_;
  std::map<int, int> read_;                       ///< how often the results of reductions are read
  std::set<int> undeclared_;                      ///< operands that their first assignment declares
  std::set<int> gathered_, finished_, divisors_;  ///< those that have been declared
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_STEP_TEXT_H_
