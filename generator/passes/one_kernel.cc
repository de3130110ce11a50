// SPDX-License-Identifier: Apache-2.0
#include "passes/one_kernel.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "ir/printer.h"
#include "ir/walk.h"
#include "passes/forward.h"

namespace mgen {
namespace {

/// What the statements of a kernel do to tensors, indices into Rule::params.
struct Effects {
  std::set<int> written;
  std::set<int> in_place;  ///< written, or read element by element
  std::set<int> values;    ///< those of a row, a column, a channel or of all elements, likewise
  std::set<int> moved;     ///< read through another map

  bool Use(int tensor) const { return in_place.count(tensor) != 0 || moved.count(tensor) != 0; }
};

bool Meet(const std::set<int> &a, const std::set<int> &b) {
  return std::any_of(a.begin(), a.end(), [&b](int value) { return b.count(value) != 0; });
}

/// The number of the statement, or of the first one below it.
int FirstNumber(const Statement &statement) {
  int first = 0;
  ForEachStatement({statement}, [&first](const Statement &s) {
    if (first == 0 && s.kind != Statement::kIf) first = s.number;
  });
  return first;
}

class OneKernel {
 public:
  OneKernel(const Rule &rule, const std::vector<Statement> &first,
            const std::vector<Statement> &second)
      : rule_(rule),
        first_(Alone(first)),
        second_(Alone(second)),
        both_(Alone(Together(first, second))),
        frame_(FrameOf(both_)),
        values_(ValuesOf(both_)),
        a_(EffectsOf(first)),
        b_(EffectsOf(second)) {}

  bool Fit(const std::set<int> &elsewhere) const {
    return HaveOneFrame() && HaveOneShape() && !Interferes(a_, b_) && !Interferes(b_, a_) &&
           VectorsFit() && TemporariesFit(elsewhere) && ConditionsFit();
  }

 private:
  Rule Alone(const std::vector<Statement> &body) const {
    Rule kernel = rule_;
    kernel.stages = {{body}};
    return kernel;
  }

  /// What is a value for the kernel of both is its row's, or the only one, in each of them.
  Effects EffectsOf(const std::vector<Statement> &body) const {
    Effects effects;
    const auto use = [&](int tensor) {
      (values_.count(tensor) != 0 ? effects.values : effects.in_place).insert(tensor);
    };
    ForEachStatement(body, [&](const Statement &statement) {
      if (statement.kind == Statement::kIf) return;
      effects.written.insert(statement.target);
      use(statement.target);
      for (const auto &[tensor, map] : ReadsOf(statement.value).operands) {
        if (IsInPlace(tensor, map)) {
          use(tensor);
        } else {
          effects.moved.insert(tensor);
        }
      }
    });
    return effects;
  }

  /// Elements are picked out of a row before or after a sweep writes it.
  bool IsInPlace(int tensor, IndexMap map) const {
    if (map == IndexMap::kGather) return rule_.params[tensor].rank != 1;
    return map == IndexMap::kIdentity || (map == ValueMap(frame_) && values_.count(tensor) != 0);
  }

  /// A kernel goes over memory in one way.
  bool HaveOneFrame() const {
    const auto is_known = [this](Frame frame) {
      return frame == frame_ || frame == Frame::kElement;
    };
    return is_known(FrameOf(first_)) && is_known(FrameOf(second_));
  }

  /// Whether a tensor of both says so: of those with elements, unless one of them has none.
  bool HaveOneShape() const {
    const bool have_elements = !a_.in_place.empty() && !b_.in_place.empty();
    if (!have_elements) return Meet(a_.values, b_.values);
    const int rank = rule_.params[*a_.in_place.begin()].rank;
    const auto has_rank = [&](int tensor) { return rule_.params[tensor].rank == rank; };
    return std::all_of(b_.in_place.begin(), b_.in_place.end(), has_rank) &&
           Meet(a_.in_place, b_.in_place);
  }

