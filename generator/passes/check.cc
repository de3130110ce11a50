// SPDX-License-Identifier: Apache-2.0
#include "passes/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/printer.h"
#include "ir/walk.h"
#include "passes/names.h"
#include "passes/narrow_scalars.h"
#include "passes/variants.h"

namespace mgen {
namespace {

class Checker {
 public:
  Checker(const Rule &rule, Diagnostics &diagnostics)
      : rule_(rule), value_map_(ValueMap(FrameOf(rule))), diagnostics_(diagnostics) {}

  bool Run() {
    const int errors_before = diagnostics_.error_count();
    CheckNames();
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (statement.kind == Statement::kAssign) CheckAssign(statement);
    });
    CheckShiftedReads();
    CheckParts();
    CheckTemporaries();
    CheckConditions();
    if (!WritesArgument()) {
      diagnostics_.Report(DiagId::kNoWrite, rule_.location, rule_.name)
          .Note(DiagId::kNoWriteNote, rule_.location);
    }
    WarnOfNarrowScalars(rule_, diagnostics_);
    return diagnostics_.error_count() == errors_before;
  }

 private:
  /// Names that are keywords in another version of C++ than the spec's, and names used twice.
  void CheckNames() {
    std::set<std::string> seen;
    for (const Param &param : rule_.params) {
      if (IsCxxKeyword(param.name)) {
        diagnostics_.Report(DiagId::kKeywordName, param.location, param.name, "C++")
            .Note(DiagId::kRenameNote, param.location, param.name + "_");
      } else if (!seen.insert(param.name).second) {
        diagnostics_
            .Report(DiagId::kReservedName, param.location, param.name,
                    "another parameter has it already")
            .Note(DiagId::kRenameNote, param.location, param.name + "2");
      }
    }
  }

  void CheckAssign(const Statement &statement) {
    writes_.emplace(statement.target, &statement);
    const Param &target = rule_.params[statement.target];
    if (target.is_part()) part_writes_.emplace(target.view->Sources().front(), &statement);
    if (target.is_const) {
      const Param &declared =
          target.is_part() ? rule_.params[target.view->Sources().front()] : target;
      diagnostics_.Report(DiagId::kConstWrite, statement.location, declared.name)
          .Note(DiagId::kConstWriteNote, declared.location, declared.name);
    }
    if (statement.value->type != target.type) {
      const std::string type = Print(target.type, rule_);
      diagnostics_
          .Report(DiagId::kMixedTypes, statement.location, type,
                  Print(statement.value->type, rule_))
          .Note(DiagId::kMixedTypesNote, statement.location, type);
    }
  }

