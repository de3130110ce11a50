// SPDX-License-Identifier: Apache-2.0
/// \file broadcast_with_axis.h
/// Expressions repeated along dimensions: broadcast_with_axis, broadcast_keepdim,
/// broadcast_multi_axes, broadcast_to. broadcast<d> and repmat are in broadcast.h.
#ifndef MSHADOW_EXTENSION_BROADCAST_WITH_AXIS_H_
#define MSHADOW_EXTENSION_BROADCAST_WITH_AXIS_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/broadcast_scalar.h"
#include "mshadow/extension/errors.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// A source repeated along one dimension: a new one if dimdst = dimsrc + 1, else one of extent 1.
template <typename SrcExp, typename DType, int dimsrc, int dimdst>
struct BroadcastWithAxisExp
    : detail::AxisMapExp<BroadcastWithAxisExp<SrcExp, DType, dimsrc, dimdst>, SrcExp, dimdst,
                         DType> {
  static constexpr bool kRepeats = true;
  static constexpr bool kKeepDim = dimsrc == dimdst;
  static constexpr const char *kName = kKeepDim ? "broadcast_keepdim" : "broadcast_with_axis";

  /// \param at the repeated dimension of the result
  BroadcastWithAxisExp(const SrcExp &src, int axis, index_t size)
      : detail::AxisMapExp<BroadcastWithAxisExp, SrcExp, dimdst, DType>(src),
        at_(kKeepDim ? axis : axis + 1) {
    detail::CheckAxis(kName, axis, kKeepDim ? 0 : -1, dimsrc - 1);
    detail::CheckNotNegative(kName, "size", size);
    const Shape<dimsrc> source = ShapeCheck<dimsrc, SrcExp>::Check(src);
    const int at = at_;
    Shape<dimdst> shape;
    for (int d = 0; d < dimdst; ++d) shape[d] = d == at ? size : source[FromDim(d, at)];
    if (kKeepDim && source[at] != 1) {
      detail::ThrowMisfit(kName, "the dimension to repeat must have extent 1", source.shape_,
                          dimsrc, shape.shape_, dimdst);
    }
    this->shape_ = shape;
    this->map_ = detail::AxisMap<dimdst>(shape);
    for (int d = 0; d < dimdst; ++d) {
      if (d != at) this->map_.set_step(d, detail::StepAlong(source, FromDim(d, at)));
    }
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    if (kKeepDim) {
      map->Repeat(at_, this->shape_[at_]);
    } else {
      map->Insert(at_, this->shape_[at_]);
    }
  }

 private:
  int at_;
  /// The source's dimension that is the result's dimension \p d.
  static int FromDim(int d, int at) { return kKeepDim || d < at ? d : d - 1; }
};
template <typename SrcExp, typename DType, int dimsrc, int dimdst>
MSHADOW_AXIS_MAP_PLAN(SrcExp, dimdst, BroadcastWithAxisExp<SrcExp, DType, dimsrc, dimdst>);

/// \p src repeated \p size times along a new dimension after dimension \p axis; -1: in front.
/// \throws Error if there is no such dimension
template <typename SrcExp, typename DType, int etype, int dim = ExpInfo<SrcExp>::kDim>
BroadcastWithAxisExp<SrcExp, DType, dim, dim + 1> broadcast_with_axis(
    const Exp<SrcExp, DType, etype> &src, int axis, index_t size) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return BroadcastWithAxisExp<SrcExp, DType, dim, dim + 1>(src.self(), axis, size);
}

/// \p src repeated \p size times along dimension \p axis, of extent 1.
/// \throws Error if there is no such dimension or its extent is not 1
template <typename SrcExp, typename DType, int etype, int dim = ExpInfo<SrcExp>::kDim>
BroadcastWithAxisExp<SrcExp, DType, dim, dim> broadcast_keepdim(
    const Exp<SrcExp, DType, etype> &src, int axis, index_t size) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return BroadcastWithAxisExp<SrcExp, DType, dim, dim>(src.self(), axis, size);
}

