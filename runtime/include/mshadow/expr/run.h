// SPDX-License-Identifier: Apache-2.0
/// \file run.h
/// Runs: several neighbours in a row, evaluated together where that is cheaper than one by one. A
/// Plan that gains by it has, besides Eval, `static constexpr bool kRuns = true` and one of
///
///     void EvalRun(index_t y, index_t x, int n, DType *out) const;
///     const DType *FindRun(index_t y, index_t x, int n, DType *out) const;
///     static constexpr bool kUniform = true;
///     class RunOf {
///       RunOf(const Plan &, index_t y, index_t x, int n);
///       DType operator[](std::ptrdiff_t) const;
///     };
///
/// EvalRun computes elements (y, x) … (y, x + n - 1), n <= kMaxRun, with the bits of Eval. So index
/// maps find a row only once, and reductions read memory row by row. FindRun may instead return
/// where in memory the elements are. All elements in a row of a kUniform Plan are the same. RunOf
/// is for operators, which combine the runs of their operands, and for maps of rows to rows, which
/// find a row once. Runs of a Plan without kRuns are as long as rows; an element is evaluated only
/// when it is read. Only the CPU uses runs.
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
/// The n of a run that is as long as its row, for a Plan that does not evaluate runs.
inline constexpr int kWholeRow = 0;

/// Whether Plan P evaluates runs.
template <typename P, typename = void>
constexpr bool kHasRuns = false;
template <typename P>
constexpr bool kHasRuns<P, std::enable_if_t<P::kRuns>> = true;

/// Whether P can say where in memory a run's elements are.
template <typename P, typename = void>
constexpr bool kFindsRuns = false;
template <typename P>
constexpr bool kFindsRuns<P, std::void_t<decltype(&P::FindRun)>> = true;

/// Whether all elements in a row of P are the same.
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

/// Whether neighbours in a row are neighbours in memory: in tensors, and in a Plan that says so by
/// kRowsInMemory. If the Plan has `index_t EndOfPart(index_t x, index_t end) const`, elements from
/// x on are neighbours up to the index that it returns, or up to end.
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

/// How the elements of a run are computed. kLazy: each when it is read; kMemory: not at all, they
/// are in memory; kUniform: one for the whole run; kOperator: from the runs of operands; kBuffered:
/// all at once, into a buffer.
enum class RunKind { kLazy, kMemory, kUniform, kOperator, kBuffered };
template <typename P, typename = void>
constexpr RunKind kRunKind = kIsUniform<P>        ? RunKind::kUniform
                             : kHasRuns<P>        ? RunKind::kBuffered
                             : kIsPlanOfTensor<P> ? RunKind::kMemory
                                                  : RunKind::kLazy;
template <typename P>
constexpr RunKind kRunKind<P, std::void_t<typename P::RunOf>> =
    kIsUniform<P> ? RunKind::kUniform : RunKind::kOperator;

/// Rows of fewer elements are evaluated one element at a time, if the Plan says so by
/// kShortByElement, since the beginning of a run costs more than that.
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

/// Where elements (y, x) … (y, x + n - 1) of a Plan are in memory, n <= kMaxRun. They are written
/// to
/// \p out, unless the Plan finds them elsewhere.
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

/// Where elements (y, x) … of a Plan are neighbours in memory; null if it does not know. \p *n is
/// the number of elements that the caller wants; the function lowers it to the number of elements
/// that are there, or that are not.
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

/// Whether P's EvalRun may overwrite its operands, element by element. Then an assignment lets it
/// write runs of up to P::kLongestRun elements directly to the destination.
template <typename P, typename = void>
constexpr bool kIsInPlace = false;
template <typename P>
constexpr bool kIsInPlace<P, std::enable_if_t<P::kRunsInPlace>> = true;

/// Copies evenly spaced elements of a tensor: the first is at \p from, the second, if n > 1, at
/// \p next. It copies four at a time, which compilers combine in a register.
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
