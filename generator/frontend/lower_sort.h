// SPDX-License-Identifier: Apache-2.0
/// \file lower_sort.h
/// `TopK(values, columns, src)` and its like: a statement that is a stage of its own.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SORT_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SORT_H_

#include "frontend/lower_tensor.h"

namespace mgen {

/// Whether a function is TopK, ArgTopK, SortRows or ArgSortRows of the runtime.
bool IsSort(const clang::FunctionDecl *function);

/// Gives `statement` the tensors of call `e`. Throws Rejected after reporting.
void LowerSort(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e,
               Statement *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SORT_H_
