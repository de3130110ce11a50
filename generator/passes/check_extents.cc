// SPDX-License-Identifier: Apache-2.0
#include "passes/check_extents.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/extents.h"
#include "ir/stages.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Rejects a temporary that needs memory: a matrix in a kernel over tensors of a higher rank, which
/// keeps only vectors, and one whose extents are computed.
/// \returns whether it has
bool RejectWithoutMemory(const Rule &kernel, const Param &temporary, Diagnostics &diagnostics) {
  if (temporary.rank < 2) return false;
  const Param *widest = WidestArgument(kernel);
  const bool is_among_wider = widest != nullptr && widest->rank > temporary.rank;
  if (!is_among_wider && temporary.extents.empty()) return false;
  auto report =
      diagnostics.Report(DiagId::kTemporaryShape, temporary.location, temporary.name);
  if (is_among_wider) {
    report.Note(DiagId::kTemporaryRankNote, temporary.location, widest->rank, temporary.name);
  } else {
    report.Note(DiagId::kTemporaryMemoryNote, temporary.location, temporary.name);
  }
  return true;
}

/// Checks that a vector of results has an element for each row, column or channel, and that a
/// temporary has a single element exactly if everything is reduced to it.
void CheckTemporaries(const Rule &kernel, bool is_staged, Diagnostics &diagnostics) {
  const Axes kept = KeptBy(kernel);
  const std::set<int> used = EffectsOf(kernel.stages.front().body).used();
  std::set<int> singles;
  if (kept.is_none()) singles = ValuesOf(kernel);
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const int param = static_cast<int>(i);
    // A temporary that only other kernels use is checked with these.
    if (!kernel.params[i].is_temporary || kernel.params[i].is_made ||
        (is_staged && used.count(param) == 0))
      continue;
    const std::optional<Length> known = LengthOf(kernel, kernel.params[i]);
    const bool is_single = singles.count(param) != 0;
    const Length::Kind expected = is_single          ? Length::kOne
                                  : kept.has_last()  ? Length::kColumns
                                  : kept.only() >= 0 ? Length::kChannels
                                                     : Length::kRows;
    const bool is_like_another = kernel.params[i].shape_of >= 0 && !is_single;
    const bool is_channels = expected == Length::kChannels;
    const bool is_right =
        !known ? is_like_another
               : known->kind == expected && (!is_channels || known->dim == ChannelDimOf(kernel));
    if (is_right) continue;
    if (!RejectWithoutMemory(kernel, kernel.params[i], diagnostics)) {
      RejectTemporaryShape(kernel, kernel.params[i], diagnostics, expected);
    }
  }
}

/// The extent to write instead of an extent of `tensor`: that of the tensor that the statement
/// writes. "" if no statement counts along `tensor`.
std::string ExtentOfTarget(const Rule &rule, int tensor) {
  std::string text;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes()) return;
    const Param &target = rule.params[statement.target];
    ForEachNode(statement.value, [&](const Expr &node) {
      if (node->op != Op::kIndex || node->index != tensor || !text.empty()) return;
      const int dim = target.rank == 1 ? 0 : node->dim;
      text = "range<float>(0, " + target.name + ".size(" + std::to_string(dim) + "))";
    });
  });
  return text;
}

/// Checks the indices in statements that write vectors: they must count the vector's elements, or
/// the rows, columns or channels for which it has elements.
void CheckVectorIndices(const Rule &rule, Diagnostics &diagnostics) {
  const Axes kept = KeptBy(rule);
  ForEachStatement(rule, [&](const Statement &statement) {
    if (!statement.writes() || rule.params[statement.target].rank != 1) return;
    // The operand of a reduction has the elements of matrices.
    Rewriter without_terms([](const Expr &node, std::vector<Expr> args) {
      if (ClassOf(node->op) == OpClass::Reduce) return MakeLiteral(node->type, 0);
      return WithArgs(node, std::move(args));
    });
    ForEachNode(without_terms(statement.value), [&](const Expr &node) {
      if (node->op != Op::kIndex) return;
      const int rank = rule.params[node->index].rank;
      const bool counts_rows = rank == 2 && node->dim == 0 && kept.is_rows();
      const bool counts_columns = rank == 2 && node->dim == 1 && kept.has_last();
      if ((rank == 1 && node->dim == 0) || counts_rows || counts_columns) return;
      diagnostics.Report(DiagId::kExtent, node->location, "range")
          .Note(DiagId::kExtentNote, node->location,
                "range<float>(0, " + rule.params[statement.target].name + ".size(0))");
    });
  });
}

/// What to write instead of an expression that counts by an extent of a tensor that its kernel does
/// not use. If the expression is right by itself, only its statement must be another.
std::string Instead(const Rule &rule, const CountedExtent &extent) {
  const std::string of_target = ExtentOfTarget(rule, extent.tensor);
  if (!of_target.empty()) return of_target;
  const std::string &name = rule.params[extent.tensor].name;
  if (extent.instead.find(name + ".size(") == std::string::npos) return extent.instead;
  return extent.instead + " in a statement that reads or writes '" + name + "'";
}

/// Checks that expressions count by extents of tensors whose shapes the launcher checks.
void CheckCountedExtents(const Rule &rule, Diagnostics &diagnostics) {
  bool all_are_compared = true;
  for (const Stage &stage : rule.stages) {
    const std::set<int> compared = EffectsOf(stage.body).used();
    ForEachStatement(stage.body, [&](const Statement &statement) {
      for (const CountedExtent &extent : statement.counts) {
        if (compared.count(extent.tensor) != 0) continue;
        all_are_compared = false;
        diagnostics.Report(DiagId::kExtent, extent.location, extent.name)
            .Note(DiagId::kExtentNote, extent.location, Instead(rule, extent));
      }
    });
  }
  if (!all_are_compared) return;
  for (size_t i = 0; i < rule.stages.size(); ++i) {
    if (CallOf(rule.stages[i]) == nullptr) CheckVectorIndices(StageRule(rule, i), diagnostics);
  }
}

}  // namespace

void RejectTemporaryShape(const Rule &rule, const Param &param, Diagnostics &diagnostics,
                          Length::Kind each) {
  diagnostics.Report(DiagId::kTemporaryShape, param.location, param.name)
      .Note(DiagId::kTemporaryShapeNote, param.location, InitOfTemporary(rule, param, each));
}

bool CheckExtents(const Rule &rule, Diagnostics &diagnostics) {
  const int errors_before = diagnostics.error_count();
  for (size_t i = 0; i < rule.stages.size(); ++i) {
    if (CallOf(rule.stages[i]) != nullptr) continue;
    CheckTemporaries(StageRule(rule, i), IsStaged(rule), diagnostics);
  }
  CheckCountedExtents(rule, diagnostics);
  return diagnostics.error_count() == errors_before;
}

}  // namespace mgen
