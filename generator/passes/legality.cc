// SPDX-License-Identifier: Apache-2.0
#include "passes/legality.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "ir/effects.h"
#include "ir/stages.h"
#include "ir/view_call.h"
#include "ir/walk.h"
#include "passes/variants.h"

namespace mgen {
namespace {

/// "2", "dim".
std::string RankText(const Param &param) {
  return param.rank == Param::kRankParam ? "dim" : std::to_string(param.rank);
}

class KernelCheck {
 public:
  KernelCheck(const Rule &kernel, Diagnostics &diagnostics)
      : rule_(kernel),
        kept_(KeptBy(kernel)),
        values_(ValuesOf(kernel)),
        value_map_(kept_),
        diagnostics_(diagnostics) {}

  bool Run() {
    const int errors_before = diagnostics_.error_count();
    CheckRanks();
    CheckSources();
    CheckElements();
    CheckViews();
    FindWrites();
    CheckShiftedReads();
    CheckParts();
    CheckConditions();
    return diagnostics_.error_count() == errors_before;
  }

 private:
  /// One loop runs over all tensors that the rule writes, so they have one rank. If rows are
  /// reduced, there may also be vectors with an element for each row.
  void CheckRanks() {
    const bool reduces = !kept_.is_every();
    const Statement *first = nullptr;
    ForEachStatement(rule_, [&](const Statement &statement) {
      if (!statement.writes()) return;
      const Param &param = rule_.params[statement.target];
      if (values_.count(statement.target) != 0) return;
      if (reduces && param.is_temporary) return;  // it has the rank of its value
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

  /// Clang parses a rule for any rank at rank 2, so it does not see whether a tensor has that rank
  /// or the rule's.
  void CheckRankParam(const Statement &statement) {
    const Param &target = rule_.params[statement.target];
    for (const auto &[tensor, axes] : ReadsOf(statement.value).operands) {
      const Param &source = rule_.params[tensor];
      const bool is_mixed =
          (source.rank == Param::kRankParam) != (target.rank == Param::kRankParam);
      if (!axes.is_every() || !is_mixed) continue;
      diagnostics_
          .Report(DiagId::kMixedRanks, statement.location, source.name, RankText(source),
                  target.name, RankText(target), "writes")
          .Note(DiagId::kSameRankNote, statement.location);
      return;
    }
  }

  /// A rule that reduces goes over all its tensors in one loop, but CheckRanks compares no ranks in
  /// statements that write only values.
  void CheckSources() {
    if (kept_.is_every()) return;
    const Param *first = nullptr;
    const Statement *of_first = nullptr;
    ForEachStatement(rule_, [&](const Statement &statement) {
      if (!statement.writes()) return;
      for (const auto &[param, axes] : ReadsOf(statement.value).operands) {
        if (!axes.is_every() || values_.count(param) != 0) continue;
        const Param &source = rule_.params[param];
        if (first == nullptr) std::tie(first, of_first) = std::pair(&source, &statement);
        if (source.rank == first->rank) continue;
        const bool is_earlier = of_first != &statement;
        diagnostics_
            .Report(DiagId::kMixedRanks, statement.location, source.name, RankText(source),
                    first->name, RankText(*first), "loops over")
            .Note(is_earlier ? DiagId::kMixedRanksNote : DiagId::kSameRankNote,
                  statement.location);
        return;
      }
    });
  }

  /// A rule that reduces needs an operand other than its values, whose elements the kernel goes
  /// over, be it that operators ignore them. (Values could be broadcast to the shape of a tensor
  /// that is not an operand.)
  void CheckElements() {
    if (kept_.is_every()) return;
    const Statement *first = nullptr;
    bool has_elements = false;
    const auto is_ignored_element = [this](const Expr &fitting) {
      return fitting->op == Op::kRead && fitting->axes.is_every() &&
             values_.count(fitting->index) == 0;
    };
    ForEachStatement(rule_, [&](const Statement &statement) {
      if (!statement.writes()) return;
      if (first == nullptr) first = &statement;
      const std::vector<Expr> &fitting = statement.fitting;
      has_elements = has_elements || values_.count(statement.target) == 0 ||
                     std::any_of(fitting.begin(), fitting.end(), is_ignored_element);
      for (const auto &[param, axes] : ReadsOf(statement.value).operands) {
        const bool is_element = axes.is_every() || axes.is_picked();
        has_elements = has_elements || (is_element && values_.count(param) == 0);
      }
    });
    if (has_elements) return;
    diagnostics_.Report(DiagId::kRepeatedValues, first->location)
        .Note(DiagId::kRepeatedValuesNote, first->location);
  }

  /// If rows, columns or channels are reduced, a vector has a value for each of them. Values are
  /// not read like elements, so such a vector must not be a view.
  void CheckViews() {
    if (kept_.is_every() || kept_.is_none()) return;
    for (int tensor : EffectsOf(rule_.stages.front().body).used()) {
      const Param &param = rule_.params[tensor];
      if (!param.view || param.is_part() || param.rank != 1) continue;
      auto report = diagnostics_.Report(DiagId::kViewVector, param.location);
      if (const std::string reducer = ReducerOf(*param.view); !reducer.empty()) {
        report.Note(DiagId::kReducedViewNote, param.location, KeptDim(*param.view), reducer);
      } else {
        report.Note(DiagId::kViewVectorNote, param.location);
      }
    }
  }

  /// "red::sum" of a view that is `reduce_with_axis<red::sum, false>(matrix, axis)`, which has no
  /// mask; "" of any other.
  static std::string ReducerOf(const View &view) {
    const std::optional<ViewCall> call = ParseViewCall(view);
    if (!call || call->name != "reduce_with_axis") return "";
    if (call->template_args.size() != 2 || call->template_args[1] != "false") return "";
    constexpr std::string_view kLibrary = "mshadow::";
    const std::string &reducer = call->template_args[0];
    return reducer.rfind(kLibrary, 0) == 0 ? reducer.substr(kLibrary.size()) : reducer;
  }

  /// The dimension of the matrix that such a view keeps.
  static int KeptDim(const View &view) {
    const Expr &axis = view.operands.back().value;
    const bool is_first =
        axis && axis->op == Op::kLiteral && axis->value == LiteralValue(int64_t{0});
    return is_first ? 1 : 0;
  }

  void FindWrites() {
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (!statement.writes()) return;
      writes_.emplace(statement.target, &statement);
      const Param &target = rule_.params[statement.target];
      if (target.is_part()) part_writes_.emplace(target.view->Sources().front(), &statement);
    });
  }

  void CheckShiftedReads() {
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (!statement.writes()) return;
      ForEachNode(statement.value, [&](const Expr &node) {
        if (IsOfVector(*node)) CheckReduced(*node, statement);
        if (node->op != Op::kRead) return;
        if (rule_.params[node->index].view) CheckView(*node, statement);
        if (node->axes.is_every()) return;
        if (node->axes == value_map_) return;  // the row's own value, or the only one
        if (node->axes.is_picked()) return CheckGather(*node, statement);
        if (const Statement *write = WriteOf(node->index)) {
          ReportShiftedRead(*node, node->index, "through a broadcast", statement, *write);
        }
      });
    });
  }

