// SPDX-License-Identifier: Apache-2.0
/// \file run.h
/// Runs: several neighbours of a row evaluated together, where that is cheaper than one by one. A
/// Plan that profits has, besides Eval, `static constexpr bool kRuns = true` and one of
///
///     void EvalRun(index_t y, index_t x, int n, DType *out) const;
///     const DType *FindRun(index_t y, index_t x, int n, DType *out) const;
///     static constexpr bool kUniform = true;
///     class RunOf { RunOf(const Plan &, index_t y, index_t x, int n); DType
///     operator[](std::ptrdiff_t) const;
///     };
///
/// EvalRun gives elements (y, x) … (y, x + n - 1), n <= kMaxRun, the bits that Eval gives: index
/// maps find the place of a row once, reductions read memory in the order of its rows. FindRun may
/// instead say where in memory they are. A uniform
/// Plan's elements are the same all along a row. RunOf is for operators, which pass on what their
/// operands are, and for maps of rows to rows, which find a row once. A Plan without kRuns has runs
/// as long as rows; nothing of them is evaluated before it is asked for. Only the CPU uses all
/// this.
#ifndef MSHADOW_EXPR_RUN_H_
#define MSHADOW_EXPR_RUN_H_

#include <cstddef>
#include <type_traits>
#include <utility>

#include "mshadow/emitted/plan.h"
#include "mshadow/expr/block.h"
#include "mshadow/expr/info.h"
#include "mshadow/expr/save_run.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

constexpr int kMaxRun = 128;
/// The n of a run that is as long as its row, of a Plan that evaluates no runs.
inline constexpr int kWholeRow = 0;

/// Whether Plan P evaluates runs.
template <typename P, typename = void>
constexpr bool kHasRuns = false;
template <typename P>
constexpr bool kHasRuns<P, std::enable_if_t<P::kRuns>> = true;

/// Whether it can say where a run's elements are.
template <typename P, typename = void>
constexpr bool kFindsRuns = false;
template <typename P>
constexpr bool kFindsRuns<P, std::void_t<decltype(&P::FindRun)>> = true;

/// Whether its elements are the same all along a row.
template <typename P, typename = void>
constexpr bool kIsUniform = false;
template <typename P>
constexpr bool kIsUniform<P, std::enable_if_t<P::kUniform>> = true;

/// Whether P is the Plan of a tensor, or of something kept in one.
template <typename Device, int dim, typename DType>
std::true_type FindPlanOfTensor(const Plan<Tensor<Device, dim, DType>, DType> *);
std::false_type FindPlanOfTensor(const void *);
template <typename P>
constexpr bool kIsPlanOfTensor =
    decltype(detail::FindPlanOfTensor(static_cast<const P *>(nullptr)))::value;

/// Whether neighbours in a row are neighbours in memory: of tensors, and of a Plan that says so by
/// kRowsInMemory. If it has `index_t EndOfPart(index_t x, index_t end) const` they are as far as to
/// there, or to end, from element x on.
template <typename P, typename = void>
constexpr bool kHasRowsInMemory = kIsPlanOfTensor<P>;
template <typename P>
constexpr bool kHasRowsInMemory<P, std::enable_if_t<P::kRowsInMemory>> = true;
template <typename P, typename = void>
constexpr bool kHasParts = false;
template <typename P>
constexpr bool kHasParts<P, std::void_t<decltype(&P::EndOfPart)>> = true;
template <typename P>
constexpr bool kHasWholeRowsInMemory = kHasRowsInMemory<P> && !kHasParts<P>;

/// How elements of a run are had: when they are asked for; from memory; once for all; as operands'
/// are; at once.
enum class RunKind { kLazy, kMemory, kUniform, kOperator, kBuffered };
template <typename P, typename = void>
constexpr RunKind kRunKind = kIsUniform<P>        ? RunKind::kUniform
                             : kHasRuns<P>        ? RunKind::kBuffered
                             : kIsPlanOfTensor<P> ? RunKind::kMemory
                                                  : RunKind::kLazy;
template <typename P>
constexpr RunKind kRunKind<P, std::void_t<typename P::RunOf>> =
    kIsUniform<P> ? RunKind::kUniform : RunKind::kOperator;

/// Whether rows of less than kShortRow elements are better evaluated one by one: a Plan whose runs
/// have a beginning that costs more says so by kShortByElement.
inline constexpr index_t kShortRow = 16;
template <typename P, typename = void>
constexpr bool kShortByElement = !kHasRuns<P>;
template <typename P>
constexpr bool kShortByElement<P, std::enable_if_t<P::kShortByElement>> = true;