/// A source repeated along several dimensions of extent 1.
template <typename SrcExp, typename DType, int dimsrc>
struct BroadcastWithMultiAxesExp
    : detail::AxisMapExp<BroadcastWithMultiAxesExp<SrcExp, DType, dimsrc>, SrcExp, dimsrc, DType> {
  static constexpr bool kRepeats = true;
  BroadcastWithMultiAxesExp(const char *name, const SrcExp &src, const Shape<dimsrc> &shape)
      : detail::AxisMapExp<BroadcastWithMultiAxesExp, SrcExp, dimsrc, DType>(src) {
    const Shape<dimsrc> source = ShapeCheck<dimsrc, SrcExp>::Check(src);
    this->shape_ = shape;
    this->map_ = detail::AxisMap<dimsrc>(shape);
    for (int d = 0; d < dimsrc; ++d) {
      if (source[d] == shape[d]) {
        this->map_.set_step(d, detail::StepAlong(source, d));
      } else if (source[d] != 1) {
        detail::ThrowMisfit(name, "a dimension to repeat must have extent 1", source.shape_, dimsrc,
                            shape.shape_, dimsrc);
      }
    }
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    for (int d = 0; map->known && d < dimsrc; ++d) {
      if (map->extent[d] == 1) map->Repeat(d, this->shape_[d]);
    }
  }
};
template <typename SrcExp, typename DType, int dimsrc>
MSHADOW_AXIS_MAP_PLAN(SrcExp, dimsrc, BroadcastWithMultiAxesExp<SrcExp, DType, dimsrc>);

namespace detail {
/// The rank of a Shape or of anything else that counts its dimensions, as mxnet's TShape does.
template <int dim>
index_t RankOf(const Shape<dim> &) {
  return dim;
}
template <typename Axes>
auto RankOf(const Axes &axes) -> decltype(static_cast<index_t>(axes.ndim())) {
  return static_cast<index_t>(axes.ndim());
}
}  // namespace detail

/// \p src with dimension axes[i], of extent 1, repeated sizes[i] times.
/// \param axes in increasing order; it and \p sizes are a Shape or have ndim() and []
/// \throws Error if the axes are not dimensions of src, not in order, or not of extent 1
template <typename SrcExp, typename DType, int etype, typename Axes, typename Sizes,
          int dim = ExpInfo<SrcExp>::kDim>
BroadcastWithMultiAxesExp<SrcExp, DType, dim> broadcast_multi_axes(
    const Exp<SrcExp, DType, etype> &src, const Axes &axes, const Sizes &sizes) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  const char *const name = "broadcast_multi_axes";
  if (detail::RankOf(axes) != detail::RankOf(sizes)) {
    const Shape<1> a = Shape1(detail::RankOf(axes)), b = Shape1(detail::RankOf(sizes));
    detail::ThrowMisfit(name, "the number of axes must be the number of sizes", a.shape_, 1,
                        b.shape_, 1);
  }
  const Shape<dim> source = ShapeCheck<dim, SrcExp>::Check(src.self());
  Shape<dim> shape = source;
  index_t first = 0;
  for (index_t i = 0; i < detail::RankOf(axes); ++i) {
    const index_t axis = static_cast<index_t>(axes[static_cast<int>(i)]);
    detail::CheckAxis(name, axis, first, dim - 1);
    shape[axis] = static_cast<index_t>(sizes[static_cast<int>(i)]);
    if (source[axis] != 1) {
      detail::ThrowMisfit(name, "a dimension to repeat must have extent 1", source.shape_, dim,
                          shape.shape_, dim);
    }
    first = axis + 1;
  }
  return BroadcastWithMultiAxesExp<SrcExp, DType, dim>(name, src.self(), shape);
}

/// \p src with dimensions of extent 1 repeated so that the result has \p shape.
/// \param shape a Shape, or it has ndim() and []
/// \throws Error if a dimension that differs has not extent 1
template <typename SrcExp, typename DType, int etype, typename Target,
          int dim = ExpInfo<SrcExp>::kDim>
BroadcastWithMultiAxesExp<SrcExp, DType, dim> broadcast_to(const Exp<SrcExp, DType, etype> &src,
                                                           const Target &shape) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  const Shape<dim> source = ShapeCheck<dim, SrcExp>::Check(src.self());
  Shape<dim> target = source;
  if (detail::RankOf(shape) != dim) {
    const Shape<1> a = Shape1(dim), b = Shape1(detail::RankOf(shape));
    detail::ThrowMisfit("broadcast_to", "the shape must have the rank of the source", a.shape_, 1,
                        b.shape_, 1);
  }
  for (int d = 0; d < dim; ++d) target[d] = static_cast<index_t>(shape[d]);
  return BroadcastWithMultiAxesExp<SrcExp, DType, dim>("broadcast_to", src.self(), target);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_BROADCAST_WITH_AXIS_H_