  /// A kernel must not write a tensor and a slice of it: tensors that it writes must not overlap.
  void CheckParts() {
    for (const auto &[tensor, part] : part_writes_) {
      const auto whole = writes_.find(tensor);
      if (whole == writes_.end()) continue;
      const bool is_first = part->number < whole->second->number;
      const Statement &first = is_first ? *part : *whole->second;
      const Statement &last = is_first ? *whole->second : *part;
      const std::string &name = rule_.params[tensor].name;
      diagnostics_.Report(DiagId::kPartAndWhole, last.location, name)
          .Note(DiagId::kWrittenHere, first.location, name)
          .Note(DiagId::kPartAndWholeNote, last.location);
    }
  }

  static bool IsOfVector(const Node &node) {
    return ClassOf(node.op) == OpClass::Reduce && !KeptBy(node).is_none();
  }

  /// A reduction must not read the vector that its statement assigns, as unfused: an element might
  /// be written before another one is reduced.
  void CheckReduced(const Node &reduction, const Statement &statement) {
    ForEachNode(reduction.args[0], [&](const Expr &node) {
      if (node->op != Op::kRead || node->index != statement.target) return;
      ReportShiftedRead(*node, node->index, "in the expression that is reduced to it", statement,
                        statement);
    });
  }

  /// The first statement that writes a tensor, or a slice of it; null if there is none.
  const Statement *WriteOf(int tensor) const {
    for (const auto *writes : {&writes_, &part_writes_}) {
      const auto write = writes->find(tensor);
      if (write != writes->end()) return write->second;
    }
    return nullptr;
  }

