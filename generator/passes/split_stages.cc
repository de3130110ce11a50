// SPDX-License-Identifier: Apache-2.0
#include "passes/split_stages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/effects.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Cuts a body at its boundaries and around its products, in its order.
class Splitter {
 public:
  std::vector<Stage> Run(const std::vector<Statement> &body) {
    Split(body);
    return std::move(stages_);
  }

 private:
  struct Around {
    const Statement *choice;
    bool is_then;
  };

  void Split(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kIf && EndsStage({statement})) {
        SplitBranch(statement, true);
        SplitBranch(statement, false);
      } else {
        const bool is_alone =
            statement.kind == Statement::kBoundary || statement.kind == Statement::kProduct;
        if (is_alone || !is_open_) stages_.emplace_back();
        stages_.back().body.push_back(BelowConditions(statement));
        is_open_ = !is_alone;
      }
    }
  }

  void SplitBranch(const Statement &choice, bool is_then) {
    around_.push_back({&choice, is_then});
    Split(is_then ? choice.then_body : choice.else_body);
    is_open_ = false;
    around_.pop_back();
  }

  Statement BelowConditions(Statement statement) const {
    for (size_t i = around_.size(); i-- > 0;) {
      Statement choice = *around_[i].choice;
      choice.then_body.clear();
      choice.else_body.clear();
      (around_[i].is_then ? choice.then_body : choice.else_body).push_back(std::move(statement));
      statement = std::move(choice);
    }
    return statement;
  }

  std::vector<Around> around_;  // of the body that is split
  std::vector<Stage> stages_;
  bool is_open_ = false;  // the last stage takes what comes
};

/// The tensors that statements write, or of which they write a part.
std::set<int> OwnersOfWritten(const std::vector<Statement> &body, const Rule &rule) {
  std::set<int> owners;
  for (const int tensor : EffectsOf(body).written) owners.insert(OwnerOf(rule, tensor));
  return owners;
}

/// What ties a statement, and those below it, to others of its kernel: the tensors that it uses, or
/// that must only fit. A view or a part has another shape than the tensor that it is of, which ties
/// only what writes that tensor; but parts of one tensor may well be of one shape, for which a
/// negative number stands.
std::set<int> TiesOf(const Statement &statement, const Rule &rule, const std::set<int> &written) {
  std::set<int> ties = EffectsOf(statement).used();
  ForEachStatement({statement}, [&](const Statement &s) {
    for (const Expr &e : s.fitting) ties.insert(e->index);
  });
  for (const int tensor : std::set<int>(ties)) {
    const Param &param = rule.params[tensor];
    for (const int source : param.view ? param.view->Sources() : std::vector<int>()) {
      if (written.count(source) != 0) ties.insert(source);
      if (param.is_part()) ties.insert(-1 - source);
    }
  }
  return ties;
}

/// How far what ties statements reaches: the last statement with a tie of those that were added.
class Reach {
 public:
  explicit Reach(const std::vector<std::set<int>> &ties) : ties_(ties) {
    for (size_t i = 0; i < ties.size(); ++i) {
      for (const int tie : ties[i]) last_[tie] = i;
    }
  }

  void Begin() { end_ = 0; }
  void Add(size_t statement) {
    for (const int tie : ties_[statement]) end_ = std::max(end_, last_.at(tie));
  }
  bool Includes(size_t statement) const { return statement <= end_; }

 private:
  const std::vector<std::set<int>> &ties_;
  std::map<int, size_t> last_;
  size_t end_ = 0;
};

/// Cuts a kernel where nothing ties one side to the other: nothing says that both have one shape.
/// Nor does a vector between two sides that have elements of other ranks. Statements keep their
/// order, since arguments may share memory.
void CutUnrelated(Stage kernel, const Rule &rule, std::vector<Stage> *stages) {
  const std::set<int> written = OwnersOfWritten(kernel.body, rule);
  const auto is_vector = [&rule](int tie) { return tie >= 0 && rule.params[tie].rank == 1; };
  std::vector<std::set<int>> ties, elements;  // all, and those without the vectors
  for (const Statement &statement : kernel.body) {
    ties.push_back(TiesOf(statement, rule, written));
    elements.emplace_back();
    for (const int tie : ties.back()) {
      if (is_vector(tie)) continue;
      elements.back().insert(tie);
      // The spec says which tensor a temporary is like.
      const int like = tie >= 0 ? rule.params[tie].shape_of : -1;
      if (like >= 0) elements.back().insert(like);
    }
  }
  Reach all(ties), of_elements(elements);
  bool has_elements = false;  // since the last cut
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    const bool by_vectors = has_elements && !elements[i].empty() && !of_elements.Includes(i);
    if (i == 0 || by_vectors || !all.Includes(i)) {
      stages->emplace_back();
      all.Begin();
      of_elements.Begin();
      has_elements = false;
    }
    all.Add(i);
    of_elements.Add(i);
    has_elements = has_elements || !elements[i].empty();
    stages->back().body.push_back(std::move(kernel.body[i]));
  }
}

}  // namespace

void SplitStages(Rule *rule) {
  std::vector<Stage> stages;
  for (Stage &stage : Splitter().Run(rule->stages.front().body)) {
    CutUnrelated(std::move(stage), *rule, &stages);
  }
  rule->stages = std::move(stages);
}

}  // namespace mgen
