// SPDX-License-Identifier: Apache-2.0
/// \file ranked_view.h
/// Views in rules for any rank. The expression has another type for each rank, and only the launch
/// knows the rank. A union of the Plans of all ranks goes to the kernel. CPUs test the rank once
/// for each run of elements. GPUs test it for each element: all threads take the same branch.
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

/// Calls `f` with \p rank as a std::integral_constant. \p rank is from \p dim to kMaxRank.
template <int dim, typename F>
MSHADOW_CINLINE void WithRank(int rank, const F &f) {
  if constexpr (dim < kMaxRank) {
    if (rank > dim) return WithRank<dim + 1>(rank, f);
  }
  f(std::integral_constant<int, dim>());
}

/// The Plans of Maker's expressions of ranks \p dim to kMaxRank. One member is active.
template <typename Maker, int dim, typename... Args>
union PlansByRank {
  using Exp = decltype(Maker::template Make<dim>(std::declval<const Args &>()...));
  using First = decltype(expr::MakePlan(std::declval<const Exp &>()));
  static_assert(expr::ExpInfo<Exp>::kDim == dim,
                "in a rule for any rank, a view must have the rank of the rule's tensors: "
                "give the tensors a fixed rank, as in Tensor<xpu, 2, DType>");
  static_assert(std::is_trivially_copyable<First>::value,
                "a rule cannot read an expression that needs memory of its own: assign it to a "
                "tensor first");

  PlansByRank() {}  // no member is active

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

  RankedPlan() {}  // to be Set before use

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
  // These functions test the ranks from `first` on.
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

/// A view in a rule for any rank: the expression Maker::Make<rank>(args...). The arguments have
/// types Args, the tensors rank \p least or more.
template <typename Maker, int least, typename... Args>
class RankedView {
 public:
  using Plan = detail::RankedPlan<Maker, least, Args...>;
  using Element = typename Plan::Element;

  RankedView() {}  // to be Set before use

  /// \param rule the rule's name, for messages
  /// \param name the view's name, for messages
  /// \param rank at least \p least, as CheckRankedView has checked
  /// \throws Error, on the CPU, if the expression gathers by an index out of range
  template <typename Device>
  void Set(Device, const char *rule, const char *name, int rank, const Args &...args) {
    detail::WithRank<least>(rank, [&](auto constant) {
      constexpr int kRank = decltype(constant)::value;
      const auto exp = Maker::template Make<kRank>(args...);
      if constexpr (std::is_base_of<cpu, Device>::value) detail::CheckElementsOf(rule, name, exp);
      plan_.template Set<kRank>(exp);
      width_ = detail::WidthOf(exp);
    });
  }

  MSHADOW_XINLINE const Plan &plan() const { return plan_; }
  /// How many columns a row of the view has. A row of the kernel may be several rows of the view.
  MSHADOW_XINLINE index_t width() const { return width_; }
  MSHADOW_XINLINE ViewPlace<RankedView> row(index_t y) const { return {this, y, 0}; }
  /// Element \p x of a row, as the source of another view.
  MSHADOW_XINLINE Element ElementAt(const ViewPlace<RankedView> &row, int64_t x) const {
    return plan_.Eval(row.row, static_cast<index_t>(x));
  }

 private:
  Plan plan_;
  index_t width_;
};

/// Adds the view that Maker makes for tensors of rank \p rank to \p check.
/// \param argument the argument that has this rank, for messages
/// \throws Error if \p rank is below \p least, or the operands' shapes do not match
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
