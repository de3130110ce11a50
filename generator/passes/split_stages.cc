// SPDX-License-Identifier: Apache-2.0
#include "passes/split_stages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/effects.h"
#include "ir/view_call.h"
#include "ir/walk.h"
#include "passes/variants.h"

namespace mgen {
namespace {

/// The statements that write, also within branches, in order.
std::vector<const Statement *> WritesOf(const std::vector<Statement> &body) {
  std::vector<const Statement *> writes;
  ForEachStatement(body, [&writes](const Statement &statement) {
    if (statement.writes()) writes.push_back(&statement);
  });
  return writes;
}

/// Cuts a body at its boundaries and around its calls, in its order, and before some statements.
class Splitter {
 public:
  /// \param cuts statements that write, before which there is a cut
  explicit Splitter(std::set<const Statement *> cuts = {}) : cuts_(std::move(cuts)) {}

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
      if (statement.kind == Statement::kIf && IsCutWithin(statement)) {
        SplitBranch(statement, statement.then_body, true);
        SplitBranch(statement, statement.else_body, false);
      } else {
        const bool is_alone = statement.kind == Statement::kBoundary || statement.is_call();
        if (is_alone || !is_open_ || IsCutBefore(statement)) stages_.emplace_back();
        stages_.back().body.push_back(BelowConditions(statement));
        is_open_ = !is_alone;
      }
    }
  }

  bool IsCutBefore(const Statement &statement) const {
    if (statement.kind != Statement::kIf) return cuts_.count(&statement) != 0;
    std::vector<const Statement *> writes = WritesOf(statement.then_body);
    if (writes.empty()) writes = WritesOf(statement.else_body);
    return !writes.empty() && cuts_.count(writes.front()) != 0;
  }

  bool IsCutWithin(const Statement &choice) const {
    if (EndsStage({choice})) return true;
    std::vector<const Statement *> writes = WritesOf(choice.then_body);
    for (const Statement *write : WritesOf(choice.else_body)) writes.push_back(write);
    return std::any_of(writes.begin() + (writes.empty() ? 0 : 1), writes.end(),
                       [this](const Statement *write) { return cuts_.count(write) != 0; });
  }

  void SplitBranch(const Statement &choice, const std::vector<Statement> &body, bool is_then) {
    around_.push_back({&choice, is_then});
    Split(body);
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

  const std::set<const Statement *> cuts_;
  std::vector<Around> around_;  // of the body that is split
  std::vector<Stage> stages_;
  bool is_open_ = false;  // whether the next statement goes into the last stage
};

/// The tensors that statements write, or of which they write a slice.
std::set<int> OwnersOfWritten(const std::vector<Statement> &body, const Rule &rule) {
  std::set<int> owners;
  for (const int tensor : EffectsOf(body).written) owners.insert(OwnerOf(rule, tensor));
  return owners;
}

/// What ties a statement to others of its kernel.
enum class Tie {
  kShape,   ///< a tensor that it uses, or that must only fit
  kParts,   ///< slices of one tensor, which may have one shape
  kMemory,  ///< a tensor that is written, or a view or a slice of it, which has another shape
};
using Ties = std::set<std::pair<Tie, int>>;

Ties TiesOf(const Statement &statement, const Rule &rule, const std::set<int> &written) {
  std::set<int> tensors = EffectsOf(statement).used();
  Ties ties = {{Tie::kMemory, statement.target}};
  for (const int tensor : tensors) {
    const Param &param = rule.params[tensor];
    for (const int source : param.view ? param.view->Sources() : std::vector<int>()) {
      if (written.count(source) != 0) ties.insert({Tie::kMemory, source});
      if (param.is_part() && !param.view->is_reshaped) ties.insert({Tie::kParts, source});
    }
  }
  tensors.merge(FittingTensors(statement));
  for (const int tensor : tensors) ties.insert({Tie::kShape, tensor});
  return ties;
}

/// The ties other than vectors, and the tensors from which temporaries among them take their shape.
Ties ElementsOf(const Ties &ties, const Rule &rule) {
  Ties elements;
  for (const auto &[tie, tensor] : ties) {
    const Param &param = rule.params[tensor];
    if (tie != Tie::kParts && param.rank == 1) continue;
    elements.insert({tie, tensor});
    if (tie == Tie::kShape && param.shape_of >= 0) elements.insert({tie, param.shape_of});
  }
  return elements;
}

/// Whether a statement reduces everything. Without elements it reduces vectors.
bool ReducesEverything(const Statement &statement) {
  bool reduces = false;
  ForEachNode(statement.value, [&](const Expr &node) {
    reduces = reduces || (ClassOf(node->op) == OpClass::Reduce && KeptBy(*node).is_none());
  });
  return reduces;
}

/// Whether a statement reads a vector's elements at other places, or a diagonal. A kernel that
/// reduces rows reads a vector as a value of each row, so it cannot. Not if the kernel writes what
/// is viewed, which is an error, nor if the view reduces: the check says what is better.
bool ReadsViewOfVector(const Statement &statement, const Rule &rule, const std::set<int> &written) {
  const std::set<int> used = EffectsOf(statement).used();
  return std::any_of(used.begin(), used.end(), [&](int tensor) {
    const Param &param = rule.params[tensor];
    if (!param.view || param.is_part() || param.rank != 1) return false;
    const std::optional<ViewCall> call = ParseViewCall(*param.view);
    if (!call || call->name == "reduce_with_axis") return false;
    const std::vector<int> sources = param.view->Sources();
    return std::none_of(sources.begin(), sources.end(),
                        [&](int source) { return written.count(source) != 0; });
  });
}

/// What CutUnrelated asks about a statement.
struct Relations {
  Ties ties, elements;
  bool reduces_vectors;  ///< to one element
  bool is_alone;         ///< it reads a view of a vector, which a kernel over rows cannot
};

Relations RelationsOf(const Statement &statement, const Rule &kernel,
                      const std::set<int> &written) {
  Relations relations;
  relations.ties = TiesOf(statement, kernel, written);
  relations.elements = ElementsOf(relations.ties, kernel);
  const bool is_of_vectors = relations.elements.empty();
  relations.reduces_vectors = is_of_vectors && ReducesEverything(statement);
  const Axes kept = KeptBy(kernel);
  relations.is_alone = is_of_vectors && !kept.is_every() && !kept.is_none() &&
                       ReadsViewOfVector(statement, kernel, written);
  return relations;
}

/// Sets of statements that ties hold together, directly or through others.
class Tied {
 public:
  Tied(const std::vector<Relations> &of, Ties Relations::*ties) : parent_(of.size()) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
    std::map<Ties::value_type, size_t> first;  // with a tie
    for (size_t i = 0; i < of.size(); ++i) {
      for (const auto &tie : of[i].*ties)
        parent_[SetOf(i)] = SetOf(first.emplace(tie, i).first->second);
    }
  }