  /// A view may read any elements of its sources at any time, so the kernel must not write these. A
  /// slice may be read while another slice is written: the launcher checks that they are apart. It
  /// is not apart from the whole tensor, nor from rows that indices name.
  void CheckView(const Node &read, const Statement &statement) {
    const bool is_part = rule_.params[read.index].is_part();
    for (const auto &[written, write] : writes_) {
      const bool are_rows =
          rule_.params[written].Indices() >= 0 || rule_.params[read.index].Indices() >= 0;
      const bool are_others = is_part && are_rows && written != read.index;
      if (!are_others || !rule_.params[written].is_part()) continue;
      if (OwnerOf(rule_, written) != OwnerOf(rule_, read.index)) continue;
      return ReportShiftedRead(read, read.index, "at other rows", statement, *write);
    }
    for (int source : rule_.params[read.index].view->Sources()) {
      if (is_part && writes_.count(source) == 0) continue;
      const Statement *write = WriteOf(source);
      if (!write) continue;
      ReportShiftedRead(read, source, is_part ? "through a slice" : "through a view", statement,
                        *write);
    }
  }

  /// An element may be picked from a row before or after the row is written, but not by the
  /// statement that writes it. The launcher checks the indices before anything is written.
  void CheckGather(const Node &gather, const Statement &statement) {
    const auto report = [&](const Statement &write) {
      ReportShiftedRead(gather, gather.index, "through a gather", statement, write);
    };
    if (statement.target == gather.index) report(statement);
    const Statement *const row = WriteOf(gather.index);
    const bool is_vector = rule_.params[gather.index].rank == 1;
    if (is_vector && row) report(*row);
    const Statement *const write = WriteOf(gather.by);
    if (!write) return;
    const std::string &name = rule_.params[gather.by].name;
    diagnostics_.Report(DiagId::kIndexWritten, PlaceOf(gather, statement), name)
        .Note(DiagId::kWrittenHere, write->location, name)
        .Note(DiagId::kIndexTensorNote, PlaceOf(gather, statement));
  }

  static const SourceLocation &PlaceOf(const Node &read, const Statement &statement) {
    return read.location.line > 0 ? read.location : statement.location;
  }

  void ReportShiftedRead(const Node &read, int tensor, const char *how, const Statement &statement,
                         const Statement &write) {
    const std::string &name = rule_.params[OwnerOf(rule_, tensor)].name;
    const SourceLocation &place = PlaceOf(read, statement);
    diagnostics_.Report(DiagId::kShiftedRead, place, Mention(rule_, tensor), how)
        .Note(DiagId::kWrittenHere, write.location, name)
        .Note(statement.number == write.number ? DiagId::kShiftedReadNote
                                               : DiagId::kShiftedReadStageNote,
              place, name);
  }

  void CheckConditions() {
    const RuleConditions conditions = ConditionsOf(rule_);
    const int count = static_cast<int>(conditions.values.size());
    if (count <= kMaxConditions) return;
    SourceLocation place = rule_.location;
    ForEachStatement(rule_, [&](const Statement &statement) {
      if (statement.kind != Statement::kIf) return;
      if (conditions.uses.at(&statement).condition == kMaxConditions) place = statement.location;
    });
    diagnostics_.Report(DiagId::kTooManyConditions, place, rule_.name, count, kMaxConditions)
        .Note(DiagId::kTooManyConditionsNote, place);
  }

  const Rule &rule_;
  const Axes kept_;
  const std::set<int> values_;
  const Axes value_map_;
  Diagnostics &diagnostics_;
  std::map<int, const Statement *> writes_;       // the first of each tensor
  std::map<int, const Statement *> part_writes_;  // the first of a slice of each
};

}  // namespace

bool IsLegalKernel(const Rule &kernel, Diagnostics &diagnostics) {
  return KernelCheck(kernel, diagnostics).Run();
}

}  // namespace mgen
