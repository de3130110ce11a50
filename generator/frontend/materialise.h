// SPDX-License-Identifier: Apache-2.0
/// \file materialise.h
/// Expressions that a kernel cannot compute where it reads them: a reduction that is broadcast, of
/// which each element would be reduced again for each element that reads it. They are computed
/// before, by a kernel of their own, into a temporary. Unfused code does so, too (materialised.h).
#ifndef MSHADOW_GENERATOR_FRONTEND_MATERIALISE_H_
#define MSHADOW_GENERATOR_FRONTEND_MATERIALISE_H_

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/lower_tensor.h"
#include "frontend/rule_scalars.h"

namespace mgen {

class Materialiser {
 public:
  /// Makes a tensor one of the rule's, named like `name`; gives its place among the parameters.
  using AddTemporary = std::function<int(const std::string &name, Param temporary)>;
  /// Adds a statement to the body at hand.
  using AddStatement = std::function<void(Statement statement)>;

  Materialiser(TensorLowering &tensors, AddTemporary add_temporary, AddStatement add_statement)
      : tensors_(tensors),
        scalars_(tensors.scalars()),
        add_temporary_(std::move(add_temporary)),
        add_statement_(std::move(add_statement)) {}

  /// A temporary that has the elements of `e` from here on; -1 if its shape is not known, or the
  /// rule may have no other kernel.
  int Of(const clang::Expr *e);

  /// Whether what is lowered now is for a temporary, which shares no memory with arguments.
  bool is_at_work() const { return depth_ > 0; }

  /// Whether what `value` reads is what it would be if it were lowered now.
  bool IsCurrent(const Expr &value) const;

  /// Says that a statement writes `tensor`.
  void Written(int tensor);

  // What is computed in a branch is there in that branch alone. What a branch writes is unknown
  // behind it.
  struct Known {
    int temporary;
    std::string value;         ///< the text of what it has
    std::vector<int> sources;  ///< the tensors that this was read from
  };
  const std::vector<Known> &known() const { return known_; }
  void EndBranch(const std::vector<Known> &before);

 private:
  int TemporaryOf(const std::string &value) const;
  std::vector<int> SourcesOf(const Expr &value) const;
  std::string NameFor(const clang::Expr *e, const std::vector<int> &sources) const;
  Statement Lower(const clang::Expr *e);
  Expr LowerNamed(const clang::Expr *e);

  TensorLowering &tensors_;
  RuleScalars &scalars_;
  const AddTemporary add_temporary_;
  const AddStatement add_statement_;
  int depth_ = 0;  ///< of temporaries that are for others
  std::vector<Known> known_;
  std::set<int> made_;  ///< all temporaries, of other branches, too
};

/// Gives what was computed before a statement, or where a name was declared, the number of the next
/// statement of the spec.
/// \param next the number of the statement behind `body`
void NumberMade(std::vector<Statement> *body, int *next);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_MATERIALISE_H_