  /// Whether one reads elsewhere what the other writes.
  bool Interferes(const Effects &writer, const Effects &other) const {
    if (Meet(writer.written, other.moved)) return true;
    for (int written : writer.written) {
      for (const std::set<int> *tensors : {&other.in_place, &other.values, &other.moved}) {
        for (int tensor : *tensors) {
          if (tensor != written && Meet(SourcesOf(tensor), SourcesOf(written))) return true;
        }
      }
    }
    return false;
  }

  /// A tensor, or what it is a view or a part of.
  std::set<int> SourcesOf(int tensor) const {
    const std::optional<View> &view = rule_.params[tensor].view;
    if (!view) return {tensor};
    const std::vector<int> sources = view->Sources();
    return {sources.begin(), sources.end()};
  }

  /// Where something is reduced, a vector is a value and no view; a temporary one is as long as it
  /// must be if it is a value to one of them, whose own check says that. Within an element-wise
  /// kernel a temporary of a length of its own would have to be a value for each row.
  bool VectorsFit() const {
    const bool reduces = frame_ != Frame::kElement;
    const auto is_of = [this](const Rule &kernel, const Effects &effects, int tensor) {
      return FrameOf(kernel) == frame_ && effects.values.count(tensor) != 0;
    };
    for (const Effects *effects : {&a_, &b_}) {
      std::set<int> tensors = effects->in_place;
      tensors.insert(effects->values.begin(), effects->values.end());
      tensors.insert(effects->moved.begin(), effects->moved.end());
      for (int tensor : tensors) {
        const Param &param = rule_.params[tensor];
        if (param.rank != 1) continue;
        if (reduces && param.view && frame_ != Frame::kAll && !param.is_part()) return false;
        if (!param.is_temporary || param.shape_of >= 0) continue;
        const bool is_checked =
            reduces ? is_of(first_, a_, tensor) || is_of(second_, b_, tensor)
                    : a_.in_place.count(tensor) == 0 || b_.in_place.count(tensor) == 0;
        if (!is_checked) return false;
      }
    }
    return true;
  }

  /// Whether those temporaries that the kernel of both would have to keep have memory anyway: one
  /// of the two keeps them, or both use them, or another kernel does.
  bool TemporariesFit(const std::set<int> &elsewhere) const {
    std::set<int> kept = KeptOf(first_);
    kept.merge(KeptOf(second_));
    const std::set<int> kept_by_both = KeptOf(both_);
    return std::all_of(kept_by_both.begin(), kept_by_both.end(), [&](int tensor) {
      return kept.count(tensor) != 0 || elsewhere.count(tensor) != 0 ||
             (a_.Use(tensor) && b_.Use(tensor));
    });
  }

  bool ConditionsFit() const {
    std::set<std::string> conditions;  // at least as many as the kernel will have
    FindConditions(both_.stages[0].body, "", &conditions);
    return conditions.size() <= size_t{kMaxConditions};
  }

  void FindConditions(const std::vector<Statement> &body, const std::string &path,
                      std::set<std::string> *conditions) const {
    for (const Statement &statement : body) {
      if (statement.kind != Statement::kIf) continue;
      const std::string condition = path + Print(statement.condition, rule_);
      conditions->insert(condition);
      FindConditions(statement.then_body, condition + "\n", conditions);
      FindConditions(statement.else_body, "not " + condition + "\n", conditions);
    }
  }

  const Rule &rule_;
  const Rule first_, second_, both_;
  const Frame frame_;  // of both, and so are the values
  const std::set<int> values_;
  const Effects a_, b_;
};

}  // namespace

std::vector<Statement> Together(std::vector<Statement> first, std::vector<Statement> second) {
  std::move(second.begin(), second.end(), std::back_inserter(first));
  // Of branches that were moved past each other, too, statements keep the spec's order.
  std::sort(first.begin(), first.end(),
            [](const Statement &a, const Statement &b) { return FirstNumber(a) < FirstNumber(b); });
  return first;
}

bool FitOneKernel(const Rule &rule, const std::vector<Statement> &first,
                  const std::vector<Statement> &second, const std::set<int> &elsewhere) {
  return OneKernel(rule, first, second).Fit(elsewhere);
}

}  // namespace mgen