/// Elements (y, x) … (y, x + n - 1) of a Plan; n <= kMaxRun if it evaluates runs.
template <typename P, typename DType, RunKind kKind = kRunKind<P>>
class Run {
 public:
  MSHADOW_CINLINE Run(const P &plan, index_t y, index_t x, int) : plan_(plan), y_(y), x_(x) {}
  MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const {
    return plan_.Eval(y_, x_ + static_cast<index_t>(i));
  }

 private:
  const P &plan_;
  index_t y_;
  index_t x_;
};

template <typename P, typename DType>
class Run<P, DType, RunKind::kMemory> {
 public:
  MSHADOW_CINLINE Run(const P &plan, index_t y, index_t x, int) : at_(&plan.Eval(y, x)) {}
  MSHADOW_CINLINE const DType &operator[](std::ptrdiff_t i) const { return at_[i]; }

 private:
  const DType *at_;
};

template <typename P, typename DType>
class Run<P, DType, RunKind::kUniform> {
 public:
  MSHADOW_CINLINE Run(const P &plan, index_t y, index_t x, int) : element_(plan.Eval(y, x)) {}
  MSHADOW_CINLINE DType operator[](std::ptrdiff_t) const { return element_; }

 private:
  DType element_;
};

template <typename P, typename DType>
class Run<P, DType, RunKind::kOperator> : public P::RunOf {
 public:
  using P::RunOf::RunOf;
};

template <typename P, typename DType>
class Run<P, DType, RunKind::kBuffered> {
 public:
  MSHADOW_CINLINE Run(const P &plan, index_t y, index_t x, int n) {
    if constexpr (kFindsRuns<P>) {
      at_ = plan.FindRun(y, x, n, elements_);
    } else {
      plan.EvalRun(y, x, n, elements_);
      at_ = elements_;
    }
  }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;
  MSHADOW_CINLINE const DType &operator[](std::ptrdiff_t i) const { return at_[i]; }

 private:
  const DType *at_;
  alignas(64) DType elements_[kMaxRun];
};

/// Elements (y, x) … (y, x + n - 1) of a Plan, n <= kMaxRun: where they are in memory, which is
/// \p out unless the Plan knows of another place.
template <typename P, typename DType>
MSHADOW_CINLINE const DType *FindElements(const P &plan, index_t y, index_t x, int n, DType *out) {
  if constexpr (kIsPlanOfTensor<P>) {
    return &plan.Eval(y, x);
  } else if constexpr (kFindsRuns<P>) {
    return plan.FindRun(y, x, n, out);
  } else if constexpr (kRunKind<P> == RunKind::kBuffered) {
    plan.EvalRun(y, x, n, out);
  } else {
    const Run<P, DType> run(plan, y, x, n);
    detail::StoreRun(out, run, n);
  }
  return out;
}

/// Whether Plan P may know where in memory elements are, however many: it has
/// `const DType *FindInPlace(index_t y, index_t x, int64_t *n) const`.
template <typename P, typename = void>
constexpr bool kFindsInPlace = false;
template <typename P>
constexpr bool kFindsInPlace<P, std::void_t<decltype(&P::FindInPlace)>> = true;

/// Where elements (y, x) … of a Plan are neighbours in memory, if it knows; else null. \p *n of its
/// row are asked for, and become as many as are there, or as are not.
template <typename DType, typename P>
MSHADOW_CINLINE const DType *FindInPlace(const P &plan, index_t y, index_t x, int64_t *n) {
  if constexpr (kIsPlanOfTensor<P>) {
    return &plan.Eval(y, x);
  } else if constexpr (kFindsInPlace<P>) {
    return plan.FindInPlace(y, x, n);
  } else {
    return nullptr;
  }
}

/// Whether P's EvalRun may write where its operands are, element over element, and then runs as
/// long as P::kLongestRun: an assignment has it write to the destination.
template <typename P, typename = void>
constexpr bool kIsInPlace = false;
template <typename P>
constexpr bool kIsInPlace<P, std::enable_if_t<P::kRunsInPlace>> = true;

/// Elements of a tensor at equal distances: the first at \p from, the second at \p next, if n > 1.
/// Four at a time, which compilers put together in a register.
template <typename DType>
MSHADOW_CINLINE void GatherApart(const DType *from, const DType *next, int n,
                                 DType *__restrict out) {
  const std::ptrdiff_t apart = n > 1 ? next - from : 0;
  int i = 0;
  for (; i + 4 <= n; i += 4, from += 4 * apart) {
    const DType a = from[0], b = from[apart], c = from[2 * apart], d = from[3 * apart];
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = c;
    out[i + 3] = d;
  }
  for (; i < n; ++i) out[i] = from[(i % 4) * apart];
}

/// The element type of an expression.
template <typename E>
using ElementType = typename ExpTraits<E>::type::ElementType;

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_RUN_H_
