// SPDX-License-Identifier: Apache-2.0
/// \file lower_scatter.h
/// `AddTakeGrad(dst, indices, rows)`: a statement that is a stage of its own.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SCATTER_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SCATTER_H_

#include "frontend/lower_tensor.h"

namespace mgen {

/// Whether a function is the runtime's AddTakeGrad.
bool IsScatter(const clang::FunctionDecl *function);

/// Gives `statement` the tensors of call `e`. Throws Rejected after reporting.
void LowerScatter(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e,
                  Statement *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SCATTER_H_
