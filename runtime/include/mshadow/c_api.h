// SPDX-License-Identifier: Apache-2.0
/// \file c_api.h
/// What the emitted C headers share: tensors, streams, statuses, the last error. C11, and C++.
#ifndef MSHADOW_C_API_H_
#define MSHADOW_C_API_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A function that a shared library has for its users, whatever the visibility of others.
#if defined(__GNUC__)
#define MSHADOW_C_API __attribute__((visibility("default")))
#else
#define MSHADOW_C_API
#endif

/// What a call came to. Unless it is MSHADOW_OK nothing was written, except that a GPU reports some
/// errors of earlier launches late; mshadow_last_error() says what is wrong.
typedef enum mshadow_status {
  MSHADOW_OK = 0,
  MSHADOW_ERROR = 1,        ///< an argument, how the arguments fit each other, or the device
  MSHADOW_NO_INSTANCE = 2,  ///< the rule was not generated for these element types
  MSHADOW_OUT_OF_MEMORY = 3,
  MSHADOW_INTERNAL_ERROR = 4,  ///< an exception that is none of mshadow's
} mshadow_status;

/// Element types; the numbers are mshadow's.
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

/// A queue of work on a GPU, for one thread at a time. For C++ it is an
/// mshadow::Stream<mshadow::gpu>.
typedef struct mshadow_stream mshadow_stream;

/// A view of a tensor: the memory, the extents and their array are the caller's.
typedef struct mshadow_tensor {
  void *data;              ///< the first element
  int32_t type;            ///< an mshadow_type
  int32_t device;          ///< an mshadow_device
  int32_t rank;            ///< the number of extents
  const int64_t *shape;    ///< the extents, outermost first
  int64_t row_stride;      ///< elements from one row to the next; 0: rows follow each other
  mshadow_stream *stream;  ///< GPU; null: the default stream of the current device
} mshadow_tensor;

/// What was wrong with this thread's last call that did not give MSHADOW_OK: the rule, the
/// argument, what was expected and what came. It is valid until such a call comes again.
MSHADOW_C_API const char *mshadow_last_error(void);

/// \name Streams of GPUs. Rules are queued on the stream of their tensors, which must be one; what
/// they compute is there when it has been waited for.
/// @{
/// Makes a stream of a device, -1: the current one. It has what products of matrices need.
MSHADOW_C_API mshadow_status mshadow_stream_create(int device, mshadow_stream **stream);
/// Makes one of a cudaStream_t of that device (-1: the current one), which stays the caller's and
/// must outlive it. The default stream needs none: it is a null mshadow_stream.
MSHADOW_C_API mshadow_status mshadow_stream_wrap(void *cuda_stream, int device,
                                                 mshadow_stream **stream);
/// Waits for the work queued so far; of null, on the default stream of the current device. An error
/// of that work is reported here.
MSHADOW_C_API mshadow_status mshadow_stream_synchronize(mshadow_stream *stream);
/// Waits, and frees what mshadow_stream_create or _wrap made, also where the work failed. Null is
/// nothing.
MSHADOW_C_API mshadow_status mshadow_stream_destroy(mshadow_stream *stream);
/// @}

#ifdef __cplusplus
}
#endif

#endif  // MSHADOW_C_API_H_
