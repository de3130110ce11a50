// SPDX-License-Identifier: Apache-2.0
#include "passes/isolate_slices.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/effects.h"
#include "ir/stages.h"
#include "ir/walk.h"
#include "passes/linear.h"

namespace mgen {
namespace {

/// The slices that statements use.
struct Parts {
  std::set<int> written;
  std::set<int> used;    ///< these, and those that are read
  std::set<int> wholes;  ///< whole tensors that are read element by element
  std::set<int> written_wholes;

  void Add(const Parts &other) {
    written.insert(other.written.begin(), other.written.end());
    used.insert(other.used.begin(), other.used.end());
    wholes.insert(other.wholes.begin(), other.wholes.end());
    written_wholes.insert(other.written_wholes.begin(), other.written_wholes.end());
  }
};

Parts PartsOf(const Effects &effects, const Rule &rule) {
  const auto parts_of = [&rule](const std::set<int> &tensors) {
    std::set<int> parts;
    for (const int tensor : tensors) {
      if (rule.params[tensor].is_part()) parts.insert(tensor);
    }
    return parts;
  };
  Parts parts = {parts_of(effects.written), parts_of(effects.used()), {}, {}};
  for (const int tensor : effects.in_place) {
    if (!rule.params[tensor].view) parts.wholes.insert(tensor);
  }
  for (const int tensor : effects.written) {
    if (!rule.params[tensor].view) parts.written_wholes.insert(tensor);
  }
  return parts;
}

/// Those of a statement. A tensor that only has to fit counts as read, since a launch compares its
/// memory with what the kernel writes.
Parts PartsOf(const Statement &statement, const Rule &rule) {
  Parts parts = PartsOf(EffectsOf(statement), rule);
  for (const Expr &fitting : statement.fitting) {
    if (fitting->op != Op::kRead) continue;
    const Param &param = rule.params[fitting->index];
    if (param.is_part()) parts.used.insert(fitting->index);
    if (!param.view) parts.wholes.insert(fitting->index);
  }
  return parts;
}

class Ranges {
 public:
  explicit Ranges(const Rule &rule) : rule_(rule), linear_(rule) {}

  /// A slice that one of them writes, and another slice or the whole of its tensor, which the other
  /// uses; nothing if all such pairs fit into one kernel.
  std::optional<std::pair<int, int>> Meet(const Parts &first, const Parts &second) {
    if (const auto pair = WholeOfWritten(first, second)) return pair;
    if (const auto pair = WholeOfWritten(second, first)) return pair;
    if (const auto pair = InTwoShapes(first, second)) return pair;
    for (int a : first.used) {
      for (int b : second.used) {
        const bool is_written = first.written.count(a) != 0 || second.written.count(b) != 0;
        if (is_written && AreOfOneTensor(a, b) && !AreAlwaysApart(a, b)) return std::pair{a, b};
      }
    }
    return std::nullopt;
  }

  /// A tensor in another shape, and the tensor or another part of it, one of which is written.
  std::optional<std::pair<int, int>> InTwoShapes(const Parts &first, const Parts &second) const {
    if (const auto pair = WholeOfReshaped(first, second)) return pair;
    if (const auto pair = WholeOfReshaped(second, first)) return pair;
    for (const int a : first.used) {
      for (const int b : second.used) {
        const bool is_written = first.written.count(a) != 0 || second.written.count(b) != 0;
        const bool is_reshaped = ViewOf(a).is_reshaped || ViewOf(b).is_reshaped;
        if (is_written && is_reshaped && AreOfOneTensor(a, b)) return std::pair{a, b};
      }
    }
    return std::nullopt;
  }

  /// Whether a kernel cannot have both, although each launch takes one of them: it would go over
  /// two shapes, or the launch would refuse rows that an index names beside their tensor.
  bool MeetInBranches(const Parts &first, const Parts &second) {
    if (InTwoShapes(first, second)) return true;
    const auto pair = Meet(first, second);
    return pair && (NamesRows(pair->first) || NamesRows(pair->second));
  }

 private:
  bool NamesRows(int tensor) const {
    const Param &param = rule_.params[tensor];
    return param.view && param.view->names_rows;
  }

  /// A slice that is written, and its tensor, which is read: the two differ in shape.
  std::optional<std::pair<int, int>> WholeOfWritten(const Parts &writer,
                                                    const Parts &reader) const {
    for (const int part : writer.written) {
      const int whole = ViewOf(part).Sources().front();
      if (reader.wholes.count(whole) != 0) return std::pair{part, whole};
    }
    return std::nullopt;
  }

