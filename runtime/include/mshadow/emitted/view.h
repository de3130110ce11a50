// SPDX-License-Identifier: Apache-2.0
/// \file view.h
/// Views: expressions of the runtime, or of the user, through which a generated rule reads its
/// arguments at other coordinates. Emitted code makes the expression; kernels evaluate its Plan.
#ifndef MSHADOW_VIEW_H_
#define MSHADOW_VIEW_H_

#include <new>
#include <type_traits>
#include <utility>

#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/emitted/counted_view.h"
#include "mshadow/emitted/drawn_view.h"
#include "mshadow/emitted/holding_view.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/lazy.h"
#include "mshadow/emitted/joined_rows.h"
#include "mshadow/emitted/strided_view.h"
#include "mshadow/emitted/view_source.h"
#include "mshadow/emitted/windowed_view.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/op_extra.h"
#include "mshadow/expr/run.h"
#include "mshadow/extension.h"
#include "mshadow/extension/diag.h"
#include "mshadow/extension/rows.h"
#include "mshadow/extension/scatter_columns.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {

/// Argument \p arg of \p rule as an operand of an expression. It is a tensor of the CPU on any
/// device: an expression uses only shapes, and its Plan is evaluated on the device of the memory.
/// \throws Error if the argument has another rank
template <int dim, typename DType>
MSHADOW_CINLINE Tensor<cpu, dim, DType> Source(const char *rule, const char *name,
                                               const TensorArg<DType> &arg) {
  if (arg.dim != dim) detail::ThrowRank(rule, name, dim, arg.dim);
  Tensor<cpu, dim, DType> tensor;
  tensor.dptr_ = arg.dptr;
  for (int d = 0; d < dim; ++d) tensor.shape_[d] = static_cast<index_t>(arg.shape[d]);
  tensor.stride_ = static_cast<index_t>(arg.stride);
  return tensor;
}

/// An element of a view.
template <typename V>
struct ViewPlace {
  const V *view;
  index_t row;
  int64_t column;

  /// The same element, by row and column of the view. A row of the kernel that is longer than the
  /// view's rows is the kernel's only row.
  MSHADOW_XINLINE ViewPlace InView() const {
    const index_t width = view->width();
    if (column < width) return *this;
    return {view, row + static_cast<index_t>(column / width), column % width};
  }

  MSHADOW_XINLINE ViewPlace operator+(int64_t columns) const {
    return {view, row, column + columns};
  }
  MSHADOW_XINLINE ViewPlace operator-(int64_t columns) const {
    return {view, row, column - columns};
  }
};

namespace detail {

/// How many neighbours a kernel asks for at a time. A Plan that goes over all values of a row for
/// any of its elements has more, P::kWindow.
template <typename P, typename = void>
constexpr int kWindow = expr::detail::kMaxRun;
template <typename P>
constexpr int kWindow<P, std::enable_if_t<(P::kWindow > 0)>> = P::kWindow;

/// \throws Error about view \p name of \p rule, if \p exp reads by an index without an element
template <typename E>
void CheckElementsOf(const char *rule, const char *name, const E &exp) {
  try {
    expr::detail::CheckElements(exp);
  } catch (const Error &error) {
    ThrowView(rule, name, error);
  }
}

/// How many columns an expression has that CheckView has checked.
template <typename E>
index_t WidthOf(const E &exp) {
  constexpr int kDim = expr::ExpInfo<E>::kDim;
  return expr::ShapeCheck<kDim, E>::Check(exp)[kDim - 1];
}

}  // namespace detail

/// The Plan of expression E, as a kernel receives it.
template <typename E>
class View {
 public:
  using Plan = decltype(expr::MakePlan(std::declval<const E &>()));
  using Element = expr::detail::ElementType<E>;
  static_assert(std::is_trivially_copyable<Plan>::value,
                "a rule cannot read an expression that needs memory of its own: assign it to a "
                "tensor first");

  View() {}  // to be Set before use

  /// \param rule the rule's name, for messages
  /// \param name the view's name, for messages
  /// \throws Error if \p exp reads by an index without an element, on the CPU
  template <typename Device>
  void Set(Device, const char *rule, const char *name, const E &exp) {
    if constexpr (std::is_base_of<cpu, Device>::value) detail::CheckElementsOf(rule, name, exp);
    new (&plan_) Plan(expr::MakePlan(exp));
    width_ = detail::WidthOf(exp);
  }

  MSHADOW_XINLINE const Plan &plan() const { return plan_; }
  /// How many columns a row of the view has. A row of the kernel may be several rows of the view.
  MSHADOW_XINLINE index_t width() const { return width_; }
  MSHADOW_XINLINE ViewPlace<View> row(index_t y) const { return {this, y, 0}; }
  /// Element \p x of a row, as the source of another view.
  MSHADOW_XINLINE Element ElementAt(const ViewPlace<View> &row, int64_t x) const {
    return plan_.Eval(row.row, static_cast<index_t>(x));
  }

 private:
  union {
    Plan plan_;
  };
  index_t width_;
};

/// \throws Error about view \p name of \p rule, if \p exp reads by an index without an element, on
/// the CPU
template <typename Device, typename E>
void CheckIndices(Device, const char *rule, const char *name, const E &exp) {
  if constexpr (std::is_base_of<cpu, Device>::value) detail::CheckElementsOf(rule, name, exp);
}

/// The View of the expression that Maker::Make returns for arguments of types Args.
template <typename Maker, typename... Args>
using ViewOf = View<decltype(Maker::Make(std::declval<const Args &>()...))>;

namespace detail {

/// The shape of the expression that `make` returns, for a launch to compare.
template <typename F>
void CheckMade(LaunchCheck *check, const char *name, const char *rule, const F &make) {
  using E = decltype(make());
  constexpr int kDim = expr::ExpInfo<E>::kDim;
  int64_t shape[static_cast<size_t>(kDim)];
  try {
    const Shape<kDim> got = expr::ShapeCheck<kDim, E>::Check(make());
    for (int d = 0; d < kDim; ++d) shape[d] = got[d];
  } catch (const Error &error) {
    ThrowView(rule, name, error);
  }
  check->View(name, shape, kDim);
}

}  // namespace detail

/// Adds the view that Maker makes of \p args to the checks of a launch.
/// \throws Error if the shapes of the expression's operands do not match
template <typename Maker, typename... Args>
void CheckView(LaunchCheck *check, const char *name, const char *rule, const Args &...args) {
  detail::CheckMade(check, name, rule, [&] { return Maker::Make(args...); });
}

}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_VIEW_H_
