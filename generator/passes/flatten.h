// SPDX-License-Identifier: Apache-2.0
/// \file flatten.h
/// Pass `flatten`: makes statements over tensors of rank 3 or more statements over the matrices of
/// these tensors, if the rule uses the tensors as such matrices (`t.FlatTo2D()`), too. Then one
/// kernel can have both.
#ifndef MSHADOW_GENERATOR_PASSES_FLATTEN_H_
#define MSHADOW_GENERATOR_PASSES_FLATTEN_H_

#include "ir/rule.h"

namespace mgen {

/// Replaces each tensor of a statement by its `FlatTo2D()`, and lists the tensors in
/// Statement::flattened. The statement must assign, element by element, what depends on no
/// coordinate but the last. A tensor connects the statements that use it, in its own shape or as a
/// matrix. All statements that are connected to one over matrices are replaced, or none of them: if
/// one of them stays a statement over tensors of their own shape, it could not be in a kernel with
/// the others.
///
/// A temporary with the shape of an argument that is used only as a matrix becomes a temporary
/// matrix, which a kernel can keep in registers.
/// \param rule its body is in one stage, which is not yet cut
void Flatten(Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_FLATTEN_H_
