// SPDX-License-Identifier: Apache-2.0
/// \file broadcast.h
/// broadcast<d>(vector, shape) and repmat: a vector repeated along every dimension but one.
#ifndef MSHADOW_EXTENSION_BROADCAST_H_
#define MSHADOW_EXTENSION_BROADCAST_H_

#include "mshadow/detail/tensor_view.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/expr/engine.h"
#endif

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// A vector along dimension dimdst_ of a tensor of rank \p dimdst, counted from the last:
/// dimdst_from_last = dimdst - d.
template <typename SrcExp, typename DType, int dimdst, int dimdst_from_last>
struct Broadcast1DExp : MakeTensorExp<Broadcast1DExp<SrcExp, DType, dimdst, dimdst_from_last>,
                                      SrcExp, dimdst, DType> {
  SrcExp src_;
  MSHADOW_XINLINE Broadcast1DExp(const SrcExp &src, const Shape<dimdst> &shape) : src_(src) {
    this->shape_ = shape;
  }
#ifndef __MSHADOW_GEN__
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, detail::StepThrough(*this));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    constexpr int kAlong = dimdst - dimdst_from_last;
    for (int d = 0; d < dimdst; ++d) {
      if (d != kAlong) map->Insert(d, this->shape_[d]);
    }
  }
#endif
};

/// \p src, of rank 1, repeated so that the result has \p shape and element (…, i, …), i being index
/// \p dimcast, is src[i].
/// \throws Error when evaluated, if src is not shape[dimcast] long
template <int dimcast, typename SrcExp, typename DType, int etype, int dimdst>
MSHADOW_XINLINE Broadcast1DExp<SrcExp, DType, dimdst, dimdst - dimcast> broadcast(
    const Exp<SrcExp, DType, etype> &src, const Shape<dimdst> &shape) {
  static_assert(0 <= dimcast && dimcast < dimdst, "the shape has no such dimension");
  static_assert(ExpInfo<SrcExp>::kDim == 1, "broadcast takes an expression of rank 1");
  static_assert(etype != type::kComplex, "assign the product or reduction to a tensor first");
  return Broadcast1DExp<SrcExp, DType, dimdst, dimdst - dimcast>(src.self(), shape);
}

#ifdef __MSHADOW_GEN__
namespace detail {
/// The length of a vector expression; the generator only needs to know that there is one.
template <typename E>
index_t Length(const E &exp);
}  // namespace detail
#else
namespace detail {
template <typename E>
inline index_t Length(const E &exp) {
  return ShapeCheck<1, E>::Check(exp)[0];
}
}  // namespace detail
#endif

/// \p src, of rank 1, as each of \p nrow rows of a matrix.
template <typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE Broadcast1DExp<SrcExp, DType, 2, 1> repmat(const Exp<SrcExp, DType, etype> &src,
                                                           index_t nrow) {
  static_assert(ExpInfo<SrcExp>::kDim == 1, "repmat takes an expression of rank 1");
  return broadcast<1>(src, Shape2(nrow, detail::Length(src.self())));
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#ifndef __MSHADOW_GEN__
#include "mshadow/extension/broadcast-inl.h"
#endif

#endif  // MSHADOW_EXTENSION_BROADCAST_H_
