// SPDX-License-Identifier: Apache-2.0
/// \file launch_sort.h
/// Sorts of rows between the kernels of a rule of several stages. They do what `TopK(values,
/// columns, src)` and its like do unfused, with a launcher's arguments.
#ifndef MSHADOW_LAUNCH_SORT_H_
#define MSHADOW_LAUNCH_SORT_H_

#include <cstddef>

#include "mshadow/detail/sort_rows.h"
#include "mshadow/emitted/listed.h"
#include "mshadow/emitted/named_layout.h"

namespace mshadow {

/// The first elements of each row of `src`, sorted, and their columns; as many as results have
/// columns.
template <typename DType, typename IType>
struct LaunchSort {
  template <typename T>
  struct Operand {
    const char *name = nullptr;
    const TensorArg<T> *arg = nullptr;  ///< null: not wanted
  };
  Operand<DType> values;
  Operand<IType> columns;
  Operand<DType> src;
  bool takes_all;  ///< the results have all columns of `src`
  bool ascends;    ///< the least come first
};

MSHADOW_VERSION_BEGIN
namespace detail {

/// \param values, columns without a layout: not wanted
/// \throws Error unless the shapes fit
void CheckSortShapes(const char *rule, NamedLayout values, NamedLayout columns, NamedLayout src,
                     bool takes_all);

template <typename DType, typename IType>
MSHADOW_CINLINE RowsToSort<DType> RowsOf(const LaunchSort<DType, IType> &sort) {
  RowsToSort<DType> task = {};
  if (sort.values.arg != nullptr) {
    task.values = sort.values.arg->dptr;
    task.values_stride = static_cast<index_t>(sort.values.arg->stride);
    task.count = static_cast<index_t>(sort.values.arg->shape[1]);
  }
  if (sort.columns.arg != nullptr) {
    task.columns = sort.columns.arg->dptr;
    task.columns_stride = static_cast<index_t>(sort.columns.arg->stride);
    task.count = static_cast<index_t>(sort.columns.arg->shape[1]);
  }
  task.type = DataType<IType>::kFlag;
  task.src = sort.src.arg->dptr;
  task.src_stride = static_cast<index_t>(sort.src.arg->stride);
  task.rows = static_cast<index_t>(sort.src.arg->shape[0]);
  task.cols = static_cast<index_t>(sort.src.arg->shape[1]);
  task.ascends = sort.ascends;
  return task;
}

/// Sorts rows that CheckSort has checked, on a GPU. A `.gen.cu` file instantiates it
/// (MSHADOW_SORT_INSTANCE).
template <typename DType, typename IType>
void SortRowsOnGpu(const char *rule, const LaunchSort<DType, IType> &sort, void *stream);

}  // namespace detail
MSHADOW_VERSION_END

/// Checks extents, pointers, strides, streams, that the columns can be numbered, and that no two
/// operands overlap.
/// \param rule the rule's name, for messages
/// \throws Error that names the rule, the argument, the expected value and the actual one
template <typename Device, typename DType, typename IType>
MSHADOW_CINLINE void CheckSort(Device device, const char *rule,
                               const LaunchSort<DType, IType> &sort) {
  LaunchCheck check(rule, device);
  const auto write = [&check](const auto &operand) {
    if (operand.arg == nullptr) return;
    check.Argument(operand.name, *operand.arg, Access::kWrite, OperandMap::kSource);
  };
  write(sort.values);
  write(sort.columns);
  check.Argument(sort.src.name, *sort.src.arg, Access::kRead, OperandMap::kSource);
  check.Run();
  const auto named = [](const auto &operand) {
    return detail::NamedLayout{operand.name, operand.arg};
  };
  detail::CheckSortShapes(rule, named(sort.values), named(sort.columns), named(sort.src),
                          sort.takes_all);
  if (sort.columns.arg == nullptr) return;
  CheckCountable<IType>(rule, sort.columns.name, sort.src.arg->shape[1]);
}

/// \name Sorts rows that CheckSort has checked
///
/// \param launch MSHADOW_IN_CUDA(mshadow::detail::SortRowsOnGpu<…>)
///
/// \throws Error that names \p rule if the device is a GPU and there is no CUDA
/// @{
template <typename DType, typename IType, typename Launch>
MSHADOW_CINLINE void RunSort(cpu, const char *, const LaunchSort<DType, IType> &sort, void *,
                             Launch) {
  detail::SortRowsOnCpu(detail::RowsOf(sort));
}
template <typename DType, typename IType, typename Launch>
MSHADOW_CINLINE void RunSort(gpu, const char *rule, const LaunchSort<DType, IType> &sort,
                             void *stream, Launch launch) {
  if (cuda::IsListing()) return;  // a list that only checks the call, and later makes it
  launch(rule, sort, stream);
}
template <typename DType, typename IType>
MSHADOW_CINLINE void RunSort(gpu, const char *rule, const LaunchSort<DType, IType> &, void *,
                             std::nullptr_t) {
  NoCuda(rule);
}
/// @}

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_SORT_H_
