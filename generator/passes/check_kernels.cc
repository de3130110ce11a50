// SPDX-License-Identifier: Apache-2.0
#include "passes/check_kernels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "ir/builder.h"
#include "ir/extents.h"
#include "ir/stages.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// "2", "dim".
std::string RankText(const Param &param) {
  return param.rank == Param::kRankParam ? "dim" : std::to_string(param.rank);
}

class StageCheck {
 public:
  StageCheck(const Rule &stage, bool is_staged, Diagnostics &diagnostics)
      : rule_(stage), is_staged_(is_staged), diagnostics_(diagnostics) {}

  void CheckRanks();
  void CheckRankParam(const Statement &statement);
  void CheckSources();
  void CheckElements();
  void CheckTemporaries();
  void CheckViews();

 private:
  const Rule &rule_;
  const bool is_staged_;
  Diagnostics &diagnostics_;
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
    if (!is_right) RejectTemporaryShape(rule_, rule_.params[i], diagnostics_, expected);
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
    diagnostics_
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
    diagnostics_
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
      diagnostics_
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
  diagnostics_.Report(DiagId::kReduction, first->location, "this reduction")
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
    diagnostics_.Report(DiagId::kViewVector, param.location)
        .Note(DiagId::kViewVectorNote, param.location);
  }
}

/// Whether a stage uses a number of a row or of a column.
bool UsesPlace(const Stage &stage) {
  bool uses = false;
  ForEachStatement(stage.body, [&uses](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    ForEachNode(statement.value, [&uses](const Expr &node) {
      uses = uses || node->op == Op::kIndex || node->op == Op::kAtColumn;
    });
  });
  return uses;
}

/// The extent to write in the place of that of `tensor`: the same of what a statement writes; "" if
/// no statement counts along `tensor`.
std::string ExtentOfTarget(const Rule &rule, int tensor) {
  std::string text;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    const Param &target = rule.params[statement.target];
    ForEachNode(statement.value, [&](const Expr &node) {
      if (node->op != Op::kIndex || node->index != tensor || !text.empty()) return;
      const int dim = target.rank == 1 ? 0 : node->dim;
      text = "range<float>(0, " + target.name + ".size(" + std::to_string(dim) + "))";
    });
  });
  return text;
}

/// A statement that writes a vector counts the vector's elements, or what it has one for each of.
void CheckVectorIndices(const Rule &rule, Diagnostics &diagnostics) {
  const Frame frame = FrameOf(rule);
  ForEachStatement(rule, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf || rule.params[statement.target].rank != 1) return;
    // Below a reduction stand the elements of matrices.
    Rewriter without_terms([](const Expr &node, std::vector<Expr> args) {
      if (ClassOf(node->op) == OpClass::Reduce) return MakeLiteral(node->type, 0);
      return WithArgs(node, std::move(args));
    });
    ForEachNode(without_terms(statement.value), [&](const Expr &node) {
      if (node->op != Op::kIndex) return;
      const int rank = rule.params[node->index].rank;
      const bool counts_rows = rank == 2 && node->dim == 0 && frame == Frame::kRow;
      const bool counts_columns = rank == 2 && node->dim == 1 && frame == Frame::kColumn;
      if ((rank == 1 && node->dim == 0) || counts_rows || counts_columns) return;
      diagnostics.Report(DiagId::kExtent, node->location, "range")
          .Note(DiagId::kExtentNote, node->location,
                "range<float>(0, " + rule.params[statement.target].name + ".size(0))");
    });
  });
}

/// Extents that expressions count by must be those of tensors that the launcher compares with the
/// others.
void CheckExtents(const Rule &rule, Diagnostics &diagnostics) {
  bool all_are_compared = true;
  for (const CountedExtent &extent : rule.counted_extents) {
    const bool is_compared =
        std::all_of(rule.stages.begin(), rule.stages.end(), [&](const Stage &stage) {
          const bool matters = rule.stages.size() == 1 || UsesPlace(stage);
          return !matters || TensorsOf(stage).count(extent.tensor) != 0;
        });
    if (is_compared) continue;
    all_are_compared = false;
    const std::string instead = ExtentOfTarget(rule, extent.tensor);
    diagnostics.Report(DiagId::kExtent, extent.location, extent.name)
        .Note(DiagId::kExtentNote, extent.location, instead.empty() ? extent.instead : instead);
  }
  if (!all_are_compared) return;
  for (size_t i = 0; i < rule.stages.size(); ++i) {
    if (ProductOf(rule.stages[i]) == nullptr) CheckVectorIndices(StageRule(rule, i), diagnostics);
  }
}

}  // namespace

void RejectTemporaryShape(const Rule &rule, const Param &param, Diagnostics &diagnostics,
                          Length::Kind each) {
  diagnostics.Report(DiagId::kTemporaryShape, param.location, param.name)
      .Note(DiagId::kTemporaryShapeNote, param.location, InitOfTemporary(rule, param, each));
}

bool CheckKernels(const Rule &rule, Diagnostics &diagnostics) {
  const int errors_before = diagnostics.error_count();
  for (size_t i = 0; i < rule.stages.size(); ++i) {
    if (ProductOf(rule.stages[i]) != nullptr) continue;
    const Rule stage = StageRule(rule, i);
    StageCheck check(stage, IsStaged(rule), diagnostics);
    check.CheckRanks();
    check.CheckSources();
    check.CheckElements();
    check.CheckTemporaries();
    check.CheckViews();
  }
  CheckExtents(rule, diagnostics);
  return diagnostics.error_count() == errors_before;
}

}  // namespace mgen
