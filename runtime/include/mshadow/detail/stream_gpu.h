// SPDX-License-Identifier: Apache-2.0
/// \file stream_gpu.h
/// Stream<gpu>: a queue of work on one device. The type exists in programs without CUDA too, where
/// nothing can make one.
#ifndef MSHADOW_STREAM_GPU_H_
#define MSHADOW_STREAM_GPU_H_

#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/stream.h"
#if MSHADOW_USE_CUSOLVER
#include <cusolverDn.h>
#endif
#if MSHADOW_USE_CUDNN
#include <cudnn.h>
#endif

struct cusolverDnContext;  // cusolverDnHandle_t points to it
struct cudnnContext;       // cudnnHandle_t points to it

namespace mshadow {
struct StreamMemory;
MSHADOW_VERSION_BEGIN

/// A CUDA stream, its device, and a cuBLAS handle where one was asked for; where
/// MSHADOW_USE_CUSOLVER or MSHADOW_USE_CUDNN is 1, in all files of a program, also the handles of
/// those, whose libraries are the program's to link. As in mshadow one may be built by hand, around
/// a stream that belongs to somebody else: `Stream<gpu> s; s.stream_ = x;`.
/// Not for use by two threads at once.
template <>
struct Stream<gpu> {
  /// Whether the stream has a handle, which it then destroys.
  enum HandleState { NoHandle = 0, OwnHandle = 1 };

  CUstream_st *stream_ = nullptr;  ///< null: the device's default stream
  cublasContext *blas_handle_ = nullptr;
  cusolverDnContext *solver_handle_ = nullptr;
  cudnnContext *dnn_handle_ = nullptr;
  HandleState blas_handle_ownership_ = NoHandle;
  HandleState solver_handle_ownership_ = NoHandle;
  HandleState dnn_handle_ownership_ = NoHandle;
  cuda::DeviceProperties prop;  ///< of the device, where NewStream made the stream
  int dev_id = 0;

  /// Waits for the work queued so far.
  /// \throws Error if any of it failed
  void Wait();
  /// Whether nothing is queued or running.
  bool CheckIdle();
  /// Makes the cuBLAS handle that dot needs; once is enough.
  void CreateBlasHandle();
  void DestroyBlasHandle() noexcept;
#if MSHADOW_USE_CUSOLVER
  /// Makes the cuSOLVER handle; once is enough.
  void CreateSolverHandle() {
    if (solver_handle_ != nullptr) return;
    const cuda::DeviceScope scope(dev_id);
    CheckHandle("cusolverDnCreate", cusolverDnCreate(&solver_handle_));
    solver_handle_ownership_ = OwnHandle;
    destroy_solver_ = [](cusolverDnContext *handle) { cusolverDnDestroy(handle); };
    CheckHandle("cusolverDnSetStream", cusolverDnSetStream(solver_handle_, stream_));
  }
#endif
#if MSHADOW_USE_CUDNN
  /// Makes the cuDNN handle; once is enough.
  void CreateDnnHandle() {
    if (dnn_handle_ != nullptr) return;
    const cuda::DeviceScope scope(dev_id);
    CheckHandle("cudnnCreate", cudnnCreate(&dnn_handle_));
    dnn_handle_ownership_ = OwnHandle;
    destroy_dnn_ = [](cudnnContext *handle) { cudnnDestroy(handle); };
    CheckHandle("cudnnSetStream", cudnnSetStream(dnn_handle_, stream_));
  }
#endif
  /// At least \p bytes of the device's memory, for kernels of this stream that are queued one after
  /// the other. It stays with the stream; a call for more waits for the work queued so far. What
  /// was given while the stream was captured into a graph stays for the graph, even if later calls
  /// are for more.
  /// \param slot 0: what one kernel's launch keeps; 1: what a rule keeps between its kernels; 2 and
  /// more: what unfused assignments do, of which one may be within another
  /// \throws Error if there is no memory, or the stream is captured and does not have so much
  void *Workspace(size_t bytes, int slot = 0);
  void FreeWorkspace() noexcept;
  /// The same for unfused assignments: nobody else's until it is popped, the last one first.
  void *PushWorkspace(size_t bytes) {
    void *const memory = Workspace(bytes, 2 + pushed_);
    ++pushed_;
    return memory;
  }
  void PopWorkspace() noexcept { --pushed_; }

  void DestroySolverHandle() noexcept {
    if (solver_handle_ != nullptr && destroy_solver_ != nullptr) destroy_solver_(solver_handle_);
    solver_handle_ = nullptr;
    solver_handle_ownership_ = NoHandle;
  }
  void DestroyDnnHandle() noexcept {
    if (dnn_handle_ != nullptr && destroy_dnn_ != nullptr) destroy_dnn_(dnn_handle_);
    dnn_handle_ = nullptr;
    dnn_handle_ownership_ = NoHandle;
  }

  /// The CUDA stream of \p stream; the default stream for null.
  static CUstream_st *GetStream(Stream *stream) {
    return stream == nullptr ? nullptr : stream->stream_;
  }
  /// The cuBLAS handle of \p stream.
  /// \throws Error if there is no stream, or it has none
  static cublasContext *GetBlasHandle(Stream *stream);
  /// The cuSOLVER handle of \p stream.
  /// \throws Error if there is no stream, or it has none
  static cusolverDnContext *GetSolverHandle(Stream *stream) {
    if (stream == nullptr || stream->solver_handle_ == nullptr) {
      detail::ThrowError("the stream has no cuSOLVER handle: call its CreateSolverHandle()");
    }
    return stream->solver_handle_;
  }

 private:
  template <typename Status>
  static void CheckHandle(const char *call, Status status) {
    if (static_cast<int>(status) == 0) return;
    detail::ThrowError(std::string(call) + ": status " + std::to_string(static_cast<int>(status)));
  }

  StreamMemory *memory_ = nullptr;  // the workspaces; launch.cc
  int pushed_ = 0;
  // The runtime, which destroys the handles, is not linked with their libraries.
  void (*destroy_solver_)(cusolverDnContext *) = nullptr;
  void (*destroy_dnn_)(cudnnContext *) = nullptr;
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
inline Stream<gpu> *NewStream<gpu>(bool create_blas_handle, bool create_dnn_handle, int dev_id) {
  Stream<gpu> *const stream = cuda::MakeStream(create_blas_handle, dev_id);
#if MSHADOW_USE_CUSOLVER || MSHADOW_USE_CUDNN
  try {
#if MSHADOW_USE_CUSOLVER
    if (create_blas_handle) stream->CreateSolverHandle();
#endif
#if MSHADOW_USE_CUDNN
    if (create_dnn_handle) stream->CreateDnnHandle();
#endif
  } catch (...) {
    cuda::ReleaseStream(stream);
    throw;
  }
#endif
  static_cast<void>(create_dnn_handle);
  return stream;
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
