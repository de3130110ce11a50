/* SPDX-License-Identifier: Apache-2.0 */
/* What c_stream_gpu_test.c needs of CUDA, whose fake is C++. */
#ifndef MSHADOW_TESTS_ENTRIES_DEVICE_MEMORY_H_
#define MSHADOW_TESTS_ENTRIES_DEVICE_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *DeviceCopy(const void *host, size_t bytes);
void HostCopy(void *host, const void *device, size_t bytes);
void DeviceFree(void *device);
void *NewCudaStream(void);
bool IsCudaStream(void *stream);
void DeleteCudaStream(void *stream);

#ifdef __cplusplus
}
#endif

#endif /* MSHADOW_TESTS_ENTRIES_DEVICE_MEMORY_H_ */
