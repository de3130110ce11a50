// SPDX-License-Identifier: Apache-2.0
/// \file tensor_gpu.h
/// Tensors of a GPU: memory, copies, and the evaluation of Plans by kernels where nvcc compiles.
/// Elements are touched only by work on a stream: the tensor's, or without one the current device's
/// default stream.
#ifndef MSHADOW_TENSOR_GPU_H_
#define MSHADOW_TENSOR_GPU_H_

#include "mshadow/detail/allocation.h"
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/check.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/materialised.h"
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
#include "mshadow/cuda/map_plan.cuh"
#include "mshadow/cuda/reduce.cuh"
#include "mshadow/cuda/user.cuh"
#endif

namespace mshadow {
namespace cuda {

/// The device on which work of \p stream runs.
inline int DeviceOf(const Stream<gpu> *stream) {
  return stream == nullptr ? CurrentDevice() : stream->dev_id;
}

/// Copies rows between views of one shape on \p stream; waits where there is none.
template <typename To, typename From, int dim, typename DType>
void CopyTensor(const Tensor<To, dim, DType> &dst, const Tensor<From, dim, DType> &src,
                Direction direction, Stream<gpu> *stream) {
  if (dst.shape_ != src.shape_) {
    ::mshadow::detail::ThrowShapes("Copy", dst.shape_.shape_, dim, src.shape_.shape_, dim);
  }
  const DeviceScope scope(DeviceOf(stream));
  const Shape<2> shape = src.shape_.FlatTo2D();
  CUstream_st *const queue = Stream<gpu>::GetStream(stream);
  CopyRows(dst.dptr_, static_cast<size_t>(dst.stride_) * sizeof(DType), src.dptr_,
           static_cast<size_t>(src.stride_) * sizeof(DType),
           static_cast<size_t>(shape[1]) * sizeof(DType), static_cast<size_t>(shape[0]), direction,
           queue);
  if (stream == nullptr) Synchronize(queue);
}

}  // namespace cuda

MSHADOW_VERSION_BEGIN

/// `dst saver exp` on a GPU. Filling with a scalar works everywhere, the rest where nvcc compiles.
template <typename Saver, typename RV, int dim, typename DType, typename E, int etype>
void MapExp(TRValue<RV, gpu, dim, DType> *dst, const expr::Exp<E, DType, etype> &exp) {
  expr::CheckBeforeWrite(dst->self(), exp.self());
  const Shape<2> shape = expr::ShapeCheck<dim, RV>::Check(dst->self()).FlatTo2D();
  if (shape.Size() == 0) return;
  if constexpr (detail::IsSame<Saver, sv::saveto>::value &&
                detail::IsSame<E, expr::ScalarExp<DType>>::value &&
                detail::IsSame<RV, Tensor<gpu, dim, DType>>::value) {
    const RV &view = dst->self();
    const cuda::DeviceScope scope(cuda::DeviceOf(view.stream_));
    cuda::FillRows(view.dptr_, static_cast<size_t>(view.stride_), static_cast<size_t>(shape[1]),
                   static_cast<size_t>(shape[0]), &exp.self().scalar_, sizeof(DType),
                   Stream<gpu>::GetStream(view.stream_));
  } else {
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
    Stream<gpu> *const stream = expr::StreamInfo<gpu, RV>::Get(dst->self());
    const detail::AssignmentScope assignment(stream);
    const bool one_row = expr::detail::IsOneRow(dst->self(), exp.self());
    using expr::MakePlan;
    cuda::RunMap<Saver, DType>(MakePlan(dst->self()), MakePlan(exp.self()),
                               one_row ? Shape2(1, shape.Size()) : shape, stream);
#else
    static_assert(detail::AlwaysFalse<E>::value,
                  "an expression of gpu tensors is evaluated by a kernel: compile this file with "
                  "nvcc, or call a generated rule");
#endif
  }
}

/// Gives \p obj, whose shape is set, memory on its stream's device; rows padded if \p pad.
/// \throws Error if there is none, or the shape is impossible
template <int dim, typename DType>
void AllocSpace(Tensor<gpu, dim, DType> *obj, bool pad = MSHADOW_ALLOC_PAD) {
  const index_t size = static_cast<index_t>(sizeof(DType));
  index_t rows = 1;
  for (int i = 0; i + 1 < dim; ++i) rows = detail::CheckedProduct(rows, obj->shape_[i]);
  obj->stride_ = detail::RowStride(obj->shape_[dim - 1], size, pad && dim > 1);
  const index_t bytes = detail::CheckedProduct(detail::CheckedProduct(rows, obj->stride_), size);
  const cuda::DeviceScope scope(cuda::DeviceOf(obj->stream_));
  obj->dptr_ = static_cast<DType *>(cuda::Malloc(static_cast<size_t>(bytes)));
}

/// Memory of the CPU, without padding, from which \p Device copies fast: page-locked for a GPU.
/// \throws Error if there is none, or the shape is impossible
template <typename Device, int dim, typename DType>
void AllocHost(Tensor<cpu, dim, DType> *obj) {
  if constexpr (Device::kDevCPU) {
    AllocSpace(obj, false);
  } else {
    index_t count = static_cast<index_t>(sizeof(DType));
    for (int i = 0; i < dim; ++i) count = detail::CheckedProduct(count, obj->shape_[i]);
    obj->dptr_ = static_cast<DType *>(cuda::MallocHost(static_cast<size_t>(count)));
    obj->stride_ = obj->shape_[dim - 1];
  }
}
/// Releases what AllocHost gave.
template <typename Device, int dim, typename DType>
void FreeHost(Tensor<cpu, dim, DType> *obj) {
  if constexpr (Device::kDevCPU) {
    FreeSpace(obj);
  } else {
    cuda::FreeHost(obj->dptr_);
    obj->dptr_ = nullptr;
  }
}

/// Releases what AllocSpace gave, after the work that the device has been given.
template <int dim, typename DType>
void FreeSpace(Tensor<gpu, dim, DType> *obj) noexcept {
  cuda::Free(obj->dptr_);
  obj->dptr_ = nullptr;
}

/// Copies the elements of \p src to \p dst; strides may differ. Without a stream the copy is done
/// when Copy returns; with one it is queued, and host memory must live until the stream has done
/// it. \throws Error if the shapes differ
template <int dim, typename DType>
void Copy(Tensor<gpu, dim, DType> dst, const Tensor<cpu, dim, DType> &src,
          Stream<gpu> *stream = nullptr) {
  cuda::CopyTensor(dst, src, cuda::Direction::kHostToDevice, stream);
}
template <int dim, typename DType>
void Copy(Tensor<cpu, dim, DType> dst, const Tensor<gpu, dim, DType> &src,
          Stream<gpu> *stream = nullptr) {
  cuda::CopyTensor(dst, src, cuda::Direction::kDeviceToHost, stream);
}
template <int dim, typename DType>
void Copy(Tensor<gpu, dim, DType> dst, const Tensor<gpu, dim, DType> &src,
          Stream<gpu> *stream = nullptr) {
  cuda::CopyTensor(dst, src, cuda::Direction::kDeviceToDevice, stream);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TENSOR_GPU_H_
