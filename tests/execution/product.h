// SPDX-License-Identifier: Apache-2.0
/// \file product.h
/// Matrix products of estimates, in whatever order a BLAS may add.
#ifndef MSHADOW_TESTS_EXECUTION_PRODUCT_H_
#define MSHADOW_TESTS_EXECUTION_PRODUCT_H_

#include "interpreter.h"

namespace mshadow_test {

/// `scale` times the product, in the shape of `like`; the table of mshadow/expr/dot_engine.h says
/// what is multiplied. Elements are of `kind`, of 16-bit floats of float: a product is rounded to
/// 16 bits when it has been added to what was there.
///
/// The bound of a sum of n products in any order, contracted or not: gamma(n + 2) sum |a b|, and
/// what the factors' own bounds give (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
/// ed., 3.1).
Array ProductOf(mgen::ScalarKind kind, const Estimate &scale, const Array &left,
                bool left_transposed, const Array &right, bool right_transposed, const Array &like);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_PRODUCT_H_
