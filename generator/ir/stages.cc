// SPDX-License-Identifier: Apache-2.0
#include "ir/stages.h"

#include <map>
#include <utility>

#include "ir/walk.h"

namespace mgen {
namespace {

/// A condition around statements, and the branch that they are in.
struct Branch {
  const Statement *choice;
  bool is_then;
};

class Splitter {
 public:
  void Split(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kBoundary) {
        EndStage();
      } else if (statement.kind == Statement::kProduct) {
        EndStage();
        Add(statement);
        EndStage();
      } else if (statement.kind == Statement::kIf && EndsStage({statement})) {
        SplitBranch(statement, true);
        SplitBranch(statement, false);
      } else {
        Add(statement);
      }
    }
  }

  std::vector<Stage> Finish() {
    if (stages_.empty()) stages_.emplace_back();
    return std::move(stages_);
  }

 private:
  /// What only one of two branches does is apart from the other one.
  void SplitBranch(const Statement &choice, bool is_then) {
    path_.push_back({&choice, is_then});
    Split(is_then ? choice.then_body : choice.else_body);
    path_.pop_back();
    EndStage();
  }

  void EndStage() { is_open_ = false; }

  void Add(Statement statement) {
    for (size_t i = path_.size(); i-- > 0;) {
      Statement around = *path_[i].choice;
      around.then_body.clear();
      around.else_body.clear();
      (path_[i].is_then ? around.then_body : around.else_body).push_back(std::move(statement));
      statement = std::move(around);
    }
    if (!is_open_) stages_.emplace_back();
    is_open_ = true;
    stages_.back().body.push_back(std::move(statement));
  }

  std::vector<Branch> path_;
  std::vector<Stage> stages_;
  bool is_open_ = false;  // the last stage takes what comes
};

}  // namespace

bool EndsStage(const std::vector<Statement> &body) {
  bool ends = false;
  ForEachStatement(body, [&ends](const Statement &statement) {
    ends = ends || statement.kind == Statement::kBoundary || statement.kind == Statement::kProduct;
  });
  return ends;
}

std::vector<Stage> SplitStages(std::vector<Statement> body) {
  Splitter splitter;
  splitter.Split(body);
  return splitter.Finish();
}

std::set<int> TensorsOf(const Stage &stage) {
  std::set<int> tensors;
  ForEachStatement(stage.body, [&tensors](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    tensors.insert(statement.target);
    if (statement.kind == Statement::kProduct) {
      tensors.insert({statement.left.tensor, statement.right.tensor});
      return;
    }
    for (const auto &operand : ReadsOf(statement.value).operands) tensors.insert(operand.first);
  });
  return tensors;
}

const Statement *ProductOf(const Stage &stage) {
  const Statement *product = nullptr;
  ForEachStatement(stage.body, [&product](const Statement &statement) {
    if (statement.kind == Statement::kProduct) product = &statement;
  });
  return product;
}

bool IsStaged(const Rule &rule) {
  return rule.stages.size() > 1 ||
         (!rule.stages.empty() && ProductOf(rule.stages.front()) != nullptr);
}

namespace {

/// Whether a launcher compares the shape of a temporary, which only this kernel uses, with those of
/// its other tensors: it has that of one of them, or an extent.
bool IsCompared(const Param &temporary, const std::set<int> &tensors) {
  if (temporary.shape_of >= 0) return tensors.count(temporary.shape_of) != 0;
  const Expr &extent = temporary.extents.front();
  const bool is_one = extent->op == Op::kLiteral;
  return temporary.rank == 1 && (is_one || tensors.count(extent->index) != 0);
}

}  // namespace

void FindWorkspaces(Rule *rule) {
  if (!IsStaged(*rule)) return;
  std::map<int, int> uses;  // by tensor: stages, those for two that need the tensor in memory
  for (const Stage &stage : rule->stages) {
    const std::set<int> tensors = TensorsOf(stage);
    for (int tensor : tensors) {
      const Param &param = rule->params[tensor];
      const bool needs_memory =
          ProductOf(stage) != nullptr || (param.is_temporary && !IsCompared(param, tensors));
      uses[tensor] += needs_memory ? 2 : 1;
      if (!param.view) continue;
      for (int source : param.view->Sources()) uses[source] += 2;
    }
  }
  for (const auto &[tensor, count] : uses) {
    rule->params[tensor].is_workspace = rule->params[tensor].is_temporary && count > 1;
  }
}

Rule StageRule(const Rule &rule, size_t number) {
  Rule stage = rule;
  if (IsStaged(rule)) stage.name += "Stage" + std::to_string(number + 1);
  stage.doc.clear();
  stage.stages = {rule.stages[number]};
  for (Param &param : stage.params) {
    if (param.is_workspace) param.is_temporary = false;
  }
  return stage;
}

}  // namespace mgen
