// SPDX-License-Identifier: Apache-2.0
/// \file cuda_runtime.h
/// Lets g++ and clang++ compile emitted `.cu` files unchanged: the words of CUDA C++ that they use,
/// and a cudaLaunchKernel that knows the kernel's parameter types from the function pointer.
#ifndef MSHADOW_TESTS_CUDA_FAKE_CUDA_RUNTIME_H_
#define MSHADOW_TESTS_CUDA_FAKE_CUDA_RUNTIME_H_

#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime_api.h"
#include "fake_cuda.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
// Blocks run one after another, so a block's shared memory is a static variable.
#define __shared__ static

// Set for each thread before its kernel body runs, and again when it resumes after a barrier.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

inline void __syncthreads() { fakecuda::Barrier(); }
inline void __threadfence() {}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
/// The value that thread \p from of this thread's \p width has in the same call. The threads of \p
/// mask, which are of one such group, make the call together.
template <typename T>
inline T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
  static_assert(sizeof(T) <= 8, "a value of one or two registers");
  T result;
  fakecuda::Shuffle(mask, &value, &result, sizeof(T), from, width);
  return result;
}
/// A thread runs until it waits, so that nothing comes between its read and its write.
inline unsigned atomicAdd(unsigned *to, unsigned value) {
  const unsigned old = *to;
  *to = old + value;
  return old;
}

/// 8- and 16-byte vectors, whose every read and write checks the address as the hardware does.
/// Kernels read memory of any type through them.
struct __attribute__((may_alias, aligned(8))) uint2 {
  unsigned x, y;
  uint2() = default;
  uint2(const uint2 &other);
  uint2 &operator=(const uint2 &other);
};

struct __attribute__((may_alias, aligned(16))) uint4 {
  unsigned x, y, z, w;
  uint4() = default;
  uint4(const uint4 &other);
  uint4 &operator=(const uint4 &other);
};

inline uint2::uint2(const uint2 &other) { *this = other; }
inline uint2 &uint2::operator=(const uint2 &other) {
  fakecuda::CheckVectorAccess(this, &other, sizeof(*this));
  x = other.x, y = other.y;
  return *this;
}
inline uint4::uint4(const uint4 &other) { *this = other; }
inline uint4 &uint4::operator=(const uint4 &other) {
  fakecuda::CheckVectorAccess(this, &other, sizeof(*this));
  x = other.x, y = other.y, z = other.z, w = other.w;
  return *this;
}

namespace fakecuda {

template <typename... Params, size_t... I>
std::function<void()> BindKernel(void (*kernel)(Params...), void **args,
                                 std::index_sequence<I...>) {
  // Parameters are copied at the launch, as the real runtime does.
  std::tuple<std::decay_t<Params>...> values(*static_cast<std::decay_t<Params> *>(args[I])...);
  return [kernel, values] { std::apply(kernel, values); };
}

}  // namespace fakecuda

template <typename... Params>
cudaError_t cudaLaunchKernel(void (*kernel)(Params...), dim3 grid, dim3 block, void **args,
                             size_t /*shared_bytes*/ = 0, cudaStream_t stream = nullptr) {
  return fakecuda::Launch(fakecuda::BindKernel(kernel, args, std::index_sequence_for<Params...>()),
                          grid, block, stream);
}

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel * /*kernel*/,
                                                          int threads, size_t /*shared_bytes*/) {
  return fakecuda::MaxActiveBlocks(blocks, threads);
}

#endif  // MSHADOW_TESTS_CUDA_FAKE_CUDA_RUNTIME_H_