  void CheckShiftedReads() {
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (statement.kind == Statement::kIf) return;
      ForEachNode(statement.value, [&](const Expr &node) {
        if (IsOfVector(node->op)) CheckReduced(*node, statement);
        if (node->op != Op::kRead) return;
        if (rule_.params[node->index].view) CheckView(*node, statement);
        if (node->map == IndexMap::kIdentity) return;
        if (node->map == value_map_) return;  // the row's own element, or the only one
        if (node->map == IndexMap::kGather) return CheckGather(*node, statement);
        if (const Statement *write = WriteOf(node->index)) {
          ReportShiftedRead(*node, node->index, "a broadcast", statement, *write);
        }
      });
    });
  }

  /// What is written lies apart, which a tensor and a part of it never do.
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

  static bool IsOfVector(Op op) {
    return ClassOf(op) == OpClass::Reduce && FrameOf(op) != Frame::kAll;
  }

  /// What is reduced to a vector must not read it, as unfused, where an element may be written
  /// while another is still to be reduced.
  void CheckReduced(const Node &reduction, const Statement &statement) {
    ForEachNode(reduction.args[0], [&](const Expr &node) {
      if (node->op != Op::kRead || node->index != statement.target) return;
      ReportShiftedRead(*node, node->index, "what is reduced to it", statement, statement);
    });
  }

  /// The first statement that writes a tensor, or a part of it; null if there is none.
  const Statement *WriteOf(int tensor) const {
    for (const auto *writes : {&writes_, &part_writes_}) {
      const auto write = writes->find(tensor);
      if (write != writes->end()) return write->second;
    }
    return nullptr;
  }

  /// A view reads any elements of its sources, whenever. A part reads those that it writes; where
  /// the others are is for the launcher to see, but if all of the tensor is written it is not
  /// apart.
  void CheckView(const Node &read, const Statement &statement) {
    const bool is_part = rule_.params[read.index].is_part();
    for (int source : rule_.params[read.index].view->Sources()) {
      if (is_part && writes_.count(source) == 0) continue;
      const Statement *write = WriteOf(source);
      if (!write) continue;
      ReportShiftedRead(read, source, is_part ? "a part" : "a view", statement, *write);
    }
  }

  /// Elements of a row may be picked before or after it is written, but not while it is; the
  /// launcher looks at the indices before anything is written.
  void CheckGather(const Node &gather, const Statement &statement) {
    const auto report = [&](const Statement &write) {
      ReportShiftedRead(gather, gather.index, "indices", statement, write);
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

  void ReportShiftedRead(const Node &read, int tensor, const char *through,
                         const Statement &statement, const Statement &write) {
    const std::string &name = rule_.params[tensor].name;
    const SourceLocation &place = PlaceOf(read, statement);
    diagnostics_.Report(DiagId::kShiftedRead, place, name, through)
        .Note(DiagId::kWrittenHere, write.location, name)
        .Note(statement.number == write.number ? DiagId::kShiftedReadNote
                                               : DiagId::kShiftedReadStageNote,
              place, name);
  }

  bool WritesArgument() const {
    return std::any_of(writes_.begin(), writes_.end(), [this](const auto &write) {
      return !rule_.params[write.first].is_temporary;
    });
  }

  /// What views read is read, too.
  void AddSources(Reads *reads) const {
    for (size_t i = 0; i < reads->operands.size(); ++i) {
      const std::optional<View> &view = rule_.params[reads->operands[i].first].view;
      for (int source : view ? view->Sources() : std::vector<int>()) {
        reads->operands.push_back({source, IndexMap::kIdentity});
      }
    }
  }

  /// A temporary has no value before a statement gives it one, whatever the conditions are.
  void CheckTemporaries() {
    const RuleConditions conditions = ConditionsOf(rule_);
    if (conditions.values.size() > static_cast<size_t>(kMaxConditions)) return;
    std::set<const Statement *> reported;
    for (unsigned variant = 0; variant < conditions.variant_count(); ++variant) {
      std::set<int> written;
      for (const Statement *statement : Linearize(rule_, conditions, variant)) {
        Reads reads = ReadsOf(statement->value);
        if (statement->saver != Saver::kSave) {
          reads.operands.push_back({statement->target, IndexMap::kIdentity});
        }
        AddSources(&reads);
        for (const auto &[param, map] : reads.operands) {
          const bool is_unset = rule_.params[param].is_temporary && written.count(param) == 0;
          if (!is_unset || !reported.insert(statement).second) continue;
          diagnostics_.Report(DiagId::kUninitialized, statement->location, rule_.params[param].name)
              .Note(DiagId::kDeclaredHere, rule_.params[param].location, rule_.params[param].name);
        }
        written.insert(statement->target);
      }
    }
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
  const IndexMap value_map_;
  Diagnostics &diagnostics_;
  std::map<int, const Statement *> writes_;       // the first of each tensor
  std::map<int, const Statement *> part_writes_;  // the first of a part of each
};

}  // namespace

bool Check(const Rule &rule, Diagnostics &diagnostics) { return Checker(rule, diagnostics).Run(); }

}  // namespace mgen
