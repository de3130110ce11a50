// SPDX-License-Identifier: Apache-2.0
/// \file launch_scatter.h
/// Scatter-adds between the kernels of a rule of several stages. They do what `AddTakeGrad(dst,
/// index, rows)` does unfused, with a launcher's arguments.
#ifndef MSHADOW_LAUNCH_SCATTER_H_
#define MSHADOW_LAUNCH_SCATTER_H_

#include <cstddef>

#include "mshadow/emitted/listed.h"
#include "mshadow/emitted/named_layout.h"

namespace mshadow {

/// `dst[index[y]] += rows[y]` for each row y in order.
/// \tparam kClips an index out of range names the nearest row; if false, that of index modulo rows
template <bool kClips, typename DType, typename IType>
struct LaunchScatter {
  template <typename T>
  struct Operand {
    const char *name;
    const TensorArg<T> &arg;
  };
  Operand<DType> dst;
  Operand<IType> index;
  Operand<DType> rows;
};

MSHADOW_VERSION_BEGIN
namespace detail {

/// \throws Error unless dst and rows have as many columns, index has an element for each of the
///     rows, and dst has rows to add to
void CheckScatterShapes(const char *rule, NamedLayout dst, NamedLayout index, NamedLayout rows);

/// Adds rows that CheckScatter has checked.
/// \param index of \p type, which is DataType<T>::kFlag
template <typename DType>
void AddRowsOnCpu(const TensorArg<DType> &dst, const void *index, int type, bool clips,
                  const TensorArg<DType> &rows);
/// The same on a GPU. A `.gen.cu` file instantiates it (MSHADOW_SCATTER_INSTANCE).
template <bool kClips, typename DType, typename IType>
void AddRowsOnGpu(const char *rule, const LaunchScatter<kClips, DType, IType> &scatter,
                  void *stream);

}  // namespace detail
MSHADOW_VERSION_END

/// Checks extents, pointers, strides, streams, and that dst overlaps neither index nor rows.
/// \param rule the rule's name, for messages
/// \throws Error that names the rule, the argument, the expected value and the actual one
template <typename Device, bool kClips, typename DType, typename IType>
MSHADOW_CINLINE void CheckScatter(Device device, const char *rule,
                                  const LaunchScatter<kClips, DType, IType> &scatter) {
  LaunchCheck check(rule, device);
  check.Argument(scatter.dst.name, scatter.dst.arg, Access::kReadWrite, OperandMap::kSource);
  check.Argument(scatter.index.name, scatter.index.arg, Access::kRead, OperandMap::kSource);
  check.Argument(scatter.rows.name, scatter.rows.arg, Access::kRead, OperandMap::kSource);
  check.Run();
  const detail::NamedLayout dst = {scatter.dst.name, &scatter.dst.arg};
  const detail::NamedLayout index = {scatter.index.name, &scatter.index.arg};
  const detail::NamedLayout rows = {scatter.rows.name, &scatter.rows.arg};
  detail::CheckScatterShapes(rule, dst, index, rows);
}

/// \name Adds rows that CheckScatter has checked
///
/// \param launch MSHADOW_IN_CUDA(mshadow::detail::AddRowsOnGpu<…>)
///
/// \throws Error that names \p rule if the device is a GPU and there is no CUDA
/// @{
template <bool kClips, typename DType, typename IType, typename Launch>
MSHADOW_CINLINE void RunScatter(cpu, const char *,
                                const LaunchScatter<kClips, DType, IType> &scatter, void *,
                                Launch) {
  detail::AddRowsOnCpu(scatter.dst.arg, scatter.index.arg.dptr, DataType<IType>::kFlag, kClips,
                       scatter.rows.arg);
}
template <bool kClips, typename DType, typename IType, typename Launch>
MSHADOW_CINLINE void RunScatter(gpu, const char *rule,
                                const LaunchScatter<kClips, DType, IType> &scatter, void *stream,
                                Launch launch) {
  if (cuda::IsListing()) return;  // a list that only checks the call, and later makes it
  launch(rule, scatter, stream);
}
template <bool kClips, typename DType, typename IType>
MSHADOW_CINLINE void RunScatter(gpu, const char *rule, const LaunchScatter<kClips, DType, IType> &,
                                void *, std::nullptr_t) {
  NoCuda(rule);
}
/// @}

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_SCATTER_H_
