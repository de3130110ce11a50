// SPDX-License-Identifier: Apache-2.0
/// \file axis_map.h
/// Views that are linear in every coordinate: broadcasts, slices, reversals, permutations of axes.
/// Each is a table of steps; one Plan evaluates them all.
#ifndef MSHADOW_EXTENSION_AXIS_MAP_H_
#define MSHADOW_EXTENSION_AXIS_MAP_H_

#include <type_traits>

#include "mshadow/detail/divider.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/materialised.h"
#include "mshadow/expr/run.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// For values that may be negative, even if index_t is unsigned.
using Signed = std::make_signed_t<index_t>;

/// An element by its row and its column, or the distance of two elements.
struct Place {
  Signed row;
  Signed col;
};

/// The distance between neighbours along dimension \p axis of an expression of shape \p shape.
template <int dim>
MSHADOW_XINLINE Place StepAlong(const Shape<dim> &shape, int axis) {
  if (dim == 1 || axis == dim - 1) return {0, 1};  // compilers see that a vector has no other axis
  return {static_cast<Signed>(shape.ProdShape(axis + 1, dim - 1)), 0};
}

/// Where element (i_0, i_1, …) of a view of rank dim is in its source: at the origin plus the sum
/// of i_d times step d.
template <int dim>
class AxisMap {
 public:
  AxisMap() = default;
  /// All steps are 0: every element is the first of the source.
  explicit AxisMap(const Shape<dim> &shape) {
    for (int d = 0; d < dim; ++d) {
      extent_[d] = ::mshadow::detail::Divider(shape[d]);
      step_[d] = {0, 0};
    }
  }

  void set_step(int d, Place step) {
    step_[d] = step;
    if (d == 0) first_step_ = step;
  }
  /// Coordinate \p d counts from \p begin up, or, with \p backwards, from \p begin down.
  void set_range(int d, Place step, index_t begin, bool backwards = false) {
    origin_.row += begin * step.row;
    origin_.col += begin * step.col;
    set_step(d, backwards ? Place{-step.row, -step.col} : step);
  }

  /// Returns the map with its first dimensions merged, as far as one step along a dimension equals
  /// a walk along all of the next. Fewer coordinates have to be found then. Plans have such maps.
  AxisMap Merged() const {
    AxisMap map = *this;
    for (int d = 0; d < dim - 2; ++d) {
      const Signed extent = static_cast<Signed>(extent_[d + 1].divisor());
      const Place inner = step_[d + 1];
      if (step_[d].row != extent * inner.row || step_[d].col != extent * inner.col) break;
      map.first_ = d + 1;
      map.first_step_ = inner;
    }
    return map;
  }

  /// Returns the place of element (y, x) in the source. What depends on y alone can be moved out of
  /// a loop over x.
  /// \tparam kRowsStay a row of the view is within a row of the source
  template <bool kRowsStay = false>
  MSHADOW_XINLINE Place At(index_t y, index_t x) const {
    Place at{origin_.row, static_cast<Signed>(origin_.col + x)};
    if constexpr (!kRowsStay) {
      at.row += x * step_[dim - 1].row;
      at.col += x * (step_[dim - 1].col - 1);
    }
    for (int d = dim - 2; d > 0; --d) {
      if (d == first_) break;
      const index_t i = extent_[d].Split(&y);
      at.row += i * step_[d].row;
      if constexpr (!kRowsStay) at.col += i * step_[d].col;
    }
    if (dim > 1) {
      at.row += y * first_step_.row;
      if constexpr (!kRowsStay) at.col += y * first_step_.col;
    }
    return at;
  }

  /// Rows of the view that read adjacent columns of the source.
  struct RowGroup {
    index_t period;  ///< rows of the view from one to the next; 0: there is no group
    index_t count;   ///< rows of a group; then the first columns follow again
    Signed step;     ///< columns of the source from one to the next
  };
  RowGroup Rows() const {
    index_t period = 1;
    for (int d = dim - 2; d >= 0; --d) {
      const index_t count = extent_[d].divisor();
      if (step_[d].col != 0) return {period, count, step_[d].col};
      period *= count;
    }
    return {0, 0, 0};
  }

  /// The distance between neighbours in a row of the view.
  MSHADOW_XINLINE Place step() const { return step_[dim - 1]; }

 private:
  ::mshadow::detail::Divider extent_[static_cast<size_t>(dim)];
  Place step_[static_cast<size_t>(dim)];
  Place origin_{0, 0};
  int first_ = 0;  ///< dimensions before it are merged into it
  Place first_step_{0, 0};
};

