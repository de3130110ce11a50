// SPDX-License-Identifier: Apache-2.0
/// \file lower_product.h
/// `out = scale * dot(a, b.T())` and batch_dot: statements that are stages of their own.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_PRODUCT_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_PRODUCT_H_

#include "frontend/lower_tensor.h"

namespace mgen {

/// Whether an expression of this type is a matrix product, perhaps with a scale.
bool IsProduct(clang::QualType type);

/// Gives `statement`, whose target and saver are known, the factors and the scale of product `e`.
/// Throws Rejected after reporting.
void LowerProduct(RuleScalars &scalars, TensorLowering &tensors, const clang::Expr *e,
                  Statement *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_PRODUCT_H_
