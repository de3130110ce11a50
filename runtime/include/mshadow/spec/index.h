// SPDX-License-Identifier: Apache-2.0
/// \file index.h
/// Declares the functions of extension/index.h and extension/range.h for the generator's parse:
/// types of parameters and results. The generator knows what they mean. No program includes this.
#ifndef MSHADOW_GEN_INDEX_H_
#define MSHADOW_GEN_INDEX_H_

#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/info.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

template <typename SrcExp, typename IndexExp, typename DType>
struct MatChooseRowElementExp
    : MakeTensorExp<MatChooseRowElementExp<SrcExp, IndexExp, DType>, SrcExp, 1, DType> {};

template <typename SrcExp, typename IndexExp, typename DType, typename IType, int e1, int e2>
MatChooseRowElementExp<SrcExp, IndexExp, DType> mat_choose_row_element(
    const Exp<SrcExp, DType, e1> &src, const Exp<IndexExp, IType, e2> &index) {
  static_assert(ExpInfo<SrcExp>::kDim == 2 && ExpInfo<IndexExp>::kDim == 1,
                "mat_choose_row_element takes a matrix and a vector of indices");
  return {};
}

template <typename SrcExp, typename ValExp, typename IndexExp, typename DType>
struct MatFillRowElementExp
    : MakeTensorExp<MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType>, SrcExp, 2, DType> {};

template <typename SrcExp, typename ValExp, typename IndexExp, typename DType, typename IType,
          int e1, int e2, int e3>
MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType> mat_fill_row_element(
    const Exp<SrcExp, DType, e1> &src, const Exp<ValExp, DType, e2> &val,
    const Exp<IndexExp, IType, e3> &index) {
  static_assert(
      ExpInfo<SrcExp>::kDim == 2 && ExpInfo<ValExp>::kDim == 1 && ExpInfo<IndexExp>::kDim == 1,
      "mat_fill_row_element takes a matrix, a vector of values and one of indices");
  return {};
}

template <typename IndexExp, typename DType>
struct OneHotEncodeExp : MakeTensorExp<OneHotEncodeExp<IndexExp, DType>, IndexExp, 2, DType> {};

template <typename DType = default_real_t, typename IndexExp, typename IType, int etype>
OneHotEncodeExp<IndexExp, DType> one_hot_encode(const Exp<IndexExp, IType, etype> &index,
                                                index_t num_choices) {
  static_assert(ExpInfo<IndexExp>::kDim == 1, "one_hot_encode takes a vector of indices");
  return {};
}

template <typename DType>
struct RangeExp : Exp<RangeExp<DType>, DType, type::kMapper> {};
template <typename DType>
struct ExpInfo<RangeExp<DType>> {
  static constexpr int kDim = 1;
  static constexpr int kDevMask = 0xffff;
};

template <typename DType>
RangeExp<DType> range(double start, double stop, double step = 1, int repeat = 1) {
  return {};
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_GEN_INDEX_H_
