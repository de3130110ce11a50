// SPDX-License-Identifier: Apache-2.0
/// \file stream_gpu.h
/// Stream<gpu>: a queue of work on one device. The type exists in programs without CUDA too, where
/// nothing can make one.
#ifndef MSHADOW_STREAM_GPU_H_
#define MSHADOW_STREAM_GPU_H_

#include "mshadow/cuda/runtime.h"
#include "mshadow/stream.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A CUDA stream, its device, and a cuBLAS handle where one was asked for. As in mshadow one may be
/// built by hand, around a stream that belongs to somebody else: `Stream<gpu> s; s.stream_ = x;`.
/// Not for use by two threads at once.
template <>
struct Stream<gpu> {
  CUstream_st *stream_ = nullptr;  ///< null: the device's default stream
  cublasContext *blas_handle_ = nullptr;
  int dev_id = 0;

  /// Waits for the work queued so far.
  /// \throws Error if any of it failed
  void Wait();
  /// Whether nothing is queued or running.
  bool CheckIdle();
  /// Makes the cuBLAS handle that dot needs; once is enough.
  void CreateBlasHandle();
  void DestroyBlasHandle() noexcept;

  /// The CUDA stream of \p stream; the default stream for null.
  static CUstream_st *GetStream(Stream *stream) {
    return stream == nullptr ? nullptr : stream->stream_;
  }
  /// The cuBLAS handle of \p stream.
  /// \throws Error if there is no stream, or it has none
  static cublasContext *GetBlasHandle(Stream *stream);
};

MSHADOW_VERSION_END

namespace cuda {
/// A stream of \p device (-1: the current one), with a cuBLAS handle if asked for.
Stream<gpu> *MakeStream(bool with_blas, int device);
/// Releases a stream; work still queued on it is done, not waited for. Null is nothing.
void ReleaseStream(Stream<gpu> *stream) noexcept;
}  // namespace cuda

MSHADOW_VERSION_BEGIN

template <>
inline Stream<gpu> *NewStream<gpu>(bool create_blas_handle, bool, int dev_id) {
  return cuda::MakeStream(create_blas_handle, dev_id);
}
template <>
inline void DeleteStream<gpu>(Stream<gpu> *stream) {
  cuda::ReleaseStream(stream);
}
template <>
inline void InitTensorEngine<gpu>(int dev_id) {
  cuda::SetDevice(dev_id);
}
template <>
inline void ShutdownTensorEngine<gpu>() {}
/// As mshadow was first called: device \p dev_id of the GPUs, if there are any.
inline void InitTensorEngine(int dev_id = 0) {
  if (cuda::DeviceCount() > 0) InitTensorEngine<gpu>(dev_id);
}
inline void ShutdownTensorEngine() {}
template <>
inline void SetDevice<gpu>(int dev_id) {
  cuda::SetDevice(dev_id);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_STREAM_GPU_H_
