// SPDX-License-Identifier: Apache-2.0
/// \file kernel.h
/// The one header that a spec includes: the expression API, and the macros that mark rules for
/// mshadow-gen.
///
///     template <typename xpu, int dim, typename DType>
///     MSHADOW_KERNEL void SGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
///                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
///                             MSHADOW_HYPER float lr = 0.1f) {
///       weight -= lr * grad;
///     }
///     MSHADOW_INSTANTIATE(SGD, float, double);
///
///     template <typename X>
///     MSHADOW_EXPRESSION auto Swish(const X &x, float beta = 1.0f) {
///       return x * F<op::sigmoid>(beta * x);
///     }
///     MSHADOW_INSTANTIATE_EXPRESSION(Swish, float, double);
///
/// From this #include to the end of the translation unit, the compiler does not contract a multiply
/// and an add into one operation. So flags such as -O3 and -march=native do not change the bits of
/// a rule (detail/strict_push.h). But nvcc needs -fmad=false to compile an unfused rule for a GPU
/// (docs/cuda.md). -ffast-math is an error. Do not use Clang's -ffp-contract=fast, which overrides
/// the pragma that forbids contraction.
#ifndef MSHADOW_KERNEL_H_
#define MSHADOW_KERNEL_H_

#include "mshadow/api.h"
#include "mshadow/detail/temporary.h"
#include "mshadow/emitted/check_step.h"
#include "mshadow/expr/bit_cast.h"
#include "mshadow/expr/op_extra.h"
#include "mshadow/expr/round_stochastic.h"
#include "mshadow/functions.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/extension/diag.h"  // the generator reads these in spec/
#include "mshadow/extension/rows.h"
#include "mshadow/extension/scatter_columns.h"
#include "mshadow/extension/top_k.h"
#endif

/// Ends the current kernel of a rule; the next statement starts a new kernel. The new kernel may
/// reduce over other axes. It may read, at any coordinate, what earlier kernels wrote. A temporary
/// that passes from one kernel to the next has memory in a workspace. Unfused, the macro does
/// nothing.
#define MSHADOW_STAGE() ::mshadow::detail::EndStage()

/// Checks that `step`, a scalar parameter marked MSHADOW_STEP, is at least 1. In step 0 a bias
/// correction would divide by 0. Call it before the rule's first write, outside of any `if`.
/// \throws Error that names the rule and the parameter
#define MSHADOW_CHECK_STEP(step) ::mshadow::detail::CheckStep(__func__, #step, step)

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
inline void EndStage() {}
}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

namespace mshadow {
/// The element type of an expression: `using DType = ElementOf<X>;`.
template <typename E>
using ElementOf = typename expr::ExpTraits<E>::type::ElementType;
}  // namespace mshadow

#ifdef __MSHADOW_GEN__

#define MSHADOW_ANNOTATE(text) __attribute__((annotate(text)))
#define MSHADOW_KERNEL MSHADOW_ANNOTATE("mshadow::kernel")
#define MSHADOW_EXPRESSION MSHADOW_ANNOTATE("mshadow::expression")
#define MSHADOW_PARAMETER MSHADOW_ANNOTATE("mshadow::parameter")
#define MSHADOW_GRADIENT MSHADOW_ANNOTATE("mshadow::gradient")
#define MSHADOW_STATE(init) MSHADOW_ANNOTATE("mshadow::state=" #init)
#define MSHADOW_HYPER MSHADOW_ANNOTATE("mshadow::hyper")
#define MSHADOW_STEP MSHADOW_ANNOTATE("mshadow::step")
#include "mshadow/spec/instantiate.h"

#else

/// Marks a function template as a rule.
#define MSHADOW_KERNEL
/// Marks a function template as an expression. It computes each element of its result from one
/// element of each operand.
#define MSHADOW_EXPRESSION
/// Marks the tensor that training updates.
#define MSHADOW_PARAMETER
/// Marks the gradient with respect to that tensor.
#define MSHADOW_GRADIENT
/// Marks a state of the optimizer. Each of its elements starts as \p init.
#define MSHADOW_STATE(init)
/// Marks a hyper-parameter. Its default argument is its default value.
#define MSHADOW_HYPER
/// Marks what counts updates, from 1: a scalar, or a tensor of one element (optim.h).
#define MSHADOW_STEP
/// Lists the element types for which \p Rule is generated: float, double, half::half_t,
/// bfloat::bf16_t, int8_t, uint8_t, int16_t, int32_t, int64_t, bool. For a rule with two type
/// parameters, each item of the list is Types<A, B>; for one without, the list is Types<>.
#define MSHADOW_INSTANTIATE(Rule, ...) static_assert(true, "")
/// The same for an expression. An item is the element type of all operands, or Types<A, B> with one
/// type for each operand.
#define MSHADOW_INSTANTIATE_EXPRESSION(Function, ...) static_assert(true, "")

#endif

#endif  // MSHADOW_KERNEL_H_

// Outside the include guard, so that every #include sets the pragma again.
#if defined(MSHADOW_TEST_WITHOUT_GUARD)  // a test compiles without the pragma, to see bits differ
#elif defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#if defined(__CUDACC__)  // nvcc passes the pragma on to GCC, but warns that it does not know it
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif
#pragma GCC optimize("fp-contract=off,no-fast-math")
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
#endif
