// SPDX-License-Identifier: Apache-2.0
/// \file view_arguments.h
/// The arguments of a function that a view calls, as numbers and shapes.
#ifndef MSHADOW_GENERATOR_PASSES_VIEW_ARGUMENTS_H_
#define MSHADOW_GENERATOR_PASSES_VIEW_ARGUMENTS_H_

#include <string>
#include <vector>

#include "ir/affine.h"
#include "ir/plan.h"
#include "ir/view_call.h"

namespace mgen {

using Sums = std::vector<Affine>;

/// The extents of an expression. In a rule for any rank an expression of the rule's rank has some
/// of its last dimensions. All dimensions before these are read in place, and count as one, the
/// first.
struct Extents {
  Sums of;
  bool is_for_any_rank = false;

  size_t rank() const { return of.size(); }
  size_t last() const { return of.size() - 1; }
  /// How many of the dimensions a function can name.
  size_t named() const { return is_for_any_rank ? of.size() - 1 : of.size(); }
};

/// The expression of a view, as the passes see it.
struct ViewSource {
  const Plan &plan;
  const View &view;
  /// In a rule for any rank: how many of the last dimensions an expression of its rank has.
  size_t named;
};

/// Thrown if an argument is not known before the launch, or if a function is not in the table.
struct Unknown {};

/// The dimension that \p number names, of an expression with shape \p shape.
/// \throws Unknown if the number is not known, or names no dimension
size_t DimOf(const Affine &number, const Extents &shape);

/// All members throw Unknown if there is no such argument, or it is of another kind.
class Arguments {
 public:
  Arguments(const ViewSource &source, const ViewCall &call) : source_(source), call_(call) {}

  bool Has(size_t i) const { return i < call_.args.size(); }
  bool HasTemplateArgs() const { return !call_.template_args.empty(); }
  size_t count() const { return call_.args.size(); }

  Affine Number(size_t i) const { return NumberIn(Arg(i)); }
  /// A number of any type.
  Expr Value(size_t i) const { return ValueIn(Arg(i)); }
  /// A tensor: index into Rule::params.
  int Tensor(size_t i) const;
  /// The first template argument: a reducer that kernels know in packets.
  std::string Reducer() const;
  /// A dimension of an expression with shape \p shape.
  size_t Dim(size_t i, const Extents &shape) const;
  /// The same of a template argument.
  size_t TemplateDim(size_t i, const Extents &shape) const;
  /// In a rule for any rank: the number of a dimension, below 0 if it is counted from the end.
  int NamedDim(size_t i) const;
  int NamedTemplateDim(size_t i) const;
  bool HasShape(size_t i) const;
  /// The tensor whose shape an argument is.
  int TensorOfShape(size_t i) const;
  Extents Shape(size_t i) const;
  Extents ShapeOf(int tensor) const;

 private:
  const ViewCall &Arg(size_t i) const;
  const View::Operand &Operand(int number) const {
    return source_.view.operands.at(static_cast<size_t>(number));
  }
  Affine NumberIn(const ViewCall &arg) const { return Sum(ValueIn(arg)); }
  Expr ValueIn(const ViewCall &arg) const;
  Affine Sum(const Expr &value) const;
  /// A template argument: a number, or the number of an operand of the view.
  int TemplateNumber(size_t i, bool *is_operand) const;
  /// The offset of an operand that is `dim - 1`, `dim - 2` and so on.
  int FromTheEnd(int operand) const;
  /// The dimension that an operand names from the end, of an expression with shape \p shape.
  size_t DimFromTheEnd(int operand, const Extents &shape) const;
  bool IsFromTheEnd(int operand) const;

  const ViewSource &source_;
  const ViewCall &call_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VIEW_ARGUMENTS_H_
