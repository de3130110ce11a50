// SPDX-License-Identifier: Apache-2.0
/// \file materialise.h
/// Materialised temporaries, for reductions of axes. A kernel of its own reduces each axis, into a
/// temporary, and the kernel of the statement reads the temporary. Where no kernel can do that
/// (reduced_axes.h), the kernel of the statement evaluates a view. What is broadcast would then be
/// reduced again for each element. So a kernel of its own evaluates the view before, as unfused
/// code does (expr/materialised.h).
#ifndef MSHADOW_GENERATOR_FRONTEND_MATERIALISE_H_
#define MSHADOW_GENERATOR_FRONTEND_MATERIALISE_H_

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/expression_extents.h"
#include "frontend/lower_tensor.h"
#include "frontend/rule_scalars.h"

namespace mgen {

class Materialiser {
 public:
  /// Adds a tensor to the rule, with a name like `name`. Returns its index into Rule::params.
  using AddTemporary = std::function<int(const std::string &name, Param temporary)>;
  /// Adds a statement that makes a temporary to the body that is being lowered.
  using AddStatement = std::function<void(Statement statement)>;

  Materialiser(TensorLowering &tensors, AddTemporary add_temporary, AddStatement add_statement)
      : tensors_(tensors),
        scalars_(tensors.scalars()),
        add_temporary_(std::move(add_temporary)),
        add_statement_(std::move(add_statement)) {}

  /// A temporary that has the elements of `e` from here on: an index into Rule::params. -1 if its
  /// shape is not known, or if the rule is an MSHADOW_EXPRESSION, which has one kernel only.
  int Of(const clang::Expr *e);
  /// A vector, and the tensors from which it is computed.
  struct Vector {
    int tensor;
    std::vector<int> sources;
  };
  /// A temporary with a name like `name` that has the elements of a vector, `length` of them. Its
  /// index is -1 in an MSHADOW_EXPRESSION.
  /// \param title what messages call it
  Vector VectorOf(const clang::Expr *e, const std::string &name, const std::string &title,
                  const Expr &length);
  /// The same for a reduction of axes that kernels of their own can compute; -1 of any other.
  int OfAxes(const clang::Expr *e);

  /// Whether a name is being declared. Its reductions are computed where the name is used, so that
  /// no kernel computes what only a branch uses.
  bool &declares() { return declares_; }

  /// Whether a temporary's value is being lowered. A temporary shares no memory with arguments.
  bool is_at_work() const { return depth_ > 0; }

  /// Whether the temporaries that `value` reads still hold what they held when it was lowered.
  bool IsCurrent(const Expr &value) const;

  /// Notes that a statement writes `tensor`.
  void Written(int tensor);

  /// A temporary whose value may be used again.
  struct Known {
    int temporary;
    std::string value;         ///< the printed expression that it holds
    std::vector<int> sources;  ///< the tensors from which the value was computed
  };
  const std::vector<Known> &known() const { return known_; }
  /// Forgets the temporaries that a branch made: they have values in that branch only. What the
  /// branch's writes made uncertain stays forgotten, too.
  /// \param before what was known before the branch
  void EndBranch(const std::vector<Known> &before);

 private:
  int TemporaryOf(const std::string &value) const;
  std::vector<int> SourcesOf(const Expr &value) const;
  std::string NameFor(const clang::Expr *e, const std::vector<int> &sources) const;
  /// A statement without a target, and what a launch must check for it.
  struct Lowered {
    Statement statement;
    std::vector<Expr> fitting;
  };
  Lowered Lower(const clang::Expr *e, const std::function<Expr()> &value);
  int Add(Lowered lowered, const std::string &name, Extents extents, bool is_flat);

  TensorLowering &tensors_;
  RuleScalars &scalars_;
  const AddTemporary add_temporary_;
  const AddStatement add_statement_;
  bool declares_ = false;
  int depth_ = 0;  ///< how many values of temporaries are being lowered, one inside the other
  std::vector<Known> known_;
  std::set<int> made_;  ///< all temporaries that this made, also in other branches
};

/// Adds a statement that a Materialiser made to `body`. It has a kernel of its own; but two
/// reductions, one after the other, may have one kernel.
void AddMade(Statement statement, std::vector<Statement> *body);

/// Gives each statement that a Materialiser made the number of the spec's next statement.
/// \param next the number of the statement behind `body`
void NumberMade(std::vector<Statement> *body, int *next);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_MATERIALISE_H_
