// SPDX-License-Identifier: Apache-2.0
/// \file stream_gpu.h
/// Stream<gpu>: a queue of work on one device. The type exists without CUDA, too, but no stream can
/// be made there.
#ifndef MSHADOW_STREAM_GPU_H_
#define MSHADOW_STREAM_GPU_H_

#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/stream.h"
#include "mshadow/detail/workspace.h"
#if MSHADOW_USE_CUSOLVER
#include <cusolverDn.h>
#endif
#if MSHADOW_USE_CUDNN
#include <cudnn.h>
#endif

struct cusolverDnContext;  // cusolverDnHandle_t points to it
struct cudnnContext;       // cudnnHandle_t points to it

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A CUDA stream, its device, and a cuBLAS handle if it was asked for. If all files of a program
/// define MSHADOW_USE_CUSOLVER or MSHADOW_USE_CUDNN as 1, there are handles of these, too; the
/// program links their libraries. As in the original mshadow, `Stream<gpu> s; s.stream_ = x;` wraps
/// a stream that somebody else owns. Two threads must not use a Stream at once.
template <>
struct Stream<gpu> {
  /// Whether the stream has a handle, which it then owns and destroys.
  enum HandleState { NoHandle = 0, OwnHandle = 1 };

  CUstream_st *stream_ = nullptr;  ///< null: the device's default stream
  cublasContext *blas_handle_ = nullptr;
  cusolverDnContext *solver_handle_ = nullptr;
  cudnnContext *dnn_handle_ = nullptr;
  HandleState blas_handle_ownership_ = NoHandle;
  HandleState solver_handle_ownership_ = NoHandle;
  HandleState dnn_handle_ownership_ = NoHandle;
  cuda::DeviceProperties prop;  ///< of the device, if NewStream made the stream
  int dev_id = 0;
  detail::WorkspaceStack *workspace_ = nullptr;  ///< made by the first launch that needs memory

  /// Waits for the work queued so far.
  /// \throws Error if any of it failed
  void Wait();
  /// Whether nothing is queued or running.
  bool CheckIdle();
  /// Makes the cuBLAS handle that dot needs, unless there is one.
  void CreateBlasHandle();
  void DestroyBlasHandle() noexcept;
#if MSHADOW_USE_CUSOLVER
  /// Makes the cuSOLVER handle, unless there is one.
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
  /// Makes the cuDNN handle, unless there is one.
  void CreateDnnHandle() {
    if (dnn_handle_ != nullptr) return;
    const cuda::DeviceScope scope(dev_id);
    CheckHandle("cudnnCreate", cudnnCreate(&dnn_handle_));
    dnn_handle_ownership_ = OwnHandle;
    destroy_dnn_ = [](cudnnContext *handle) { cudnnDestroy(handle); };
    CheckHandle("cudnnSetStream", cudnnSetStream(dnn_handle_, stream_));
  }
#endif
  /// Frees the workspace, which later launches would reuse. Captured graphs use it, too.
  void FreeWorkspace() noexcept {
    detail::DeleteWorkspaceStack(workspace_);
    workspace_ = nullptr;
  }

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

  /// The CUDA stream of \p stream; if that is null, the default stream.
  static CUstream_st *GetStream(Stream *stream) {
    return stream == nullptr ? nullptr : stream->stream_;
  }
  /// The cuBLAS handle of \p stream.
  /// \throws Error if \p stream is null or has no handle
  static cublasContext *GetBlasHandle(Stream *stream);
  /// The cuSOLVER handle of \p stream.
  /// \throws Error if \p stream is null or has no handle
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

  // Functions that destroy the handles, since the runtime is not linked with their libraries.
  void (*destroy_solver_)(cusolverDnContext *) = nullptr;
  void (*destroy_dnn_)(cudnnContext *) = nullptr;
};

MSHADOW_VERSION_END

namespace cuda {
/// A stream of \p device (-1: the current one), with a cuBLAS handle if asked for.
Stream<gpu> *MakeStream(bool with_blas, int device);
/// Releases a stream without waiting: work that is queued on it is still done. Does nothing if
/// \p stream is null.
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
/// The original mshadow's first form: selects device \p dev_id, if there are GPUs.
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
