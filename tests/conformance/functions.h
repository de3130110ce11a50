// SPDX-License-Identifier: Apache-2.0
/// \file functions.h
/// The elementary functions as rules, one pass each, for the tests of other projects.
#ifndef TESTS_CONFORMANCE_FUNCTIONS_H_
#define TESTS_CONFORMANCE_FUNCTIONS_H_

#include <mshadow/kernel.h>

namespace conformance {
using namespace mshadow;
using namespace mshadow::expr;

/// out = function(in) for each element.
#define CONFORMANCE_FUNCTION(Rule, function)                                                  \
  template <typename xpu, int dim, typename DType>                                            \
  MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {  \
    out = F<op::function>(in);                                                                \
  }                                                                                           \
  MSHADOW_INSTANTIATE(Rule, float, double)

CONFORMANCE_FUNCTION(Exp, exp);
CONFORMANCE_FUNCTION(Exp2, exp2);
CONFORMANCE_FUNCTION(Expm1, expm1);
CONFORMANCE_FUNCTION(Log, log);
CONFORMANCE_FUNCTION(Log2, log2);
CONFORMANCE_FUNCTION(Log10, log10);
CONFORMANCE_FUNCTION(Log1p, log1p);
CONFORMANCE_FUNCTION(Sin, sin);
CONFORMANCE_FUNCTION(Cos, cos);
CONFORMANCE_FUNCTION(Tan, tan);
CONFORMANCE_FUNCTION(Asin, asin);
CONFORMANCE_FUNCTION(Acos, acos);
CONFORMANCE_FUNCTION(Atan, atan);
CONFORMANCE_FUNCTION(Sinh, sinh);
CONFORMANCE_FUNCTION(Cosh, cosh);
CONFORMANCE_FUNCTION(Tanh, tanh);
CONFORMANCE_FUNCTION(Asinh, asinh);
CONFORMANCE_FUNCTION(Acosh, acosh);
CONFORMANCE_FUNCTION(Atanh, atanh);
CONFORMANCE_FUNCTION(Cbrt, cbrt);
CONFORMANCE_FUNCTION(Erf, erf);
CONFORMANCE_FUNCTION(Erfc, erfc);
CONFORMANCE_FUNCTION(Lgamma, lgamma);

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_FUNCTIONS_H_
