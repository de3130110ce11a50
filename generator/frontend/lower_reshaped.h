// SPDX-License-Identifier: Apache-2.0
/// \file lower_reshaped.h
/// `reshape(tensor, shape) = expression`, `tensor.FlatTo1D() = …` and `tensor.FlatTo2D() = …`: a
/// tensor of the rule's own, in the memory of the other.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_RESHAPED_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_RESHAPED_H_

#include <string>

#include "frontend/front_end.h"
#include "frontend/lower_tensor.h"

namespace mgen {

/// The rule's tensor for `e`, if `e` is memory: a tensor, a slice, or a tensor in another shape; -1
/// for other expressions. A name that stands for such a tensor is one from now on.
int MemoryOf(TensorLowering &tensors, const clang::Expr *e);

/// The rule's tensor for `e`, which a statement writes. Throws Rejected after reporting.
int TargetOf(TensorLowering &tensors, const clang::Expr *e);

/// Rejects a reduction or a scan that is assigned to a slice: unfused, these write tensors.
void RejectReducedSlice(FrontEnd &front, const clang::Expr *target, const clang::Expr *value);

/// How messages name a tensor that is assigned: "out", "out.Slice(...)" or "out.FlatTo2D()".
std::string NameOfDestination(const Rule &rule, int tensor);

/// Makes reads of views that reshape a tensor reads of the memory that MemoryOf has made of the
/// same expression. They may then be in a kernel that writes it.
void ReadReshaped(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_RESHAPED_H_
