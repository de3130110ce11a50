// SPDX-License-Identifier: Apache-2.0
/// \file functions.h
/// Declares the runtime's functions of tensors for the generator's parse. Of these, rules can call
/// AddTakeGrad and the sorts of rows. But a call of a rule with the same name as any of them may
/// resolve to the runtime's function, and must do so for the parse as for a compiler. No program
/// includes this.
#ifndef MSHADOW_GEN_FUNCTIONS_H_
#define MSHADOW_GEN_FUNCTIONS_H_

#include "mshadow/detail/tensor_view.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy);
template <typename DType>
void Softmax(Tensor<cpu, 3, DType> dst, const Tensor<cpu, 3, DType> &energy);
template <typename Device, int dim, typename DType, typename From, int from_dim, typename FromDType>
void Softmax(Tensor<Device, dim, DType>, const Tensor<From, from_dim, FromDType> &);

template <typename Device, int dim, typename DType>
void SoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                 const Tensor<Device, dim - 1, DType> &label);
template <typename Device, int dim, typename DType, typename Label, detail::IfScalar<Label> = 0>
void SoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                 const Tensor<Device, dim - 1, DType> &label, const Label &ignore_label);
template <typename Device, int dim, typename DType>
void SmoothSoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                       const Tensor<Device, dim - 1, DType> &label, float alpha);
template <typename Device, int dim, typename DType, typename Label, detail::IfScalar<Label> = 0>
void SmoothSoftmaxGrad(Tensor<Device, dim, DType> dst, const Tensor<Device, dim, DType> &src,
                       const Tensor<Device, dim - 1, DType> &label, const Label &ignore_label,
                       float alpha);

template <int dim, typename DType>
void Copy(Tensor<cpu, dim, DType> dst, const Tensor<cpu, dim, DType> &src,
          Stream<cpu> *stream = nullptr);
template <typename To, typename From, int dim, int from_dim, typename DType, typename FromDType,
          typename... S>
void Copy(const Tensor<To, dim, DType> &, const Tensor<From, from_dim, FromDType> &, S *...);

template <typename Device, typename DType>
void VectorDot(Tensor<Device, 1, DType> dst, const Tensor<Device, 1, DType> &lhs,
               const Tensor<Device, 1, DType> &rhs);
template <bool clip = true, typename Device, typename IndexType, typename DType>
void AddTakeGrad(Tensor<Device, 2, DType> dst, const Tensor<Device, 1, IndexType> &index,
                 const Tensor<Device, 2, DType> &src);
template <bool clip = true, typename Device, typename IndexType, typename DType, typename AType>
void AddTakeGrad(Tensor<Device, 2, DType> dst, Tensor<Device, 2, AType> temp,
                 const Tensor<Device, 1, IndexType> &index, const Tensor<Device, 2, DType> &src);
/// For expressions, which the generator rejects: it says what to write.
template <bool clip = true, typename Dst, typename Index, typename Src, typename A, typename B,
          typename C, int e1, int e2, int e3>
void AddTakeGrad(const expr::Exp<Dst, A, e1> &dst, const expr::Exp<Index, B, e2> &index,
                 const expr::Exp<Src, C, e3> &src);
template <typename Device, typename IndexType, typename DType>
void IndexFill(Tensor<Device, 2, DType> dst, const Tensor<Device, 1, IndexType> &index,
               const Tensor<Device, 2, DType> &src);
template <typename KDType, typename VDType>
void SortByKey(Tensor<cpu, 1, KDType> keys, Tensor<cpu, 1, VDType> values, bool is_ascend = true);
template <typename Device, typename VDType, typename SDType>
void VectorizedSort(Tensor<Device, 1, VDType> values, Tensor<Device, 1, SDType> segments);

template <typename Device, typename DType, typename IType>
void TopK(Tensor<Device, 2, DType> values, Tensor<Device, 2, IType> columns,
          const Tensor<Device, 2, DType> &src, bool is_ascend = false);
template <typename Device, typename DType>
void TopK(Tensor<Device, 2, DType> values, const Tensor<Device, 2, DType> &src,
          bool is_ascend = false);
template <typename Device, typename DType, typename IType>
void ArgTopK(Tensor<Device, 2, IType> columns, const Tensor<Device, 2, DType> &src,
             bool is_ascend = false);
template <typename Device, typename DType, typename IType>
void SortRows(Tensor<Device, 2, DType> values, Tensor<Device, 2, IType> columns,
              const Tensor<Device, 2, DType> &src, bool is_ascend = true);
template <typename Device, typename DType>
void SortRows(Tensor<Device, 2, DType> values, const Tensor<Device, 2, DType> &src,
              bool is_ascend = true);
template <typename Device, typename DType, typename IType>
void ArgSortRows(Tensor<Device, 2, IType> columns, const Tensor<Device, 2, DType> &src,
                 bool is_ascend = true);
/// For expressions, which the generator rejects: it says what to write.
/// @{
#define MSHADOW_SORT_OF_EXPRESSIONS(name)                                                    \
  template <typename To, typename Src, typename A, typename B, int e1, int e2>               \
  void name(const expr::Exp<To, A, e1> &, const expr::Exp<Src, B, e2> &, bool = true);       \
  template <typename To, typename Columns, typename Src, typename A, typename B, typename C, \
            int e1, int e2, int e3>                                                          \
  void name(const expr::Exp<To, A, e1> &, const expr::Exp<Columns, B, e2> &,                 \
            const expr::Exp<Src, C, e3> &, bool = true);
MSHADOW_SORT_OF_EXPRESSIONS(TopK)
MSHADOW_SORT_OF_EXPRESSIONS(ArgTopK)
MSHADOW_SORT_OF_EXPRESSIONS(SortRows)
MSHADOW_SORT_OF_EXPRESSIONS(ArgSortRows)
#undef MSHADOW_SORT_OF_EXPRESSIONS
/// @}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_GEN_FUNCTIONS_H_