/// The map of a view that is its source, of shape \p shape, for a caller to change some dimensions.
template <int dim>
AxisMap<dim> IdentityMap(const Shape<dim> &shape) {
  AxisMap<dim> map(shape);
  for (int d = 0; d < dim; ++d) map.set_step(d, StepAlong(shape, d));
  return map;
}

/// The map from a view of shape \p shape to a source of shape \p source. As IdentityMap, but the
/// distances are the source's.
template <int dim>
AxisMap<dim> MapInto(const Shape<dim> &source, const Shape<dim> &shape) {
  AxisMap<dim> map(shape);
  for (int d = 0; d < dim; ++d) map.set_step(d, StepAlong(source, d));
  return map;
}

/// Evaluates a source at the places of an AxisMap.
/// \tparam kRowsStay a row of the view is within a row of the source
/// \tparam kMaterialise the source is evaluated first, into a workspace (materialised.h)
template <typename SrcExp, typename DType, int dim, bool kRowsStay = false,
          bool kMaterialise = false>
class AxisMapPlan {
  using Source = SourcePlan<kMaterialise, SrcExp, DType>;

 public:
  AxisMapPlan(const SrcExp &src, const AxisMap<dim> &map)
      : src_(MakeSourcePlan<kMaterialise>(src)), map_(map.Merged()) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const Place at = map_.At(y, x);
    return src_.Eval(at.row, at.col);
  }
  MSHADOW_XINLINE DType &REval(index_t y, index_t x) const {
    const Place at = map_.At(y, x);
    return src_.REval(at.row, at.col);
  }

  static constexpr bool kRuns = true;
  /// A run that is contiguous in a tensor is not copied.
  const DType *FindRun(index_t y, index_t x, int n, DType *out) const {
    const Place at = map_.At(y, x);
    const Place step = map_.step();
    if constexpr (kIsPlanOfTensor<Source>) {
      if (step.row == 0 && step.col == 1) return &src_.Eval(at.row, at.col);
    }
    Gather(at, step, n, out);
    return out;
  }
  const DType *FindInPlace(index_t y, index_t x, int64_t *n) const {
    const Place at = map_.At(y, x), step = map_.step();
    if (step.row != 0 || step.col != 1) return nullptr;
    return detail::FindInPlace<DType>(src_, at.row, at.col, n);
  }

  index_t RowPeriod() const {
    return map_.step().row != 0 ? map_.Rows().period : RowPeriodOf(src_);
  }
  template <typename S = Source, std::enable_if_t<kIsPlanOfTensor<S>, int> = 0>
  int EvalBlock(index_t y, index_t x, int rows, int n, DType *out) const {
    const auto group = map_.Rows();
    const index_t left = group.count - y / group.period % group.count;
    if (left < static_cast<index_t>(rows)) rows = static_cast<int>(left);
    const Place at = map_.At(y, x);
    const Place step = map_.step();
    const DType *const from = &src_.Eval(at.row, at.col);
    const std::ptrdiff_t apart =
        n > 1 ? &src_.Eval(at.row + step.row, at.col + step.col) - from : 0;
    TransposeBlock(from, apart, group.step, rows, n, out);
    return rows;
  }

 private:
  void Gather(Place at, Place step, int n, DType *out) const {
    if (step.row == 0 && step.col == 0) {
      const DType value = src_.Eval(at.row, at.col);
      for (int i = 0; i < n; ++i) out[i] = value;
    } else if (step.row == 0 && step.col == 1) {
      const Run<Source, DType> run(src_, at.row, at.col, n);
      detail::StoreRun(out, run, n);
    } else if constexpr (kIsPlanOfTensor<Source>) {
      if (step.row == 0 && step.col == -1) {
        const DType *const from = &src_.Eval(at.row, at.col);
        for (int i = 0; i < n; ++i) out[i] = from[-i];
      } else {
        GatherApart(&src_.Eval(at.row, at.col),
                    n > 1 ? &src_.Eval(at.row + step.row, at.col + step.col) : nullptr, n, out);
      }
    } else if (step.row == 0 && step.col == -1) {
      for (int i = 0; i < n; ++i) out[i] = src_.Eval(at.row, at.col - i);
    } else if (step.col == 0) {
      for (int i = 0; i < n; ++i) out[i] = src_.Eval(at.row + i * step.row, at.col);
    } else {
      for (int i = 0; i < n; ++i) out[i] = src_.Eval(at.row + i * step.row, at.col + i * step.col);
    }
  }

  Source src_;
  AxisMap<dim> map_;
};

