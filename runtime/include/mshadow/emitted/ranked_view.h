// SPDX-License-Identifier: Apache-2.0
/// \file ranked_view.h
/// Views of rules for any rank: the expression is another type for each rank, and which one it is
/// the launch knows. The Plans of all are members of one, which a kernel takes; the rank is looked
/// at once for each run of elements on CPUs, and for each element on GPUs, where all threads agree.
#ifndef MSHADOW_RANKED_VIEW_H_
#define MSHADOW_RANKED_VIEW_H_

#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "mshadow/emitted/view.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace detail {

/// Calls `f` with \p rank, which is from \p dim to kMaxRank, as a constant.
template <int dim, typename F>
MSHADOW_CINLINE void WithRank(int rank, const F &f) {
  if constexpr (dim < kMaxRank) {
    if (rank > dim) return WithRank<dim + 1>(rank, f);
  }
  f(std::integral_constant<int, dim>());
}

/// The Plans of what Maker makes for ranks \p dim to kMaxRank, one of which is set.
template <typename Maker, int dim, typename... Args>
union PlansByRank {
  using Exp = decltype(Maker::template Make<dim>(std::declval<const Args &>()...));
  using First = decltype(expr::MakePlan(std::declval<const Exp &>()));
  static_assert(expr::ExpInfo<Exp>::kDim == dim,
                "a rule for any rank reads an expression that is not of its rank for all ranks: "
                "give the tensors a fixed rank, as in Tensor<xpu, 2, DType>");
  static_assert(std::is_trivially_copyable<First>::value,
                "a rule cannot read an expression whose Plan owns memory: assign the expression to "
                "a tensor first");

  PlansByRank() {}  // none is set

  First first;
  PlansByRank<Maker, dim + 1, Args...> others;
};
template <typename Maker, typename... Args>
union PlansByRank<Maker, kMaxRank + 1, Args...> {};

/// PlansByRank as a Plan.
template <typename Maker, int least, typename... Args>
class RankedPlan {
 public:
  using Plans = PlansByRank<Maker, least, Args...>;
  using Element = expr::detail::ElementType<typename Plans::Exp>;

  RankedPlan() {}  // not usable before Set

  /// \param exp what Maker makes for rank \p dim
  template <int dim, typename E>
  MSHADOW_CINLINE void Set(const E &exp) {
    rank_ = dim;
    SetIn<dim, least>(&plans_, exp);
  }

  MSHADOW_XINLINE Element Eval(index_t y, index_t x) const { return EvalIn<least>(plans_, y, x); }

  static constexpr bool kRuns = true;
  MSHADOW_CINLINE const Element *FindRun(index_t y, index_t x, int n, Element *out) const {
    return FindIn<least>(plans_, y, x, n, out);
  }
  MSHADOW_CINLINE const Element *FindInPlace(index_t y, index_t x, int64_t *n) const {
    return FindInPlaceIn<least>(plans_, y, x, n);
  }

 private:
  // Each looks at the ranks from `first` on.
  template <int dim, int first, typename PlansFrom, typename E>
  static MSHADOW_CINLINE void SetIn(PlansFrom *plans, const E &exp) {
    if constexpr (first < dim) {
      SetIn<dim, first + 1>(&plans->others, exp);
    } else {
      new (&plans->first) typename PlansFrom::First(expr::MakePlan(exp));
    }
  }
  template <int first, typename PlansFrom>
  MSHADOW_XINLINE Element EvalIn(const PlansFrom &plans, index_t y, index_t x) const {
    if constexpr (first < kMaxRank) {
      if (rank_ > first) return EvalIn<first + 1>(plans.others, y, x);
    }
    return plans.first.Eval(y, x);
  }
  template <int first, typename PlansFrom>
  MSHADOW_CINLINE const Element *FindIn(const PlansFrom &plans, index_t y, index_t x, int n,
                                        Element *out) const {
    if constexpr (first < kMaxRank) {
      if (rank_ > first) return FindIn<first + 1>(plans.others, y, x, n, out);
    }
    return expr::detail::FindElements(plans.first, y, x, n, out);
  }

  template <int first, typename PlansFrom>
  MSHADOW_CINLINE const Element *FindInPlaceIn(const PlansFrom &plans, index_t y, index_t x,
                                               int64_t *n) const {
    if constexpr (first < kMaxRank) {
      if (rank_ > first) return FindInPlaceIn<first + 1>(plans.others, y, x, n);
    }
    return expr::detail::FindInPlace<Element>(plans.first, y, x, n);
  }

  int rank_;
  Plans plans_;
};

}  // namespace detail

/// A view of a rule for any rank, of tensors of at least rank \p least: what
/// Maker::Make<rank> gives for arguments of types Args.
template <typename Maker, int least, typename... Args>
class RankedView {
 public:
  using Plan = detail::RankedPlan<Maker, least, Args...>;
  using Element = typename Plan::Element;

  RankedView() {}  // not usable before Set

  /// \param rule \param name of the view, for messages
  /// \param rank from \p least on, which CheckRankedView has seen
  /// \throws Error if the expression reads by an index without an element, on the CPU
  template <typename Device>
  void Set(Device, const char *rule, const char *name, int rank, const Args &...args) {
    detail::WithRank<least>(rank, [&](auto constant) {
      constexpr int kRank = decltype(constant)::value;
      const auto exp = Maker::template Make<kRank>(args...);
      if constexpr (std::is_same<Device, cpu>::value) detail::CheckElementsOf(rule, name, exp);
      plan_.template Set<kRank>(exp);
      width_ = detail::WidthOf(exp);
    });
  }

  MSHADOW_XINLINE const Plan &plan() const { return plan_; }
  MSHADOW_XINLINE index_t width() const { return width_; }
  MSHADOW_XINLINE ViewPlace<RankedView> row(index_t y) const { return {this, y, 0}; }

 private:
  Plan plan_;
  index_t width_;
};

/// Adds the view that Maker makes of tensors of rank \p rank to the checks of a launch.
/// \param argument the argument that has this rank, for messages
/// \throws Error if there is no such expression of that rank, or operands do not fit each other
template <typename Maker, int least, typename... Args>
void CheckRankedView(LaunchCheck *check, const char *name, const char *rule, const char *argument,
                     int rank, const Args &...args) {
  if (rank < least) {
    throw Error(std::string(rule) + ": argument '" + argument + "': expected a tensor of rank " +
                std::to_string(least) + " or more, got one of rank " + std::to_string(rank));
  }
  detail::WithRank<least>(rank, [&](auto constant) {
    detail::CheckMade(check, name, rule,
                      [&] { return Maker::template Make<decltype(constant)::value>(args...); });
  });
}

}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_RANKED_VIEW_H_
