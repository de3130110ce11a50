// SPDX-License-Identifier: Apache-2.0
/// \file lower_concat.h
/// `concat<d>(a, b) = expression`: a kernel for each tensor, over the expression's elements that
/// are its own.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_CONCAT_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_CONCAT_H_

#include <optional>
#include <vector>

#include "frontend/lower_tensor.h"

namespace mgen {

/// Tensors beside each other along a dimension: `concat<d>(concat<d>(a, b), c)`.
struct Joined {
  int dim;  ///< or what DimensionNamedBy gives where it is in terms of the rule's rank
  std::vector<const clang::Expr *> tensors;
  const clang::VarDecl *name;  ///< that stands for it, or null
};

/// `e`, or what the name `e` stands for, as tensors beside each other; nothing if it is none.
std::optional<Joined> JoinedIn(const clang::Expr *e, const clang::ASTContext &ast);

/// Reports a tensor that is joined with itself, of which an element would get two values, and a
/// dimension that is another one at each rank.
void CheckJoined(RuleScalars &scalars, const Joined &joined, const std::vector<int> &tensors,
                 const clang::Expr *e);

/// Elements [begin, end) along a dimension of what is assigned; `end` null: all from `begin` on.
struct Stretch {
  int dim;  ///< Node::kLastDim in a rule for any rank
  Expr begin, end;
  int like;  ///< the tensor that they are assigned to
};

/// What must fit where a number is assigned to tensors that are joined along `dim`: their other
/// extents must be those of the first tensor.
std::vector<Expr> OtherExtentsOf(const Rule &rule, int first, int dim);

/// Gives `statement`, which assigns to a stretch, the value of the whole assignment, and what must
/// fit: tensors are read through slices, which must lie apart from what is written, as unfused.
/// Throws Rejected after reporting.
void AssignStretch(RuleScalars &scalars, const TensorLowering::AddView &add_view,
                   const Stretch &stretch, const Statement &whole, const SourceLocation &location,
                   Statement *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_CONCAT_H_
