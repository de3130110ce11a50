// SPDX-License-Identifier: Apache-2.0
#include "passes/assign_workspaces.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/effects.h"
#include "ir/extents.h"
#include "ir/stages.h"
#include "ir/walk.h"
#include "passes/bind_axes.h"
#include "passes/check_extents.h"
#include "passes/forward.h"

namespace mgen {
namespace {

/// The tensors that a stage uses, or that must fit there.
std::set<int> UsedIn(const Stage &stage) {
  std::set<int> tensors = EffectsOf(stage.body).used();
  ForEachStatement(stage.body, [&tensors](const Statement &statement) {
    for (const Expr &e : statement.fitting) tensors.insert(e->index);
  });
  return tensors;
}

bool IsExtent(const Expr &a, const Expr &b) {
  return a->op == Op::kDim && b->op == Op::kDim && a->index == b->index && a->dim == b->dim;
}

/// Whether the spec gives a vector the length of a dimension of a temporary: of the first dimension
/// in a kernel with a value for each row, of the last in one with a value for each column.
bool IsAlong(const Rule &rule, const Param &vector, const Param &other, const Axes &kept) {
  const std::optional<Length> length = LengthOf(rule, vector);
  if (!length || !other.is_temporary || other.rank < 2 || other.extents.empty()) return false;
  const Expr &extent = vector.extents.front();
  if (kept.is_rows() && length->kind == Length::kRows) {
    return IsExtent(extent, other.extents.front());
  }
  return kept.has_last() && length->kind == Length::kColumns &&
         IsExtent(extent, other.extents.back());
}

/// Whether tensors include that of an extent, or have its number of rows or columns as a matrix.
bool HasExtent(const Rule &rule, const Node &extent, const std::set<int> &tensors) {
  if (tensors.count(extent.index) != 0) return true;
  if (extent.op != Op::kDim) return false;
  const bool is_last =
      extent.dim == Node::kLastDim || extent.dim == rule.params[extent.index].rank - 1;
  if (extent.dim != Node::kRows && !is_last) return false;
  return std::any_of(tensors.begin(), tensors.end(), [&](int other) {
    const std::optional<View> &view = rule.params[other].view;
    return view && view->FlatTo2D() == extent.index;
  });
}

/// Whether a temporary, which only this kernel uses, is known to fit the kernel's other tensors: it
/// has the shape or an extent of one of them, or the length of another temporary.
bool IsKnownToFit(const Rule &kernel, const Param &temporary, const std::set<int> &tensors) {
  if (temporary.is_made) return true;
  if (temporary.shape_of >= 0) return tensors.count(temporary.shape_of) != 0;
  if (temporary.rank != 1) return false;
  const Expr &extent = temporary.extents.front();
  const Axes kept = KeptBy(kernel);
  return extent->op == Op::kLiteral || HasExtent(kernel, *extent, tensors) ||
         std::any_of(tensors.begin(), tensors.end(), [&](int tensor) {
           return IsAlong(kernel, temporary, kernel.params[tensor], kept);
         });
}

bool IsKept(const Rule &rule, const Statement &write) {
  const Param &target = rule.params[write.target];
  return !target.is_temporary || target.is_workspace;
}

/// The last statement of a kernel that writes only temporaries without memory; null for others.
const Statement *LastOfNothing(const Rule &rule, const Stage &kernel) {
  const Statement *last = nullptr;
  bool keeps = false;
  ForEachStatement(kernel.body, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    last = &statement;
    keeps = keeps || IsKept(rule, statement);
  });
  return keeps ? nullptr : last;
}

/// If a kernel would write nothing but temporaries that nobody reads, one of them gets memory, as
/// unfused. So the kernel stays, and checks the shapes of the tensors that it reads.
void FindUnread(Rule *rule) {
  if (!WritesSomething(*rule)) return;  // another check says so
  for (const Stage &stage : rule->stages) {
    const Statement *last = CallOf(stage) ? nullptr : LastOfNothing(*rule, stage);
    if (last != nullptr) rule->params[last->target].is_workspace = true;
  }
}

/// Finds those that a kernel has to keep.
void FindKept(Rule *rule) {
  for (size_t i = 0; i < rule->stages.size(); ++i) {
    if (CallOf(rule->stages[i]) != nullptr) continue;
    for (int kept : KeptOf(BindAxes(StageRule(*rule, i)))) rule->params[kept].is_workspace = true;
  }
}

/// Finds the vectors of a single kernel that may be of another length: they have an extent of a
/// tensor of which the kernel uses slices or rows alone. With memory, the launch checks them.
void FindOfOtherLength(Rule *rule) {
  for (const Stage &stage : rule->stages) {
    const std::set<int> tensors = UsedIn(stage);
    for (const int tensor : tensors) {
      Param &param = rule->params[tensor];
      const bool is_vector = param.is_temporary && param.rank == 1;
      if (is_vector && !IsKnownToFit(*rule, param, tensors)) param.is_workspace = true;
    }
  }
}

/// Gives memory to temporaries that are used in another shape than their own.
void FindReshaped(Rule *rule) {
  for (const Stage &stage : rule->stages) {
    for (const int tensor : UsedIn(stage)) {
      const Param &part = rule->params[tensor];
      Param &source = rule->params[OwnerOf(*rule, tensor)];
      if (part.is_part() && part.view->is_reshaped && source.is_temporary) {
        source.is_workspace = true;
      }
    }
  }
}

/// Finds all temporaries that need memory.
void FindWorkspaces(Rule *rule) {
  FindReshaped(rule);
  FindKept(rule);
  if (!IsStaged(*rule)) FindOfOtherLength(rule);
  if (!IsStaged(*rule)) return;
  std::map<int, int> uses;  // by tensor: stages; one that needs the tensor in memory counts as two
  for (const Stage &stage : rule->stages) {
    const std::set<int> tensors = EffectsOf(stage.body).used();
    Rule kernel = *rule;
    kernel.stages = {stage};
    for (int tensor : tensors) {
      const Param &param = rule->params[tensor];
      const bool needs_memory =
          CallOf(stage) != nullptr || (param.is_temporary && !IsKnownToFit(kernel, param, tensors));
      uses[tensor] += needs_memory ? 2 : 1;
      if (!param.view) continue;
      for (int source : param.view->Sources()) uses[source] += 2;
    }
  }
  for (const auto &[tensor, count] : uses) {
    Param &param = rule->params[tensor];
    param.is_workspace = param.is_workspace || (param.is_temporary && count > 1);
  }
  FindUnread(rule);
  FindKept(rule);  // other temporaries may be computed from those that have memory now
}

/// Reports slices of temporaries without memory.
void CheckKeptParts(const Rule &rule, Diagnostics &diagnostics) {
  std::set<int> used;
  for (const Stage &stage : rule.stages) used.merge(UsedIn(stage));
  for (const int tensor : used) {
    const Param &part = rule.params[tensor];
    if (!part.is_part()) continue;
    const Param &source = rule.params[part.view->Sources().front()];
    if (!source.is_temporary || source.is_workspace) continue;
    diagnostics
        .Report(DiagId::kUnsupportedExpression, part.location,
                "a slice of temporary '" + source.name + "', which has no memory,", "a rule")
        .Note(DiagId::kKeptPartNote, part.location);
  }
}

}  // namespace

bool AssignWorkspaces(Rule *rule, Diagnostics &diagnostics) {
  const int errors_before = diagnostics.error_count();
  FindWorkspaces(rule);
  CheckKeptParts(*rule, diagnostics);
  for (Param &param : rule->params) {
    const int like = param.is_workspace ? param.shape_of : -1;
    if (like < 0 || !rule->params[like].is_part()) continue;
    const int rank = rule->params[like].rank;
    bool is_known = rank != Param::kRankParam;
    for (int d = 0; d < rank; ++d) {
      param.extents.push_back(OfArguments(*rule, ExtentOfPart(*rule, like, d)));
      is_known = is_known && param.extents.back() != nullptr;
    }
    if (is_known) {
      param.shape_of = -1;
    } else {
      param.extents.clear();
      RejectTemporaryShape(*rule, param, diagnostics);
    }
  }
  return diagnostics.error_count() == errors_before;
}

}  // namespace mgen
