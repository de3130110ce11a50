// SPDX-License-Identifier: Apache-2.0
/// \file diag.h
/// diag(matrix): the diagonal of a square matrix.
#ifndef MSHADOW_EXTENSION_DIAG_H_
#define MSHADOW_EXTENSION_DIAG_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Element i is element (i, i) of a matrix.
template <typename SrcExp, typename DType>
struct DiagExp : detail::AxisMapExp<DiagExp<SrcExp, DType>, SrcExp, 1, DType> {
  explicit DiagExp(const SrcExp &src) : detail::AxisMapExp<DiagExp, SrcExp, 1, DType>(src) {
    const Shape<2> source = ShapeCheck<2, SrcExp>::Check(src);
    if (source[0] != source[1]) {
      ::mshadow::detail::ThrowError("diag: expected a square matrix, got shape " +
                                    ::mshadow::detail::ShapeText(source.shape_, 2));
    }
    this->shape_ = Shape1(source[0]);
    this->map_ = detail::AxisMap<1>(this->shape_);
    this->map_.set_step(0, {1, 1});
  }
};
template <typename SrcExp, typename DType>
MSHADOW_AXIS_MAP_PLAN(SrcExp, 1, DiagExp<SrcExp, DType>);

/// The diagonal of \p src, a vector.
/// \throws Error if the matrix is not square
template <typename SrcExp, typename DType, int etype>
DiagExp<SrcExp, DType> diag(const Exp<SrcExp, DType, etype> &src) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim == 2, "diag takes a matrix");
  return DiagExp<SrcExp, DType>(src.self());
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_DIAG_H_
