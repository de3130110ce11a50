// SPDX-License-Identifier: Apache-2.0
/// \file flip.h
/// Reversed dimensions: flip(t, d), which can be assigned, and mirror(e).
#ifndef MSHADOW_EXTENSION_FLIP_H_
#define MSHADOW_EXTENSION_FLIP_H_

#include "mshadow/extension/slice.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// A tensor or view with one dimension reversed.
template <typename SrcExp, typename Device, typename DType, int srcdim>
struct FlipExp : TRValue<FlipExp<SrcExp, Device, DType, srcdim>, Device, srcdim, DType> {
  SrcExp src_;
  Shape<srcdim> shape_;
  detail::AxisMap<srcdim> map_;

  FlipExp(const SrcExp &src, int dim) : src_(src) {
    detail::CheckAxis("flip", dim, 0, srcdim - 1);
    shape_ = ShapeCheck<srcdim, SrcExp>::Check(src);
    map_ = detail::IdentityMap(shape_);
    map_.set_range(dim, detail::StepAlong(shape_, dim), shape_[dim] - 1, true);
  }
  MSHADOW_VIEW_ASSIGNMENT(FlipExp)
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
};
template <typename SrcExp, typename Device, typename DType, int srcdim>
MSHADOW_AXIS_MAP_PLAN(SrcExp, srcdim, FlipExp<SrcExp, Device, DType, srcdim>);

/// \p src, a tensor or assignable view, with dimension \p dim reversed.
/// \throws Error if there is no such dimension
template <typename SrcExp, typename Device, typename DType, int srcdim>
FlipExp<SrcExp, Device, DType, srcdim> flip(const TRValue<SrcExp, Device, srcdim, DType> &src,
                                            int dim) {
  return FlipExp<SrcExp, Device, DType, srcdim>(src.self(), dim);
}

/// Rows in reverse.
template <typename SrcExp, typename DType, int srcdim>
struct MirroringExp
    : detail::AxisMapExp<MirroringExp<SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  explicit MirroringExp(const SrcExp &src)
      : detail::AxisMapExp<MirroringExp, SrcExp, srcdim, DType>(src) {
    const Shape<srcdim> shape = ShapeCheck<srcdim, SrcExp>::Check(src);
    this->shape_ = shape;
    this->map_ = detail::IdentityMap(shape);
    this->map_.set_range(srcdim - 1, detail::StepAlong(shape, srcdim - 1), shape[srcdim - 1] - 1,
                         true);
  }
};
template <typename SrcExp, typename DType, int srcdim>
MSHADOW_AXIS_MAP_PLAN(SrcExp, srcdim, MirroringExp<SrcExp, DType, srcdim>);

/// \p src with its last dimension reversed.
template <typename SrcExp, typename DType, int etype>
MirroringExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> mirror(const Exp<SrcExp, DType, etype> &src) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return MirroringExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self());
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_FLIP_H_
