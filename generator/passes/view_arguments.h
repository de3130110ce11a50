// SPDX-License-Identifier: Apache-2.0
/// \file view_arguments.h
/// The arguments of a function in a view, as numbers and shapes.
#ifndef MSHADOW_GENERATOR_PASSES_VIEW_ARGUMENTS_H_
#define MSHADOW_GENERATOR_PASSES_VIEW_ARGUMENTS_H_

#include <string>
#include <vector>

#include "ir/affine.h"
#include "ir/plan.h"
#include "ir/view_call.h"

namespace mgen {

using Sums = std::vector<Affine>;

/// The extents of an expression. One of a rule's rank, which is for any, is a matrix here: what
/// stands in front of its last dimension is read in place, and counts as one.
struct Extents {
  Sums of;
  bool is_for_any_rank = false;

  size_t rank() const { return of.size(); }
  size_t last() const { return of.size() - 1; }
};

/// Thrown where an argument is not known before the launch, or a function is none of the table.
struct Unknown {};

/// The dimension of what has this shape that a number names.
/// \throws Unknown unless the number is known and names one
size_t DimOf(const Affine &number, const Extents &shape);

/// All members throw Unknown if there is no such argument, or it is of another kind.
class Arguments {
 public:
  Arguments(const Plan &plan, const View &view, const ViewCall &call)
      : plan_(plan), view_(view), call_(call) {}

  bool Has(size_t i) const { return i < call_.args.size(); }
  bool HasTemplateArgs() const { return !call_.template_args.empty(); }
  size_t count() const { return call_.args.size(); }

  Affine Number(size_t i) const { return NumberIn(Arg(i)); }
  /// A number that the spec spells out.
  int64_t Constant(size_t i) const;
  /// A tensor: index into Rule::params.
  int Tensor(size_t i) const;
  /// The first template argument: a type.
  std::string Type() const;
  /// A dimension of what has this shape.
  size_t Dim(size_t i, const Extents &shape) const;
  /// The same of a template argument.
  size_t TemplateDim(size_t i, const Extents &shape) const;
  Extents Shape(size_t i) const;
  Extents ShapeOf(int tensor) const;

 private:
  const ViewCall &Arg(size_t i) const;
  const View::Operand &Operand(int number) const {
    return view_.operands.at(static_cast<size_t>(number));
  }
  Affine NumberIn(const ViewCall &arg) const;
  Affine Sum(const Expr &value) const;
  /// Whether an operand is `dim - 1`.
  bool IsLastOfAny(int operand) const;

  const Plan &plan_;
  const View &view_;
  const ViewCall &call_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VIEW_ARGUMENTS_H_
