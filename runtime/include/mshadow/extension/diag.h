// SPDX-License-Identifier: Apache-2.0
/// \file diag.h
/// diag(matrix): the diagonal of a square matrix, which can be assigned if the matrix can.
/// diag(vector): a matrix with that diagonal.
#ifndef MSHADOW_EXTENSION_DIAG_H_
#define MSHADOW_EXTENSION_DIAG_H_

#include "mshadow/extension/slice.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

template <typename SrcExp, typename DType>
struct DiagExp;
namespace detail {
template <typename SrcExp, typename DType, typename Diag = DiagExp<SrcExp, DType>>
using BaseOfDiag =
    AxisMapExp<Diag, SrcExp, 1, DType, typename BaseOfView<Diag, SrcExp, 1, DType>::type>;
}  // namespace detail

/// Element i is element (i, i) of a matrix.
template <typename SrcExp, typename DType>
struct DiagExp : detail::BaseOfDiag<SrcExp, DType> {
  explicit DiagExp(const SrcExp &src) : detail::BaseOfDiag<SrcExp, DType>(src) {
    const Shape<2> source = ShapeCheck<2, SrcExp>::Check(src);
    if (source[0] != source[1]) {
      ::mshadow::detail::ThrowError("diag: expected a square matrix, got shape " +
                                    ::mshadow::detail::ShapeText(source.shape_, 2));
    }
    this->shape_ = Shape1(source[0]);
    this->map_ = detail::AxisMap<1>(this->shape_);
    this->map_.set_step(0, {1, 1});
  }
  MSHADOW_VIEW_ASSIGNMENT(DiagExp)
  void MapAddresses(::mshadow::detail::AddressMap *map) const { map->TakeDiagonal(); }
};
template <typename SrcExp, typename DType>
MSHADOW_AXIS_MAP_PLAN(SrcExp, 1, DiagExp<SrcExp, DType>);

/// Element (i, i) is element i of a vector; the others are 0.
template <typename SrcExp, typename DType>
struct DiagonalMatrixExp : MakeTensorExp<DiagonalMatrixExp<SrcExp, DType>, SrcExp, 2, DType> {
  SrcExp src_;
  explicit DiagonalMatrixExp(const SrcExp &src) : src_(src) {
    const Shape<1> source = ShapeCheck<1, SrcExp>::Check(src);
    this->shape_ = Shape2(source[0], source[0]);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
};
template <typename SrcExp, typename DType>
class Plan<DiagonalMatrixExp<SrcExp, DType>, DType> {
 public:
  explicit Plan(const DiagonalMatrixExp<SrcExp, DType> &exp) : src_(MakePlan(exp.src_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return y == x ? src_.Eval(0, x) : ScalarCast<DType>(0);
  }

 private:
  Plan<SrcExp, DType> src_;
};

/// Of a matrix, its diagonal, a vector, which can be assigned if the matrix can. Of a vector, the
/// matrix that has it on its diagonal, and 0 elsewhere.
/// \throws Error if a matrix is not square
template <typename SrcExp, typename DType, int etype>
auto diag(const Exp<SrcExp, DType, etype> &src) {
  constexpr int kDim = ExpInfo<SrcExp>::kDim;
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(kDim == 1 || kDim == 2, "diag takes a vector or a matrix");
  if constexpr (kDim == 1) {
    return DiagonalMatrixExp<SrcExp, DType>(src.self());
  } else {
    return DiagExp<SrcExp, DType>(src.self());
  }
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_DIAG_H_
