// SPDX-License-Identifier: Apache-2.0
#include "frontend/check_stage.h"

#include <optional>
#include <set>
#include <string>

#include "frontend/advice.h"
#include "frontend/lower_shape.h"
#include "ir/stages.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// "2", "dim".
std::string RankText(const Param &param) {
  return param.rank == Param::kRankParam ? "dim" : std::to_string(param.rank);
}

/// The shape of a temporary as one writes it; of a vector that has a value for each of these.
std::string RightShape(const Rule &rule, const Param &temporary, Length::Kind each) {
  if (temporary.rank != 1) return TensorOfRank(rule, temporary.rank) + ".shape_";
  if (each == Length::kOne) return "Shape1(1)";
  const int dim = each == Length::kRows ? 0 : each == Length::kColumns ? 1 : rule.channel_dim;
  return "Shape1(" + TensorOfRank(rule, 2) + ".size(" + std::to_string(dim) + "))";
}

class StageCheck {
 public:
  StageCheck(FrontEnd &front, const Rule &stage, bool is_staged)
      : front_(front), rule_(stage), is_staged_(is_staged) {}

  void CheckRanks();
  void CheckRankParam(const Statement &statement);
  void CheckSources();
  void CheckElements();
  void CheckTemporaries();
  void CheckViews();

 private:
  FrontEnd &front_;
  const Rule &rule_;
  const bool is_staged_;
};

/// A vector that is reduced to is as long as there are rows, columns or channels; what everything
/// is reduced to has one element, and nothing else has.
void StageCheck::CheckTemporaries() {
  const Frame frame = FrameOf(rule_);
  const std::set<int> used = TensorsOf(rule_.stages.front());
  std::set<int> singles;
  if (frame == Frame::kAll) singles = ValuesOf(rule_);
  for (size_t i = 0; i < rule_.params.size(); ++i) {
    const int param = static_cast<int>(i);
    // What another kernel uses is checked there.
    if (!rule_.params[i].is_temporary || (is_staged_ && used.count(param) == 0)) continue;
    const std::optional<Length> known = LengthOf(rule_, rule_.params[i]);
    const bool is_single = singles.count(param) != 0;
    const Length::Kind expected = is_single                  ? Length::kOne
                                  : frame == Frame::kColumn  ? Length::kColumns
                                  : frame == Frame::kChannel ? Length::kChannels
                                                             : Length::kRows;
    const bool is_like_another = rule_.params[i].shape_of >= 0 && !is_single;
    const bool is_channels = expected == Length::kChannels;
    const bool is_right =
        !known ? is_like_another
               : known->kind == expected && (!is_channels || known->dim == rule_.channel_dim);
    if (!is_right) RejectTemporaryShape(front_, rule_, rule_.params[i], expected);
  }
}

/// One loop runs over all that a rule writes, so all of it has one rank; where rows are reduced,
/// vectors have an element for each of them.
void StageCheck::CheckRanks() {
  const std::set<int> values = ValuesOf(rule_);
  const bool reduces = FrameOf(rule_) != Frame::kElement;
  const Statement *first = nullptr;
  ForEachStatement(rule_, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    const Param &param = rule_.params[statement.target];
    if (values.count(statement.target) != 0) return;
    if (reduces && param.is_temporary) return;  // it is what it was given
    if (first == nullptr) first = &statement;
    if (!reduces) CheckRankParam(statement);
    const Param &other = rule_.params[first->target];
    if (param.rank == other.rank) return;
    front_.diagnostics
        .Report(DiagId::kMixedRanks, statement.location, param.name, RankText(param), other.name,
                RankText(other), "writes")
        .Note(DiagId::kMixedRanksNote, statement.location);
  });
}

/// The instance of a rule for any rank is of rank 2, which Clang takes for that of a matrix.
void StageCheck::CheckRankParam(const Statement &statement) {
  const Param &target = rule_.params[statement.target];
  for (const auto &[tensor, map] : ReadsOf(statement.value).operands) {
    const Param &source = rule_.params[tensor];
    const bool is_mixed = (source.rank == Param::kRankParam) != (target.rank == Param::kRankParam);
    if (map != IndexMap::kIdentity || !is_mixed) continue;
    front_.diagnostics
        .Report(DiagId::kMixedRanks, statement.location, source.name, RankText(source), target.name,
                RankText(target), "writes")
        .Note(DiagId::kMixedRanksNote, statement.location);
    return;
  }
}

/// A rule that reduces goes over all its tensors at once. Statements that write nothing but values
/// do not compare their ranks.
void StageCheck::CheckSources() {
  if (FrameOf(rule_) == Frame::kElement) return;
  const std::set<int> values = ValuesOf(rule_);
  const Param *first = nullptr;
  ForEachStatement(rule_, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    for (const auto &[param, map] : ReadsOf(statement.value).operands) {
      if (map != IndexMap::kIdentity || values.count(param) != 0) continue;
      const Param &source = rule_.params[param];
      if (first == nullptr) first = &source;
      if (source.rank == first->rank) continue;
      front_.diagnostics
          .Report(DiagId::kMixedRanks, statement.location, source.name, RankText(source),
                  first->name, RankText(*first), "goes over")
          .Note(DiagId::kMixedRanksNote, statement.location);
      return;
    }
  });
}

/// A rule that reduces has a tensor with more than its values among its operands: it is what a
/// kernel goes over. (Values could be broadcast to the shape of a tensor that is no operand.)
void StageCheck::CheckElements() {
  if (FrameOf(rule_) == Frame::kElement) return;
  const std::set<int> values = ValuesOf(rule_);
  const Statement *first = nullptr;
  bool has_elements = false;
  ForEachStatement(rule_, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    if (first == nullptr) first = &statement;
    has_elements = has_elements || values.count(statement.target) == 0;
    for (const auto &[param, map] : ReadsOf(statement.value).operands) {
      const bool is_element = map == IndexMap::kIdentity || map == IndexMap::kGather;
      has_elements = has_elements || (is_element && values.count(param) == 0);
    }
  });
  if (has_elements) return;
  front_.diagnostics.Report(DiagId::kReduction, first->location, "this reduction")
      .Note(DiagId::kReductionNote, first->location);
}

/// Where rows, columns or channels are reduced, a vector is a value of each of them, which is read
/// in other ways than elements are.
void StageCheck::CheckViews() {
  const Frame frame = FrameOf(rule_);
  if (frame == Frame::kElement || frame == Frame::kAll) return;
  for (int tensor : TensorsOf(rule_.stages.front())) {
    const Param &param = rule_.params[tensor];
    if (!param.view || param.is_part() || param.rank != 1) continue;
    front_.diagnostics.Report(DiagId::kViewVector, param.location)
        .Note(DiagId::kViewVectorNote, param.location);
  }
}

}  // namespace

void RejectTemporaryShape(FrontEnd &front, const Rule &rule, const Param &param,
                          Length::Kind each) {
  const std::string stream = TensorOfRank(rule, param.rank) + ".stream_";
  front.diagnostics.Report(DiagId::kTemporaryShape, param.location, param.name)
      .Note(DiagId::kTemporaryShapeNote, param.location,
            param.name + "(" + RightShape(rule, param, each) + ", " + stream + ")");
}

void CheckStage(FrontEnd &front, const Rule &stage, bool is_staged) {
  StageCheck check(front, stage, is_staged);
  check.CheckRanks();
  check.CheckSources();
  check.CheckElements();
  check.CheckTemporaries();
  check.CheckViews();
}

}  // namespace mgen
