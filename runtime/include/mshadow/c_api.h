// SPDX-License-Identifier: Apache-2.0
/// \file c_api.h
/// What all emitted C headers share: tensors, streams, statuses and the last error. For C11 and
/// C++.
#ifndef MSHADOW_C_API_H_
#define MSHADOW_C_API_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Exports a function from a shared library, also one that is compiled with -fvisibility=hidden.
#if defined(__GNUC__)
#define MSHADOW_C_API __attribute__((visibility("default")))
#else
#define MSHADOW_C_API
#endif

/// The result of a call. Unless it is MSHADOW_OK, the call wrote nothing, with one exception: a GPU
/// reports some errors of earlier launches late. mshadow_last_error() returns the message.
typedef enum mshadow_status {
  MSHADOW_OK = 0,
  MSHADOW_ERROR = 1,  ///< an argument is wrong, the arguments do not match, or the device failed
  MSHADOW_NO_INSTANCE = 2,  ///< the rule was not generated for these element types
  MSHADOW_OUT_OF_MEMORY = 3,
  MSHADOW_INTERNAL_ERROR = 4,  ///< an exception that this library did not throw
} mshadow_status;

/// Element types. The values are those of mshadow::DataType<T>::kFlag.
typedef enum mshadow_type {
  MSHADOW_FLOAT32 = 0,
  MSHADOW_FLOAT64 = 1,
  MSHADOW_FLOAT16 = 2,
  MSHADOW_UINT8 = 3,
  MSHADOW_INT32 = 4,
  MSHADOW_INT8 = 5,
  MSHADOW_INT64 = 6,
  MSHADOW_BOOL = 7,
  MSHADOW_BFLOAT16 = 12,
} mshadow_type;

/// Where a tensor's memory is.
typedef enum mshadow_device {
  MSHADOW_CPU = 1,
  MSHADOW_GPU = 2,
} mshadow_device;

/// A queue of work on a GPU. Only one thread at a time may use it. In C++ it is an
/// mshadow::Stream<mshadow::gpu>.
typedef struct mshadow_stream mshadow_stream;

/// A view of a tensor. The caller owns `data` and `shape`, and keeps both during the call. On a
/// GPU, `data` stays until the stream has done the work.
typedef struct mshadow_tensor {
  void *data;              ///< the first element
  int32_t type;            ///< an mshadow_type
  int32_t device;          ///< an mshadow_device
  int32_t rank;            ///< the number of dimensions, 1 to 8
  const int64_t *shape;    ///< the extents, outermost first
  int64_t row_stride;      ///< elements from the start of a row to that of the next; 0: no padding
  mshadow_stream *stream;  ///< GPU; null: the default stream of the current device
} mshadow_tensor;

/// Returns the message of this thread's last call that failed: the rule, the argument, the expected
/// value and the actual one. "" if none failed. Messages are cut at 1023 bytes. The text is valid
/// until the next failed call of this thread.
MSHADOW_C_API const char *mshadow_last_error(void);

/// \name Streams of GPUs
/// A call queues its work on the stream of its tensors, which all name the same one. The results
/// are there after mshadow_stream_synchronize.
/// @{
/// Makes a stream on \p device (-1: the current one), with a handle of cuBLAS for matrix products.
/// \returns MSHADOW_ERROR if \p stream is null, or the library was built without CUDA
MSHADOW_C_API mshadow_status mshadow_stream_create(int device, mshadow_stream **stream);
/// Makes a stream from \p cuda_stream, a cudaStream_t of \p device (-1: the current one). The
/// caller keeps owning \p cuda_stream, which must outlive the new stream. The default stream is not
/// wrapped: it is a null mshadow_stream.
MSHADOW_C_API mshadow_status mshadow_stream_wrap(void *cuda_stream, int device,
                                                 mshadow_stream **stream);
/// Waits for the work queued so far on \p stream. Null: on the default stream of the current
/// device. Returns the error of that work, if it failed.
MSHADOW_C_API mshadow_status mshadow_stream_synchronize(mshadow_stream *stream);
/// Waits, and frees the stream, also if its work failed. A wrapped cudaStream_t is not destroyed.
/// Does nothing if \p stream is null.
MSHADOW_C_API mshadow_status mshadow_stream_destroy(mshadow_stream *stream);
/// @}

#ifdef __cplusplus
}
#endif

#endif  // MSHADOW_C_API_H_
