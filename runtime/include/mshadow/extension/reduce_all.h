// SPDX-License-Identifier: Apache-2.0
/// \file reduce_all.h
/// A whole expression reduced to one value: reduce_all, on the right of an assignment to a vector
/// of one element, and reduce_scalar, at once.
#ifndef MSHADOW_EXTENSION_REDUCE_ALL_H_
#define MSHADOW_EXTENSION_REDUCE_ALL_H_

#ifdef __MSHADOW_GEN__
#include "mshadow/expr/info.h"
#else
#include "mshadow/expr/engine.h"
#endif
#include "mshadow/expr/red.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// \p Reducer over all elements, times a scale.
template <typename SrcExp, typename DType, typename Reducer>
struct ReduceAllExp : Exp<ReduceAllExp<SrcExp, DType, Reducer>, DType, type::kComplex> {
  SrcExp src_;
  DType scale_;
  MSHADOW_XINLINE ReduceAllExp(const SrcExp &src, DType scale) : src_(src), scale_(scale) {
#ifdef __MSHADOW_GEN__
    ::mshadow::detail::UseReducer<Reducer, DType>();
#endif
  }
};
template <typename SrcExp, typename DType, typename Reducer>
struct ExpInfo<ReduceAllExp<SrcExp, DType, Reducer>> {
  static constexpr int kDim = 1;
  static constexpr int kDevMask = ExpInfo<SrcExp>::kDevMask;
};

/// \p Reducer over all elements of \p src. It stands alone on the right of an assignment to a
/// vector of one element: v (=, +=, -=, *=, /=) [scale *] reduce_all<red::sum>(e). 16-bit floats
/// are reduced in float. The order is that of one row (row_tree.h), whatever the shape and the
/// number of threads.
template <typename Reducer, typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE ReduceAllExp<SrcExp, DType, Reducer> reduce_all(
    const Exp<SrcExp, DType, etype> &src) {
  static_assert(etype != type::kComplex, "assign the product or reduction to a tensor first");
  return ReduceAllExp<SrcExp, DType, Reducer>(src.self(), ScalarCast<DType>(1));
}
template <typename SrcExp, typename DType, typename Reducer, typename S, detail::IfScalar<S> = 0>
MSHADOW_CINLINE ReduceAllExp<SrcExp, DType, Reducer> operator*(
    const ReduceAllExp<SrcExp, DType, Reducer> &exp, S scale) {
  return ReduceAllExp<SrcExp, DType, Reducer>(exp.src_,
                                              op::mul::Map(exp.scale_, ScalarCast<DType>(scale)));
}
template <typename S, typename SrcExp, typename DType, typename Reducer, detail::IfScalar<S> = 0>
MSHADOW_CINLINE ReduceAllExp<SrcExp, DType, Reducer> operator*(
    S scale, const ReduceAllExp<SrcExp, DType, Reducer> &exp) {
  return exp * scale;
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#ifndef __MSHADOW_GEN__
#include "mshadow/extension/reduce_all-inl.h"
#endif

#endif  // MSHADOW_EXTENSION_REDUCE_ALL_H_