/// The same if rows stay: the row is found once, and then elements are the source's.
template <typename SrcExp, typename DType, int dim, bool kMaterialise>
class AxisMapPlan<SrcExp, DType, dim, true, kMaterialise> {
  using Source = SourcePlan<kMaterialise, SrcExp, DType>;

 public:
  AxisMapPlan(const SrcExp &src, const AxisMap<dim> &map)
      : src_(MakeSourcePlan<kMaterialise>(src)), map_(map.Merged()) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const Place at = map_.template At<true>(y, x);
    return src_.Eval(at.row, at.col);
  }
  MSHADOW_XINLINE DType &REval(index_t y, index_t x) const {
    const Place at = map_.template At<true>(y, x);
    return src_.REval(at.row, at.col);
  }

  static constexpr bool kRuns = kHasRuns<Source>;
  static constexpr bool kRowsInMemory = kHasWholeRowsInMemory<Source>;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const AxisMapPlan &p, index_t y, index_t x, int n)
        : RunOf(p, p.map_.template At<true>(y, x), n) {}
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const { return src_[i]; }

   private:
    MSHADOW_CINLINE RunOf(const AxisMapPlan &p, Place at, int n)
        : src_(p.src_, at.row, at.col, n) {}
    Run<Source, DType> src_;
  };
  const DType *FindRun(index_t y, index_t x, int n, DType *out) const {
    const Place at = map_.template At<true>(y, x);
    return FindElements(src_, at.row, at.col, n, out);
  }
  const DType *FindInPlace(index_t y, index_t x, int64_t *n) const {
    const Place at = map_.template At<true>(y, x);
    return detail::FindInPlace<DType>(src_, at.row, at.col, n);
  }
  index_t RowPeriod() const { return RowPeriodOf(src_); }

 private:
  Source src_;
  AxisMap<dim> map_;
};

/// Whether a node declares, by kRepeats, that it reads elements of its source many times.
template <typename E, typename = void>
constexpr bool kRepeats = false;
template <typename E>
constexpr bool kRepeats<E, std::enable_if_t<E::kRepeats>> = true;

/// The base of nodes that consist of a source and an AxisMap.
template <typename SubType, typename SrcExp, int dim, typename DType,
          typename Base = MakeTensorExp<SubType, SrcExp, dim, DType>>
struct AxisMapExp : Base {
  SrcExp src_;
  AxisMap<dim> map_;
  explicit AxisMapExp(const SrcExp &src) : src_(src) {}
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    if constexpr (kRepeats<SubType> && kIsComputed<SrcExp>) {
      f(src_, kStepBefore);
    } else {
      f(src_, StepThrough(static_cast<const SubType &>(*this)));
    }
  }
  /// Unknown here. A node that knows its map has a function of its own for it.
  void MapAddresses(::mshadow::detail::AddressMap *map) const { map->known = false; }
};

/// Whether a node declares, by kRowsStay, that its rows are within rows of its source.
template <typename E, typename = void>
constexpr bool kKeepsRows = false;
template <typename E>
constexpr bool kKeepsRows<E, std::enable_if_t<E::kRowsStay>> = true;

template <typename E, typename SrcExp, typename DType, int dim>
using AxisMapPlanOf =
    AxisMapPlan<SrcExp, DType, dim, kKeepsRows<E>, kRepeats<E> && kIsComputed<SrcExp>>;

/// Defines Plan<Node, DType> of such a node.
#define MSHADOW_AXIS_MAP_PLAN(SrcExp, dim, ...)                                                    \
  class Plan<__VA_ARGS__, DType> : public detail::AxisMapPlanOf<__VA_ARGS__, SrcExp, DType, dim> { \
   public:                                                                                         \
    explicit Plan(const __VA_ARGS__ &exp)                                                          \
        : detail::AxisMapPlanOf<__VA_ARGS__, SrcExp, DType, dim>(exp.src_, exp.map_) {}            \
  }

/// Checks what every function that makes a view requires of its source.
template <typename E, int etype>
constexpr bool CheckSource() {
  static_assert(etype != type::kComplex, "assign the product or reduction to a tensor first");
  constexpr bool kMaps = etype != type::kComplex;
  static_assert(!kMaps || ExpInfo<E>::kDim != -1,
                "the operands of the expression have different ranks");
  static_assert(!kMaps || ExpInfo<E>::kDim != 0, "a scalar has no dimensions");
  return true;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_AXIS_MAP_H_
