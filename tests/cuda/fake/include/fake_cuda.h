// SPDX-License-Identifier: Apache-2.0
/// \file fake_cuda.h
/// A CUDA runtime without a GPU: what tests may ask of it beyond CUDA's own interface.
///
/// There are two devices. Kernels run on the calling thread, block after block, thread after
/// thread; threads that meet at a barrier are fibers. Nothing that is put on a stream runs before
/// somebody waits for it, so that a missing wait or a buffer freed too early shows every time.
/// Device memory can be touched only while its device works: elsewhere it is PROT_NONE. Fresh
/// blocks are filled with kPoison, the bytes behind a block are checked after every use of the
/// device, freed addresses are never given out again.
///
/// What a kernel does wrong ends the process with a message: there is nothing to recover. What a
/// host call does wrong is a cudaError_t, as on a GPU.
#ifndef MSHADOW_TESTS_CUDA_FAKE_FAKE_CUDA_H_
#define MSHADOW_TESTS_CUDA_FAKE_FAKE_CUDA_H_

#include <functional>

#include "cuda_runtime_api.h"

namespace fakecuda {

constexpr int kDevices = 2;
/// Threads that a multiprocessor of each device runs at once. The second is small: few elements are
/// more than its threads.
constexpr int kThreads[kDevices] = {2048, 128};
/// Byte of fresh and freed memory: NaN in every float type.
constexpr unsigned char kPoison = 0xff;

/// Makes call number `call` (counted from 1 from here on; calls that only report errors do not
/// count) fail with `error`. A sticky error is the answer of every later call too, as after a
/// kernel that faulted. Calls that release something do so and then report the error.
void FailCall(int call, cudaError_t error, bool sticky = false);
/// Forgets faults, sticky errors and the last error, and sets the count of calls to zero.
void ClearFaults();
/// Calls counted since the last ClearFaults() or FailCall().
int Calls();
/// The name of the call that FailCall made fail (`Launch` for kernels), or "" before it.
const char *FailedCall();

/// Blocks, streams, events and cuBLAS handles not yet released. A process that ends normally with
/// one of them alive prints it and exits with status 1.
int LiveObjects();
/// From now on the blocks of a kernel run in random orders, which \p seed decides. 0: in the order
/// of their indices, as at first.
void ShuffleBlocks(unsigned seed);
/// Kernels that ran, and threads in them, since the program began.
long KernelsRun();
long ThreadsRun();

/// A device block of `bytes` bytes whose pages repeat the first `period` bytes: address space
/// beyond 2^32 bytes without the memory. `period` is a multiple of the page size. Freed by
/// cudaFree.
cudaError_t MallocRepeating(void **pointer, size_t bytes, size_t period);

// For cuda_runtime.h.
cudaError_t Launch(std::function<void()> body, dim3 grid, dim3 block, cudaStream_t stream);
cudaError_t MaxActiveBlocks(int *blocks, int threads);
void Barrier();
/// A shuffle of the calling thread, of values of up to 8 bytes.
void Shuffle(unsigned mask, const void *value, void *result, size_t bytes, int from, int width);
/// Ends the process unless both addresses are multiples of `bytes`.
void CheckVectorAccess(const void *to, const void *from, size_t bytes);

}  // namespace fakecuda

#endif  // MSHADOW_TESTS_CUDA_FAKE_FAKE_CUDA_H_
