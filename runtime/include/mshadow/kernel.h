// SPDX-License-Identifier: Apache-2.0
/// \file kernel.h
/// What a spec includes: the expression API and the marks that mshadow-gen reads.
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
/// From here to the end of the file that includes this header multiplies and adds are not
/// contracted, so that the rules in it keep their bits under any flags (strict_push.h).
#ifndef MSHADOW_KERNEL_H_
#define MSHADOW_KERNEL_H_

#include "mshadow/api.h"
#include "mshadow/detail/temporary.h"
#include "mshadow/emitted/check_step.h"
#include "mshadow/expr/op_extra.h"
#include "mshadow/functions.h"

/// Ends a kernel within a rule: what follows is another one, which may reduce something else, or
/// read elements of what was written at other places. The values between them are in memory.
#define MSHADOW_STAGE() ::mshadow::detail::EndStage()

/// Refuses a `step`, a parameter marked MSHADOW_STEP, that is below 1: bias corrections divide by 0
/// there. It stands before whatever the rule writes, outside of any `if`.
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
/// Marks a function template as an expression: it returns a formula of its operands' elements.
#define MSHADOW_EXPRESSION
/// Marks a tensor parameter: what is learned, the gradient by it, a state of the optimizer that
/// starts as \p init.
#define MSHADOW_PARAMETER
#define MSHADOW_GRADIENT
#define MSHADOW_STATE(init)
/// Marks a scalar parameter: a hyper-parameter, whose default is the default argument; the number
/// of the update, from 1.
#define MSHADOW_HYPER
#define MSHADOW_STEP
/// Names the element types for which \p Rule is generated; Types<A, B> where it has two.
#define MSHADOW_INSTANTIATE(Rule, ...) static_assert(true, "")
/// The same for an expression: the element type of all of its operands, or Types<A, B> of each.
#define MSHADOW_INSTANTIATE_EXPRESSION(Function, ...) static_assert(true, "")

#endif

#endif  // MSHADOW_KERNEL_H_

// Outside the guard: each file that includes this header gets the setting.
#if defined(MSHADOW_TEST_WITHOUT_GUARD)  // tests must be able to fail
#elif defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#if defined(__CUDACC__)  // nvcc hands the pragma on to GCC; it only complains of not knowing it
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif
#pragma GCC optimize("fp-contract=off,no-fast-math")
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
#endif
