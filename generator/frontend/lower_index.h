// SPDX-License-Identifier: Apache-2.0
/// \file lower_index.h
/// Expressions that read elements at other places, and the numbers of elements: broadcasts, range,
/// one_hot_encode, mat_fill_row_element, mat_choose_row_element. They become index expressions.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_INDEX_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_INDEX_H_

#include <string>

#include "frontend/lower_tensor.h"

namespace mgen {

class IndexLowering {
 public:
  explicit IndexLowering(TensorLowering &tensors)
      : tensors_(tensors), scalars_(tensors.scalars()), front_(scalars_.front()) {}

  /// `name` is that of the function: "broadcast", "broadcast_scalar" or "repmat".
  Expr LowerBroadcast(const clang::CallExpr *e, const std::string &name);
  Expr LowerRange(const clang::CallExpr *e);
  Expr LowerOneHot(const clang::CallExpr *e);
  Expr LowerFill(const clang::CallExpr *e);
  Expr LowerChoose(const clang::CallExpr *e);

 private:
  Expr BroadcastAxis(const clang::CallExpr *e);
  void CheckBroadcastShape(const clang::CallExpr *e, const std::string &name);
  std::string BroadcastAlongNewAxis(const clang::CallExpr *e);
  [[noreturn]] void RejectBroadcastShape(const clang::CallExpr *e, const std::string &name);
  Expr LowerAt(const clang::Expr *e, const Expr &index, const clang::CallExpr *broadcast = nullptr);
  Expr LowerIndexAt(const Expr &number, bool is_row, const clang::CallExpr *broadcast);
  Expr LowerNumber(const clang::CallExpr *e, const Node &number);
  Expr LowerIndices(const clang::Expr *e);
  Expr LowerExtent(const clang::Expr *e, const TensorLowering::Along &along,
                   const std::string &name, const std::string &instead);
  [[noreturn]] void RejectExtent(const SourceLocation &location, const std::string &name,
                                 const std::string &instead);

  TensorLowering &tensors_;
  RuleScalars &scalars_;
  FrontEnd &front_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_INDEX_H_
