// SPDX-License-Identifier: Apache-2.0
/// \file scatter.cuh
/// Scatter-adds between the kernels of a rule, on a GPU: the kernel of the unfused AddTakeGrad.
#ifndef MSHADOW_CUDA_SCATTER_CUH_
#define MSHADOW_CUDA_SCATTER_CUH_

#include "mshadow/detail/add_rows.h"
#include "mshadow/detail/element_loop.h"
#include "mshadow/emitted/launch_scatter.h"

/// Instantiates the function that adds rows of these types.
#define MSHADOW_SCATTER_INSTANCE(clips, DType, IType) \
  template void mshadow::detail::AddRowsOnGpu(        \
      const char *, const ::mshadow::LaunchScatter<clips, DType, IType> &, void *)

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

template <int dim, typename DType>
Tensor<gpu, dim, DType> ScatterTensor(const TensorArg<DType> &arg, void *stream) {
  Tensor<gpu, dim, DType> tensor;
  tensor.dptr_ = arg.dptr;
  for (int i = 0; i < dim; ++i) tensor.shape_[i] = static_cast<index_t>(arg.shape[i]);
  tensor.stride_ = static_cast<index_t>(arg.stride);
  tensor.stream_ = static_cast<Stream<gpu> *>(stream);
  return tensor;
}

template <bool kClips, typename DType, typename IType>
void AddRowsOnGpu(const char *rule, const LaunchScatter<kClips, DType, IType> &scatter,
                  void *stream) {
  RunRows<AddRows<kClips, gpu, DType, IType, DType>>(
      rule, ScatterTensor<2>(scatter.dst.arg, stream), ScatterTensor<1>(scatter.index.arg, stream),
      ScatterTensor<2>(scatter.rows.arg, stream), 3 * static_cast<index_t>(sizeof(DType)));
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_CUDA_SCATTER_CUH_
