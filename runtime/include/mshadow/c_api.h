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

/// Exports a function from a shared library, even if that is compiled with -fvisibility=hidden.
#if defined(__GNUC__)
#define MSHADOW_C_API __attribute__((visibility("default")))
#else
#define MSHADOW_C_API
#endif

/// The result of a call. If it is not MSHADOW_OK, mshadow_last_error() says what is wrong, and the
/// call wrote no tensor. There are two exceptions: mshadow_list_run may have run other entries, and
/// on a GPU the error may be that of an earlier launch.
typedef enum mshadow_status {
  MSHADOW_OK = 0,
  MSHADOW_ERROR = 1,        ///< a wrong argument, arguments that do not fit, or a device's error
  MSHADOW_NO_INSTANCE = 2,  ///< the rule was not generated for these element types
  MSHADOW_OUT_OF_MEMORY = 3,
  MSHADOW_INTERNAL_ERROR = 4,  ///< an exception of a type that mshadow never throws
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
  MSHADOW_INT16 = 8,
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

/// A view of a tensor. The caller owns `data` and `shape`. Both must stay valid during the call; on
/// a GPU, `data` must stay valid until the stream has done the work.
typedef struct mshadow_tensor {
  void *data;              ///< the first element
  int32_t type;            ///< an mshadow_type
  int32_t device;          ///< an mshadow_device
  int32_t rank;            ///< the number of dimensions, 1 to 8
  const int64_t *shape;    ///< the extents, outermost first
  int64_t row_stride;      ///< elements from one row to the next; 0: rows follow each other
  mshadow_stream *stream;  ///< GPU only; null: the current device's default stream
} mshadow_tensor;

/// An argument of a rule that takes its arguments in an array. The functions whose names end in
/// _packed do: they are for languages that call functions by their addresses and know the types
/// of parameters only at run time.
typedef union mshadow_argument {
  const mshadow_tensor *tensor;
  double real;      ///< a scalar of type float or double
  int64_t integer;  ///< a scalar of an integer type, or bool; a uint64_t by its bits
} mshadow_argument;

/// What was wrong with the last call of this thread that did not return MSHADOW_OK. The text names
/// the rule, the argument, the expected value and the actual value. It is valid until the thread's
/// next call that fails.
MSHADOW_C_API const char *mshadow_last_error(void);

/// \name Streams of GPUs. A rule is queued on the stream of its tensors, which must all have the
/// same stream or none. The results are ready after mshadow_stream_synchronize.
/// @{
/// The number of GPUs that rules can run on: 0 in a library that was built without CUDA, and where
/// there is no driver.
MSHADOW_C_API int32_t mshadow_gpu_count(void);
/// Makes a stream of a device (-1: the current one), with a handle for matrix products.
MSHADOW_C_API mshadow_status mshadow_stream_create(int device, mshadow_stream **stream);
/// Wraps a cudaStream_t of a device (-1: the current one). The caller keeps the cudaStream_t, which
/// must outlive the wrapper. For the default stream, pass a null mshadow_stream to rules instead.
MSHADOW_C_API mshadow_status mshadow_stream_wrap(void *cuda_stream, int device,
                                                 mshadow_stream **stream);
/// Waits for the work queued so far, and reports its errors. Null is the default stream of the
/// current device.
MSHADOW_C_API mshadow_status mshadow_stream_synchronize(mshadow_stream *stream);
/// Waits, and frees what mshadow_stream_create or _wrap made, even if the work failed. Does nothing
/// with null.
MSHADOW_C_API mshadow_status mshadow_stream_destroy(mshadow_stream *stream);
/// @}

/// Calls of rules that mshadow_list_run runs together: on the CPU, or on one stream of a GPU. The
/// results are those of single calls. One thread at a time may use a list. In C++ it is an
/// mshadow::RuleList.
typedef struct mshadow_list mshadow_list;

/// \name Lists of calls. Between mshadow_list_begin and mshadow_list_end the functions of rules
/// make all checks of a call, and add the call to the list instead of running it. Each call that
/// returns MSHADOW_OK is an entry; its index is the number of entries before it. A tensor's memory
/// must outlive the list, unless mshadow_list_replace replaces the tensor.
/// @{
/// Makes an empty list.
MSHADOW_C_API mshadow_status mshadow_list_create(mshadow_list **list);
/// From now on the calls of this thread are added to the list. Lists do not nest.
MSHADOW_C_API mshadow_status mshadow_list_begin(mshadow_list *list);
/// Ends what mshadow_list_begin began: from now on each call of this thread runs at once. Only the
/// thread that called mshadow_list_begin may call this function.
MSHADOW_C_API mshadow_status mshadow_list_end(mshadow_list *list);
/// The number of entries.
MSHADOW_C_API int64_t mshadow_list_size(const mshadow_list *list);
/// Sets a scalar, by the name of the rule's parameter, from the next run on.
/// \param entry -1: sets the scalar of all entries whose rules have it. Otherwise: the index of the
///     one entry to change; from then on, calls with -1 leave this scalar of that entry as it is
MSHADOW_C_API mshadow_status mshadow_list_set(mshadow_list *list, int64_t entry, const char *scalar,
                                              double value);
/// Replaces a tensor of an entry, by the name of the rule's parameter. The new tensor must have the
/// same type and rank, and on a GPU the same stream; its shape may differ.
MSHADOW_C_API mshadow_status mshadow_list_replace(mshadow_list *list, int64_t entry,
                                                  const char *argument,
                                                  const mshadow_tensor *tensor);
/// Runs all entries; on a GPU, queues them on their stream. Before the first write, checks that no
/// entry reads or writes memory that another entry writes, and that each rule accepts its scalars
/// and, on a CPU, the elements of its tensors, such as indices. A rule of several stages checks
/// elements when its entry is added, and again when it runs. If the second check fails, all other
/// entries still run, and then the call returns the error.
MSHADOW_C_API mshadow_status mshadow_list_run(mshadow_list *list);
/// Frees the list. Does nothing with null.
MSHADOW_C_API void mshadow_list_destroy(mshadow_list *list);
/// @}

#ifdef __cplusplus
}
#endif

#endif  // MSHADOW_C_API_H_
