// SPDX-License-Identifier: Apache-2.0
/// \file stream.h
/// Stream<Device>: a queue of work. On the CPU work is done before the call returns.
#ifndef MSHADOW_STREAM_H_
#define MSHADOW_STREAM_H_

#include "mshadow/detail/tensor_view.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

template <>
struct Stream<cpu> {
  /// Waits until the work queued so far is done.
  void Wait() {}
  /// Whether all work is done.
  bool CheckIdle() { return true; }
  void CreateBlasHandle() {}
};

/// Makes a stream. The handles of BLAS and DNN libraries belong to GPU streams; ignored here.
/// \param dev_id the device, -1: the current one
template <typename Device>
Stream<Device> *NewStream(bool create_blas_handle, bool create_dnn_handle, int dev_id = -1);
template <typename Device>
Stream<Device> *NewStream(int dev_id = -1) {
  return NewStream<Device>(true, false, dev_id);
}
template <>
inline Stream<cpu> *NewStream<cpu>(bool, bool, int) {
  return new Stream<cpu>;
}

/// Waits for the stream's work and frees it.
template <typename Device>
void DeleteStream(Stream<Device> *stream);
template <>
inline void DeleteStream<cpu>(Stream<cpu> *stream) {
  delete stream;
}

/// Prepares device \p dev_id; nothing to do on the CPU.
template <typename Device>
void InitTensorEngine(int dev_id = 0);
template <>
inline void InitTensorEngine<cpu>(int) {}
template <typename Device>
void ShutdownTensorEngine();
template <>
inline void ShutdownTensorEngine<cpu>() {}
template <typename Device>
void SetDevice(int dev_id);
template <>
inline void SetDevice<cpu>(int) {}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_STREAM_H_
