// SPDX-License-Identifier: Apache-2.0
#include "passes/view_arguments.h"

#include <algorithm>
#include <string>

#include "ir/builder.h"

namespace mgen {
size_t DimOf(const Affine &number, const Extents &shape) {
  const bool is_dim = number.is_constant() && number.constant() >= 0 &&
                      number.constant() < static_cast<int64_t>(shape.rank());
  if (!is_dim || shape.is_for_any_rank) throw Unknown();
  return static_cast<size_t>(number.constant());
}

const ViewCall &Arguments::Arg(size_t i) const {
  if (!Has(i)) throw Unknown();
  return call_.args[i];
}

int Arguments::Tensor(size_t i) const {
  const int operand = Arg(i).operand;
  if (operand < 0 || Operand(operand).kind != View::Operand::kTensor) throw Unknown();
  return Operand(operand).param;
}

std::string Arguments::Reducer() const {
  static const char *const kReducers[] = {"mshadow::red::sum", "mshadow::red::product",
                                          "mshadow::red::maximum", "mshadow::red::minimum"};
  if (call_.template_args.empty()) throw Unknown();
  const std::string &reducer = call_.template_args.front();
  if (std::find(std::begin(kReducers), std::end(kReducers), reducer) == std::end(kReducers)) {
    throw Unknown();
  }
  return reducer;
}

bool Arguments::HasShape(size_t i) const {
  if (!Has(i)) return false;
  const ViewCall &arg = call_.args[i];
  return arg.operand >= 0 ? Operand(arg.operand).kind == View::Operand::kShape
                          : arg.name.rfind("Shape", 0) == 0;
}

size_t Arguments::Dim(size_t i, const Extents &shape) const {
  const int operand = Arg(i).operand;
  return IsFromTheEnd(operand) ? DimFromTheEnd(operand, shape) : DimOf(Number(i), shape);
}

int Arguments::TemplateNumber(size_t i, bool *is_operand) const {
  if (i >= call_.template_args.size()) throw Unknown();
  const std::string &text = call_.template_args[i];
  *is_operand = text.front() == '$';
  const std::string digits = text.substr(*is_operand ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
    throw Unknown();
  }
  return std::stoi(digits);
}

size_t Arguments::TemplateDim(size_t i, const Extents &shape) const {
  bool is_operand = false;
  const int number = TemplateNumber(i, &is_operand);
  return is_operand ? DimFromTheEnd(number, shape) : DimOf(number, shape);
}

bool Arguments::IsFromTheEnd(int operand) const {
  return operand >= 0 && Operand(operand).kind == View::Operand::kRank;
}

size_t Arguments::DimFromTheEnd(int operand, const Extents &shape) const {
  const auto count = static_cast<size_t>(-FromTheEnd(operand));
  if (!shape.is_for_any_rank || count > shape.named()) throw Unknown();
  return shape.rank() - count;
}

int Arguments::FromTheEnd(int operand) const {
  if (!IsFromTheEnd(operand) || Operand(operand).offset >= 0) throw Unknown();
  return Operand(operand).offset;
}

int Arguments::NamedDim(size_t i) const {
  const int operand = Arg(i).operand;
  if (IsFromTheEnd(operand)) return FromTheEnd(operand);
  const Affine number = Number(i);
  if (!number.is_constant() || number.constant() < 0) throw Unknown();
  return static_cast<int>(number.constant());
}

int Arguments::NamedTemplateDim(size_t i) const {
  bool is_operand = false;
  const int number = TemplateNumber(i, &is_operand);
  return is_operand ? FromTheEnd(number) : number;
}

int Arguments::TensorOfShape(size_t i) const {
  const int operand = Arg(i).operand;
  if (operand < 0 || Operand(operand).kind != View::Operand::kShape) throw Unknown();
  return Operand(operand).param;
}

Extents Arguments::Shape(size_t i) const {
  const ViewCall &arg = Arg(i);
  if (arg.operand >= 0) return ShapeOf(TensorOfShape(i));
  if (arg.name.rfind("Shape", 0) != 0) throw Unknown();
  Extents shape;
  for (const ViewCall &extent : arg.args) shape.of.push_back(NumberIn(extent));
  return shape;
}

Extents Arguments::ShapeOf(int tensor) const {
  const int rank = source_.plan.rule.params[tensor].rank;
  const auto extent = [tensor](int dim) { return Affine::Of(MakeDim(tensor, dim)); };
  Extents shape;
  if (rank == Param::kRankParam) {
    const int first = static_cast<int>(source_.named) - 1;  // counted from the last dimension
    shape.is_for_any_rank = true;
    shape.of.push_back(extent(first == 0 ? Node::kRows : Node::kBefore + first));
    for (int n = first; n > 0; --n) shape.of.push_back(extent(Node::kFromLast + n));
    shape.of.push_back(extent(Node::kLastDim));
    return shape;
  }
  for (int d = 0; d < rank; ++d) shape.of.push_back(extent(d));
  return shape;
}

Expr Arguments::ValueIn(const ViewCall &arg) const {
  if (arg.operand < 0 || !Operand(arg.operand).has_value()) throw Unknown();
  return Operand(arg.operand).value;
}

/// The sum that a scalar is. If the launch computes an extent of a tensor as a scalar, the sum has
/// the extent itself.
Affine Arguments::Sum(const Expr &value) const {
  if (value->op == Op::kLiteral) {
    if (!std::holds_alternative<int64_t>(value->value)) throw Unknown();
    return Affine::Of(value);
  }
  if (value->type != kIndexType) throw Unknown();
  if (value->op != Op::kHoisted) return Affine::Of(value);
  const Expr &computed = source_.plan.scalars.at(static_cast<size_t>(value->index)).value;
  const std::vector<int> tensors = source_.view.Arguments();
  const bool is_extent =
      computed->op == Op::kDim && (computed->dim >= 0 || computed->dim == Node::kLastDim) &&
      std::find(tensors.begin(), tensors.end(), computed->index) != tensors.end();
  return Affine::Of(is_extent ? computed : value);
}

}  // namespace mgen