  size_t SetOf(size_t statement) const {
    while (parent_[statement] != statement) statement = parent_[statement];
    return statement;
  }

 private:
  std::vector<size_t> parent_;
};

/// Adds to `cuts` those of `writes` that no tie connects to the one before, so that nothing shows
/// that both have one shape. A vector does not tie two statements over larger tensors, nor one of
/// these to one that reduces vectors. In the spec a flattened statement and one over matrices go
/// over two shapes, so these are cut apart, too.
void CutUnrelated(const std::vector<const Statement *> &writes, const Rule &rule,
                  const std::set<int> &written, std::set<const Statement *> *cuts) {
  std::vector<Relations> of;
  for (const Statement *statement : writes) of.push_back(RelationsOf(*statement, rule, written));
  const Tied all(of, &Relations::ties), by_elements(of, &Relations::elements);
  std::optional<size_t> with_elements;  // the last statement since the last cut that has some
  bool reduces_vectors = false;         // whether one since the last cut does
  for (size_t i = 0; i < writes.size(); ++i) {
    const bool has_elements = !of[i].elements.empty();
    const bool by_vectors =
        has_elements && with_elements && by_elements.SetOf(i) != by_elements.SetOf(*with_elements);
    const bool has_two_shapes =
        (has_elements && reduces_vectors) || (of[i].reduces_vectors && with_elements);
    const bool is_other =
        i > 0 && (all.SetOf(i) != all.SetOf(i - 1) || of[i].is_alone || of[i - 1].is_alone ||
                  writes[i]->flattened.empty() != writes[i - 1]->flattened.empty());
    if (i > 0 && (by_vectors || has_two_shapes || is_other)) {
      cuts->insert(writes[i]);
      with_elements.reset();
      reduces_vectors = false;
    }
    if (has_elements) with_elements = i;
    reduces_vectors = reduces_vectors || of[i].reduces_vectors;
  }
}

std::vector<const Statement *> WritesOf(const std::vector<const Statement *> &statements) {
  std::vector<const Statement *> writes;
  std::copy_if(statements.begin(), statements.end(), std::back_inserter(writes),
               [](const Statement *statement) { return statement->writes(); });
  return writes;
}

/// The statements of a kernel, also in branches, before which it is cut: those without a tie to the
/// one before. Where there are none, it is the first without a tie to the one that a launch runs
/// before it. With too many conditions not every launch is tried: such a kernel is an error.
/// Statements keep their order, since arguments may share memory.
std::set<const Statement *> FindUnrelated(const Rule &kernel) {
  const std::vector<Statement> &body = kernel.stages.front().body;
  const std::vector<const Statement *> writes = WritesOf(body);
  const std::set<int> written = OwnersOfWritten(body, kernel);
  std::set<const Statement *> cuts;
  CutUnrelated(writes, kernel, written, &cuts);
  const RuleConditions conditions = ConditionsOf(kernel);
  if (!cuts.empty() || conditions.values.size() > size_t{2 * kMaxConditions}) return cuts;
  for (unsigned variant = 0; variant < conditions.variant_count(); ++variant) {
    CutUnrelated(WritesOf(Linearize(kernel, conditions, variant)), kernel, written, &cuts);
  }
  for (const Statement *write : writes) {
    if (cuts.count(write) != 0) return {write};
  }
  return {};
}

/// Cuts a kernel between unrelated statements. The pieces are cut again, since the statement that
/// tied two others may be in another piece.
void SplitUnrelated(Stage kernel, const Rule &rule, std::vector<Stage> *stages) {
  Rule alone = rule;
  alone.stages = {kernel};
  Splitter at_unrelated(FindUnrelated(alone));
  std::vector<Stage> parts = at_unrelated.Run(alone.stages.front().body);
  if (parts.size() == 1) return stages->push_back(std::move(kernel));
  for (Stage &part : parts) SplitUnrelated(std::move(part), rule, stages);
}

}  // namespace

void SplitStages(Rule *rule) {
  std::vector<Stage> stages;
  for (Stage &kernel : Splitter().Run(rule->stages.front().body)) {
    SplitUnrelated(std::move(kernel), *rule, &stages);
  }
  rule->stages = std::move(stages);
}

}  // namespace mgen
