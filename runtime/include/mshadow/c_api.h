// SPDX-License-Identifier: Apache-2.0
/// \file c_api.h
/// What the emitted C headers share: tensors, statuses, the last error. C11, and C++.
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

/// A view of a tensor: the memory, the extents and their array are the caller's.
typedef struct mshadow_tensor {
  void *data;            ///< the first element
  int32_t type;          ///< an mshadow_type
  int32_t device;        ///< an mshadow_device
  int32_t rank;          ///< the number of extents
  const int64_t *shape;  ///< the extents, outermost first
  int64_t row_stride;    ///< elements from one row to the next; 0: rows follow each other
  void *stream;          ///< GPU: an mshadow::Stream<mshadow::gpu> *; null: the default stream
} mshadow_tensor;

/// What was wrong with this thread's last call that did not give MSHADOW_OK: the rule, the
/// argument, what was expected and what came. It is valid until such a call comes again.
MSHADOW_C_API const char *mshadow_last_error(void);

#ifdef __cplusplus
}
#endif

#endif  // MSHADOW_C_API_H_
