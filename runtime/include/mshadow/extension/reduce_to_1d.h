// SPDX-License-Identifier: Apache-2.0
/// \file reduce_to_1d.h
/// Reductions of an expression to a vector: sum_rows, sumall_except_dim<k>, reduce_except_dim<k,
/// R>. They stand alone on the right of an assignment: vector (=, +=, -=, *=, /=) [scale *]
/// reduction.
///
/// The order of the sum is a fixed tree, the same on every machine and for every number of threads.
/// 16-bit floats accumulate in float and round once; the scale is applied before that.
#ifndef MSHADOW_EXTENSION_REDUCE_TO_1D_H_
#define MSHADOW_EXTENSION_REDUCE_TO_1D_H_

#ifdef __MSHADOW_GEN__
#include "mshadow/expr/info.h"
#else
#include "mshadow/expr/engine.h"
#endif
#include "mshadow/expr/red.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// \p Reducer over all dimensions of the source but \p dimkeep.
template <typename SrcExp, typename DType, typename Reducer, int dimkeep>
struct ReduceTo1DExp : Exp<ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>, DType, type::kComplex> {
  SrcExp src_;
  DType scale_;
  MSHADOW_XINLINE ReduceTo1DExp(const SrcExp &src, DType scale) : src_(src), scale_(scale) {
#ifdef __MSHADOW_GEN__
    ::mshadow::detail::UseReducer<Reducer, DType>();
#endif
  }
};

template <typename SrcExp, typename DType, typename Reducer, int dimkeep>
struct ExpInfo<ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>> {
  static constexpr int kDim = 1;
  static constexpr int kDevMask = ExpInfo<SrcExp>::kDevMask;
};
#ifndef __MSHADOW_GEN__
template <typename SrcExp, typename DType, typename Reducer, int dimkeep>
struct Operands<ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>> : detail::OperandsOfNode<SrcExp> {
  template <typename Function>
  static void Visit(const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp, bool, Function &&f) {
    Operands<SrcExp>::Visit(exp.src_, true, f);
  }
  static index_t Bytes(const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp) {
    return Operands<SrcExp>::Bytes(exp.src_);
  }
  static constexpr bool kIsMap = false;
};
#endif

/// Element i of the result is the reduction of all elements of \p exp whose index \p dimkeep is i.
template <int dimkeep, typename Reducer, typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> reduce_except_dim(
    const Exp<SrcExp, DType, etype> &exp) {
  static_assert(etype != type::kComplex, "assign the product or reduction to a tensor first");
  constexpr bool kMaps = etype != type::kComplex;
  static_assert(!kMaps || (0 <= dimkeep && dimkeep < ExpInfo<SrcExp>::kDim),
                "the expression has no such dimension");
  return ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>(exp.self(), ScalarCast<DType>(1));
}
template <int dimkeep, typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE ReduceTo1DExp<SrcExp, DType, red::sum, dimkeep> sumall_except_dim(
    const Exp<SrcExp, DType, etype> &exp) {
  return reduce_except_dim<dimkeep, red::sum>(exp);
}
/// The sum of the rows of a matrix: a vector as long as a row.
template <typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE ReduceTo1DExp<SrcExp, DType, red::sum, 1> sum_rows(
    const Exp<SrcExp, DType, etype> &exp) {
  constexpr bool kMaps = etype != type::kComplex;  // else it is refused for that
  static_assert(!kMaps || ExpInfo<SrcExp>::kDim == 2, "sum_rows takes a matrix");
  return sumall_except_dim<1>(exp);
}

template <typename SrcExp, typename DType, typename Reducer, int dimkeep, typename S,
          detail::IfScalar<S> = 0>
MSHADOW_CINLINE ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> operator*(
    const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp, S scale) {
  return ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>(
      exp.src_, op::mul::Map(exp.scale_, ScalarCast<DType>(scale)));
}
template <typename S, typename SrcExp, typename DType, typename Reducer, int dimkeep,
          detail::IfScalar<S> = 0>
MSHADOW_CINLINE ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> operator*(
    S scale, const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp) {
  return exp * scale;
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#ifndef __MSHADOW_GEN__
#include "mshadow/extension/reduce_to_1d-inl.h"
#endif

#endif  // MSHADOW_EXTENSION_REDUCE_TO_1D_H_
