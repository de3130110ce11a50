// SPDX-License-Identifier: Apache-2.0
/// \file top_k.h
/// Sorts of the rows of a matrix: TopK, ArgTopK, SortRows, ArgSortRows. All are stable: of equal
/// elements the one in the lower column comes first. NaN counts as greatest. mshadow has no such
/// functions: kernel.h includes this header, tensor.h does not.
#ifndef MSHADOW_EXTENSION_TOP_K_H_
#define MSHADOW_EXTENSION_TOP_K_H_

#include "mshadow/detail/indexing.h"
#include "mshadow/detail/sort_rows.h"
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
#include "mshadow/cuda/sort_rows.cuh"
#endif

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

template <typename IType, typename DType>
void RunSortRows(const char *, const RowsToSort<DType> &task, Stream<cpu> *) {
  SortRowsOnCpu(task);
}
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
template <typename IType, typename DType>
void RunSortRows(const char *what, const RowsToSort<DType> &task, Stream<gpu> *stream) {
  cuda::SortRows<IType>(what, task, WorkspaceOfAssignment, stream);
}
#else
template <typename IType, typename DType>
void RunSortRows(const char *, const RowsToSort<DType> &, Stream<gpu> *) {
  static_assert(AlwaysFalse<IType>::value,
                "a function of gpu tensors is evaluated by a kernel: compile this file with nvcc");
}
#endif

/// Checks a sort, and runs it.
/// \param values, columns null: not wanted
template <typename Device, typename DType, typename IType>
void SortRowsOf(const char *what, const Tensor<Device, 2, DType> *values,
                const Tensor<Device, 2, IType> *columns, const Tensor<Device, 2, DType> &src,
                bool takes_all, bool ascends) {
  const Shape<2> to = values != nullptr ? values->shape_ : columns->shape_;
  CheckExpected(to[0] == src.shape_[0], what, "as many rows", to, src.shape_);
  CheckExpected(to[1] <= src.shape_[1], what, "at most as many columns as are sorted", to,
                src.shape_);
  CheckExpected(!takes_all || to[1] == src.shape_[1], what, "as many columns", to, src.shape_);
  RowsToSort<DType> task = {};
  if (values != nullptr) {
    CheckDisjoint(what, *values, src);
    task.values = values->dptr_;
    task.values_stride = values->stride_;
  }
  if (columns != nullptr) {
    CheckExpected(columns->shape_ == to, what, "a column for each value", columns->shape_, to);
    CheckExpected(FindUncountable<IType>(static_cast<int64_t>(src.shape_[1])) == 0, what,
                  "a type of columns that holds the number of each", columns->shape_, src.shape_);
    CheckDisjoint(what, *columns, src);
    if (values != nullptr) CheckDisjoint(what, *columns, *values);
    task.columns = columns->dptr_;
    task.columns_stride = columns->stride_;
  }
  task.type = DataType<IType>::kFlag;
  task.src = src.dptr_;
  task.src_stride = src.stride_;
  task.rows = src.shape_[0];
  task.cols = src.shape_[1];
  task.count = to[1];
  task.ascends = ascends;
  RunSortRows<IType>(what, task, src.stream_);
}

/// Where only values are wanted.
template <typename Device>
constexpr Tensor<Device, 2, int32_t> *kNoColumns = nullptr;
template <typename Device, typename DType>
constexpr Tensor<Device, 2, DType> *kNoValues = nullptr;

}  // namespace detail

/// \name The k greatest elements of each row, the greatest first; k is the extent of the results
///
/// \param values (rows, k) gets the elements
/// \param columns (rows, k) gets their columns; of any element type but bool
/// \param src (rows, columns)
/// \param is_ascend the k least elements instead, the least first
///
/// \throws Error if the shapes do not match, if \p columns cannot hold each column's number, or if
///     tensors share memory
/// @{
template <typename Device, typename DType, typename IType>
void TopK(Tensor<Device, 2, DType> values, Tensor<Device, 2, IType> columns,
          const Tensor<Device, 2, DType> &src, bool is_ascend = false) {
  detail::SortRowsOf("TopK", &values, &columns, src, false, is_ascend);
}
template <typename Device, typename DType>
void TopK(Tensor<Device, 2, DType> values, const Tensor<Device, 2, DType> &src,
          bool is_ascend = false) {
  detail::SortRowsOf("TopK", &values, detail::kNoColumns<Device>, src, false, is_ascend);
}
template <typename Device, typename DType, typename IType>
void ArgTopK(Tensor<Device, 2, IType> columns, const Tensor<Device, 2, DType> &src,
             bool is_ascend = false) {
  detail::SortRowsOf("ArgTopK", detail::kNoValues<Device, DType>, &columns, src, false, is_ascend);
}
/// @}

/// \name All elements of each row, the least first
///
/// \param values, columns of the shape of \p src; otherwise as for TopK
/// \param is_ascend false: the greatest first. Equal elements keep their order in either case
///
/// \throws Error as TopK does
/// @{
template <typename Device, typename DType, typename IType>
void SortRows(Tensor<Device, 2, DType> values, Tensor<Device, 2, IType> columns,
              const Tensor<Device, 2, DType> &src, bool is_ascend = true) {
  detail::SortRowsOf("SortRows", &values, &columns, src, true, is_ascend);
}
template <typename Device, typename DType>
void SortRows(Tensor<Device, 2, DType> values, const Tensor<Device, 2, DType> &src,
              bool is_ascend = true) {
  detail::SortRowsOf("SortRows", &values, detail::kNoColumns<Device>, src, true, is_ascend);
}
template <typename Device, typename DType, typename IType>
void ArgSortRows(Tensor<Device, 2, IType> columns, const Tensor<Device, 2, DType> &src,
                 bool is_ascend = true) {
  detail::SortRowsOf("ArgSortRows", detail::kNoValues<Device, DType>, &columns, src, true,
                     is_ascend);
}
/// @}

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_TOP_K_H_
