// SPDX-License-Identifier: Apache-2.0
/// \file expr_run.h
/// Runs: several neighbours of a row evaluated together, where that is cheaper than one by one. A
/// Plan that profits has, besides Eval, `static constexpr bool kRuns = true` and
///
///     void EvalRun(index_t y, index_t x, int n, DType *out) const;
///
/// which gives elements (y, x) … (y, x + n - 1), n <= kMaxRun, the bits that Eval gives. Reductions
/// read memory in the order of its rows that way, index maps find the place of a row once. Only the
/// CPU uses it.
#ifndef MSHADOW_EXPR_RUN_H_
#define MSHADOW_EXPR_RUN_H_

#include <type_traits>
#include <utility>

#include "mshadow/expr_nodes.h"
#include "mshadow/plan.h"
#include "mshadow/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

constexpr int kMaxRun = 128;

/// Whether Plan P evaluates runs.
template <typename P, typename = void>
constexpr bool kHasRuns = false;
template <typename P>
constexpr bool kHasRuns<P, std::enable_if_t<P::kRuns>> = true;

/// Elements (y, x) … (y, x + n - 1) of a Plan: evaluated at once if it has runs, when asked for if
/// not.
template <typename P, typename DType, bool kRun = kHasRuns<P>>
class Run {
 public:
  MSHADOW_CINLINE Run(const P &plan, index_t y, index_t x, int) : plan_(plan), y_(y), x_(x) {}
  MSHADOW_CINLINE DType operator[](int i) const { return plan_.Eval(y_, x_ + i); }

 private:
  const P &plan_;
  index_t y_;
  index_t x_;
};

template <typename P, typename DType>
class Run<P, DType, true> {
 public:
  MSHADOW_CINLINE Run(const P &plan, index_t y, index_t x, int n) {
    plan.EvalRun(y, x, n, elements_);
  }
  MSHADOW_CINLINE const DType &operator[](int i) const { return elements_[i]; }

 private:
  DType elements_[kMaxRun];
};

/// Neighbours in a row of a transpose are far apart in memory, one to a row; its neighbours in
/// memory are in another row. A Plan says by `index_t RowPeriod() const` how many rows further, 0
/// if it reads rows along: then those rows are evaluated together, while what was read is in the
/// cache.
template <typename P, typename = void>
constexpr bool kHasRowPeriod = false;
template <typename P>
constexpr bool kHasRowPeriod<P, std::void_t<decltype(std::declval<const P &>().RowPeriod())>> =
    true;
/// The first period of several Plans that is not 0.
MSHADOW_CINLINE index_t RowPeriodOf() { return 0; }
template <typename P, typename... More>
MSHADOW_CINLINE index_t RowPeriodOf(const P &plan, const More &...more) {
  if constexpr (kHasRowPeriod<P>) {
    const index_t period = plan.RowPeriod();
    if (period != 0) return period;
  }
  return RowPeriodOf(more...);
}

/// The element type of an expression.
template <typename E>
using ElementType = typename ExpTraits<E>::type::ElementType;

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_EXPR_RUN_H_
