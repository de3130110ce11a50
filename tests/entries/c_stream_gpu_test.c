/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as a C11 program makes, wraps, waits for and destroys them; here on the fake device. */
#include <entry_device_kernels_c.h>
#include <stdio.h>
#include <string.h>

#include "device_memory.h"

static int failures = 0;

#define CHECK(condition)                                     \
  do {                                                       \
    if (!(condition)) {                                      \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                            \
    }                                                        \
  } while (0)

static const int64_t kShape[] = {3};

static mshadow_tensor OnDevice(void *data, mshadow_type type, mshadow_stream *stream) {
  mshadow_tensor tensor = {data, type, MSHADOW_GPU, 1, kShape, 0, stream};
  return tensor;
}

/* Converts on the stream; what it gives is there once the stream has been waited for. */
static void Convert(mshadow_stream *stream, float expected) {
  const double in[] = {1, 2, 3};
  float out[] = {0, 0, 0};
  double *const from = DeviceCopy(in, sizeof in);
  float *const to = DeviceCopy(out, sizeof out);
  const mshadow_tensor target = OnDevice(to, MSHADOW_FLOAT32, stream);
  const mshadow_tensor source = OnDevice(from, MSHADOW_FLOAT64, stream);
  CHECK(entry_Convert(&target, &source, 0.5) == MSHADOW_OK);
  CHECK(mshadow_stream_synchronize(stream) == MSHADOW_OK);
  HostCopy(out, to, sizeof out);
  CHECK(out[0] == expected && out[2] == 3 * expected);
  DeviceFree(from);
  DeviceFree(to);
}

static void TestStreams(void) {
  CHECK(mshadow_gpu_count() == 2);
  mshadow_stream *stream = NULL, *other = NULL;
  CHECK(mshadow_stream_create(-1, &stream) == MSHADOW_OK);
  CHECK(mshadow_stream_create(1, &other) == MSHADOW_OK);
  CHECK(stream != NULL && other != NULL && stream != other);
  Convert(stream, 0.5f);
  Convert(NULL, 0.5f);

  float data[] = {1, 2, 3};
  float *const here = DeviceCopy(data, sizeof data);
  const mshadow_tensor a = OnDevice(here, MSHADOW_FLOAT32, stream);
  const mshadow_tensor b = OnDevice(here, MSHADOW_FLOAT64, other);
  CHECK(entry_Convert(&a, &b, 0.5) == MSHADOW_ERROR);
  CHECK(strstr(mshadow_last_error(), "expected the stream of 'out', got another one") != NULL);
  DeviceFree(here);
  CHECK(mshadow_stream_destroy(stream) == MSHADOW_OK);
  CHECK(mshadow_stream_destroy(other) == MSHADOW_OK);
  CHECK(mshadow_stream_destroy(NULL) == MSHADOW_OK);
}

/* A CUDA stream of somebody else's is used, and outlives what wraps it. */
static void TestWrappedStreams(void) {
  void *const theirs = NewCudaStream();
  mshadow_stream *stream = NULL;
  CHECK(mshadow_stream_wrap(theirs, 0, &stream) == MSHADOW_OK);
  Convert(stream, 0.5f);
  CHECK(mshadow_stream_destroy(stream) == MSHADOW_OK);
  CHECK(IsCudaStream(theirs));
  DeleteCudaStream(theirs);
  CHECK(!IsCudaStream(theirs));
}

/* Calls that a list keeps, with one scalar for all and one of their own. */
static void TestLists(void) {
  const double in[] = {1, 2, 3}, other[] = {4, 5, 6};
  float out[] = {0, 0, 0};
  double *const from = DeviceCopy(in, sizeof in), *const others = DeviceCopy(other, sizeof other);
  float *const to[] = {DeviceCopy(out, sizeof out), DeviceCopy(out, sizeof out)};
  mshadow_stream *stream = NULL;
  mshadow_list *list = NULL;
  CHECK(mshadow_stream_create(0, &stream) == MSHADOW_OK);
  CHECK(mshadow_list_create(&list) == MSHADOW_OK);
  const mshadow_tensor source = OnDevice(from, MSHADOW_FLOAT64, stream);
  CHECK(mshadow_list_begin(list) == MSHADOW_OK);
  for (int i = 0; i < 2; ++i) {
    const mshadow_tensor target = OnDevice(to[i], MSHADOW_FLOAT32, stream);
    CHECK(entry_Convert(&target, &source, 0.5) == MSHADOW_OK);
  }
  CHECK(mshadow_list_end(list) == MSHADOW_OK);
  CHECK(mshadow_list_size(list) == 2);
  CHECK(mshadow_list_set(list, -1, "scale", 2) == MSHADOW_OK);
  CHECK(mshadow_list_set(list, 1, "scale", 10) == MSHADOW_OK);
  mshadow_tensor replaced = OnDevice(others, MSHADOW_FLOAT64, stream);
  CHECK(mshadow_list_replace(list, 1, "in", &replaced) == MSHADOW_OK);
  replaced.stream = NULL;
  CHECK(mshadow_list_replace(list, 1, "in", &replaced) == MSHADOW_ERROR);
  CHECK(strcmp(mshadow_last_error(),
               "list entry 1: Convert: argument 'in': expected the stream of the list, got another "
               "one") == 0);
  CHECK(mshadow_list_run(list) == MSHADOW_OK);
  CHECK(mshadow_stream_synchronize(stream) == MSHADOW_OK);
  HostCopy(out, to[0], sizeof out);
  CHECK(out[0] == 2 && out[2] == 6);
  HostCopy(out, to[1], sizeof out);
  CHECK(out[0] == 40 && out[2] == 60);
  mshadow_list_destroy(list);
  CHECK(mshadow_stream_destroy(stream) == MSHADOW_OK);
  DeviceFree(from);
  DeviceFree(others);
  DeviceFree(to[0]);
  DeviceFree(to[1]);
}

static void TestErrors(void) {
  mshadow_stream *stream = NULL;
  CHECK(mshadow_stream_create(0, NULL) == MSHADOW_ERROR);
  CHECK(strcmp(mshadow_last_error(),
               "mshadow_stream_create: argument 'stream': expected a pointer to store the stream "
               "in, got a "
               "null pointer") == 0);
  CHECK(mshadow_stream_wrap(NULL, 0, &stream) == MSHADOW_ERROR);
  CHECK(strcmp(mshadow_last_error(),
               "mshadow_stream_wrap: argument 'cuda_stream': expected a stream, got a null "
               "pointer; for the default stream, pass a null mshadow_stream") == 0);
  CHECK(mshadow_stream_create(99, &stream) == MSHADOW_ERROR);
  CHECK(strstr(mshadow_last_error(), "cudaErrorInvalidDevice") != NULL);
  CHECK(stream == NULL);
}

int main(void) {
  TestStreams();
  TestWrappedStreams();
  TestLists();
  TestErrors();
  if (failures == 0) puts("Success!");
  return failures != 0;
}