  /// A tensor that is used in another shape, and written in its own.
  std::optional<std::pair<int, int>> WholeOfReshaped(const Parts &reshaped,
                                                     const Parts &writer) const {
    for (const int part : reshaped.used) {
      const int whole = ViewOf(part).Sources().front();
      const bool is_written = writer.written_wholes.count(whole) != 0;
      if (is_written && ViewOf(part).is_reshaped) return std::pair{part, whole};
    }
    return std::nullopt;
  }

  bool AreOfOneTensor(int a, int b) const {
    return a != b && OwnerOf(rule_, a) == OwnerOf(rule_, b);
  }

  const View &ViewOf(int part) const { return *rule_.params[part].view; }

  /// Whether two slices are apart and of one shape for all arguments.
  bool AreAlwaysApart(int a, int b) {
    if (ViewOf(a).ranges.empty() || ViewOf(b).ranges.empty()) return false;
    const std::set<int> dims = DimsOf(a);
    if (dims != DimsOf(b)) return false;
    bool are_apart = false;
    for (const int dim : dims) {
      const Extent of_a = Along(a, dim), of_b = Along(b, dim);
      if (!((of_a.end - of_a.begin) - (of_b.end - of_b.begin)).is_zero()) return false;
      // For slices of an inner dimension a launch compares whole runs of rows.
      if (rule_.params[a].is_inner_part() && !rule_.params[a].IsInner(dim) && dim != 0) continue;
      are_apart = are_apart || linear_.IsNotNegative(of_b.begin - of_a.end) ||
                  linear_.IsNotNegative(of_a.begin - of_b.end);
    }
    return are_apart;
  }

  std::set<int> DimsOf(int part) const {
    return {ViewOf(part).ranges.begin(), ViewOf(part).ranges.end()};
  }

  /// The range of a slice along one dimension of its tensor. A range of a range is counted from the
  /// beginning of the outer one.
  struct Extent {
    Linear begin, end;
  };
  Extent Along(int part, int dim) {
    const View &view = ViewOf(part);
    Extent extent;
    for (size_t i = 0; i < view.ranges.size(); ++i) {
      if (view.ranges[i] != dim) continue;
      extent = {extent.begin + linear_(view.Begin(i)), extent.begin + linear_(view.End(i))};
    }
    return extent;
  }

  const Rule &rule_;
  LinearOf linear_;
};

class Cutter {
 public:
  explicit Cutter(const Rule &rule) : rule_(rule), ranges_(rule) {}

  std::vector<Statement> Cut(std::vector<Statement> body) {
    std::vector<Statement> cut;
    for (Statement &statement : body) {
      if (statement.kind == Statement::kIf) {
        CutBranches(&statement);
      } else if (statement.kind == Statement::kAssign) {
        const Parts parts = PartsOf(statement, rule_);
        if (ranges_.Meet(open_, parts)) {
          cut.emplace_back();
          cut.back().kind = Statement::kBoundary;
          open_ = Parts();
        }
        open_.Add(parts);
      } else {
        open_ = Parts();
      }
      cut.push_back(std::move(statement));
    }
    return cut;
  }

 private:
  void CutBranches(Statement *choice) {
    const Parts before = open_;
    choice->then_body = Cut(std::move(choice->then_body));
    const Parts after = open_;
    open_ = before;
    choice->else_body = Cut(std::move(choice->else_body));
    if (!choice->else_body.empty() && ranges_.MeetInBranches(after, open_)) {
      Statement boundary;
      boundary.kind = Statement::kBoundary;
      choice->else_body.insert(choice->else_body.begin(), std::move(boundary));
    }
    open_.Add(after);
    if (EndsStage({*choice})) open_ = Parts();
  }

  const Rule &rule_;
  Ranges ranges_;
  Parts open_;  // of the kernel so far
};

/// Whether one of the two is the elements of a temporary, of which the spec knows nothing.
bool IsFlat(const Rule &rule, const std::pair<int, int> &tensors) {
  const auto is_flat = [&rule](int tensor) {
    return rule.params[tensor].view && rule.params[tensor].view->is_flat;
  };
  return is_flat(tensors.first) || is_flat(tensors.second);
}

}  // namespace

void IsolateSlices(Rule *rule) {
  std::vector<Statement> &body = rule->stages.front().body;
  body = Cutter(*rule).Cut(std::move(body));
}

void NameParts(Rule *rule) {
  Ranges ranges(*rule);
  Parts before;
  for (Stage &stage : rule->stages) {
    const bool is_call = CallOf(stage) != nullptr;
    const Parts parts = is_call ? Parts() : PartsOf(EffectsOf(stage.body), *rule);
    stage.apart = ranges.Meet(before, parts);
    if (stage.apart && IsFlat(*rule, *stage.apart)) stage.apart.reset();
    before = parts;
  }
}

}  // namespace mgen
