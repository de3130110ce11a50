// SPDX-License-Identifier: Apache-2.0
/// \file call.cuh
/// The parameter of an emitted kernel: the Plan of one call (OneCall), or the Plans of several
/// calls that a list launches together (ListedCalls, list.h). A kernel is a template over the two:
///
///     template <typename Call>
///     __global__ void Kernel(const Call call) {
///       const auto &plan = call.plan();
///       … Rows(call, …): a BlockOfCall instead of blockIdx and gridDim …
///     }
#ifndef MSHADOW_CUDA_CALL_CUH_
#define MSHADOW_CUDA_CALL_CUH_

#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "mshadow/base.h"
#include "mshadow/cuda/launch.h"

/// Whether kernels are compiled for lists, too. Without them a `.cu` file compiles in half the
/// time, and a list refuses its rules.
#ifndef MSHADOW_CUDA_LISTS
#define MSHADOW_CUDA_LISTS 1
#endif

namespace mshadow {
namespace cuda {

/// Where a thread's block is in the grid of its call, and where the thread is in the block.
struct BlockOfCall {
  unsigned x, y;                  ///< the indices of the block
  unsigned width, height;         ///< blocks of the grid
  unsigned thread_x, thread_y;    ///< the indices of the thread
  unsigned threads_x, threads_y;  ///< threads of a block

  /// The block of a launch that is one call.
  static __device__ __forceinline__ BlockOfCall Own() {
    return {blockIdx.x,  blockIdx.y,  gridDim.x,  gridDim.y,
            threadIdx.x, threadIdx.y, blockDim.x, blockDim.y};
  }
  /// The column of the thread in the grid, and the number of columns; the same of rows.
  __device__ __forceinline__ index_t column() const {
    return static_cast<index_t>(x) * threads_x + thread_x;
  }
  __device__ __forceinline__ index_t columns() const {
    return static_cast<index_t>(width) * threads_x;
  }
  __device__ __forceinline__ index_t row() const {
    return static_cast<index_t>(y) * threads_y + thread_y;
  }
  __device__ __forceinline__ index_t rows() const {
    return static_cast<index_t>(height) * threads_y;
  }
};

/// One call. Its Plan is a parameter of the kernel.
template <typename Plan>
struct OneCall {
  Plan only;

  __device__ __forceinline__ const Plan &plan() const { return only; }
  __device__ __forceinline__ operator BlockOfCall() const { return BlockOfCall::Own(); }
  /// Whether this block is to run the epilogue of the pass: no, since a single call launches that.
  __device__ __forceinline__ constexpr bool is_last() const { return false; }
};

#if MSHADOW_CUDA_LISTS

/// The scalars of a Plan, and their offset in it; an empty struct if it has none.
template <typename Plan, typename = void>
struct ScalarsOfPlan {
  struct Type {};
  static constexpr bool kHas = false;
  static size_t At(const Plan &) { return 0; }
};
template <typename Plan>
struct ScalarsOfPlan<Plan, std::void_t<decltype(std::declval<Plan &>().scalars)>> {
  using Type = decltype(Plan::scalars);
  static constexpr bool kHas = true;
  static size_t At(const Plan &plan) {
    return static_cast<size_t>(reinterpret_cast<const char *>(&plan.scalars) -
                               reinterpret_cast<const char *>(&plan));
  }
};

/// Calls of a list. Each block belongs to one call, of which it copies the Plan to shared memory.
/// The scalars that all calls share are a parameter of the kernel.
template <typename Plan>
struct ListedCalls {
  using Scalars = ScalarsOfPlan<Plan>;

  uint4 *rows;                ///< for each call a Plan and, after it, a ListedGrid
  const ListedBlock *blocks;  ///< for each block of the launch
  typename Scalars::Type scalars;

  /// All threads of the block call this once, before they ask for the BlockOfCall.
  __device__ __forceinline__ const Plan &plan() const {
    const uint4 *const from = rows + static_cast<size_t>(blocks[blockIdx.x].call) * kVectors;
    uint4 *const to = Memory();
    for (unsigned i = Thread(); i < kVectors; i += blockDim.x * blockDim.y) to[i] = from[i];
    __syncthreads();
    Plan &plan = *reinterpret_cast<Plan *>(to);
    if constexpr (Scalars::kHas) {
      if (OwnGrid().has_own_scalars == 0) {
        if (Thread() == 0) plan.scalars = scalars;
        __syncthreads();
      }
    }
    return plan;
  }
  __device__ __forceinline__ operator BlockOfCall() const {
    const ListedGrid grid = OwnGrid();
    const unsigned index = blocks[blockIdx.x].index, y = index / grid.width, thread = Thread();
    const unsigned threads_x = 1u << grid.log2_threads_x;
    return {index - y * grid.width,
            y,
            grid.width,
            grid.height,
            thread & (threads_x - 1),
            thread >> grid.log2_threads_x,
            threads_x,
            blockDim.x * blockDim.y >> grid.log2_threads_x};
  }

  /// Whether all other blocks of the call have asked this before. The block then sees what they
  /// wrote. All threads of the block call this once.
  __device__ __forceinline__ bool is_last() const {
    __shared__ bool is_last_block;
    __threadfence();
    __syncthreads();
    if (Thread() == 0) {
      uint4 *const row = rows + static_cast<size_t>(blocks[blockIdx.x].call) * kVectors;
      ListedGrid *const grid =
          reinterpret_cast<ListedGrid *>(reinterpret_cast<char *>(row) + kGridAt);
      is_last_block = atomicAdd(&grid->finished, 1u) + 1 == OwnGrid().width * OwnGrid().height;
      if (is_last_block) grid->finished = 0;
    }
    __syncthreads();
    __threadfence();
    return is_last_block;
  }

 private:
  static_assert(std::is_trivially_copyable<Plan>::value && alignof(Plan) <= sizeof(uint4),
                "a list copies Plans");
  static constexpr size_t kGridAt = ListedGridAt(sizeof(Plan));
  static constexpr size_t kVectors = ListedRowBytes(sizeof(Plan)) / sizeof(uint4);

  static __device__ __forceinline__ unsigned Thread() {
    return threadIdx.y * blockDim.x + threadIdx.x;
  }
  static __device__ __forceinline__ uint4 *Memory() {
    __shared__ uint4 memory[kVectors];
    return memory;
  }
  static __device__ __forceinline__ const ListedGrid &OwnGrid() {
    return *reinterpret_cast<const ListedGrid *>(reinterpret_cast<const char *>(Memory()) +
                                                 kGridAt);
  }
};

#endif  // MSHADOW_CUDA_LISTS

/// Starts `kernel(param)`.
/// \throws Error that names the rule, if the launch fails
template <typename Param>
void StartKernel(const LaunchScope &scope, void (*kernel)(Param), const Grid &grid,
                 const Param &param) {
  Param copy = param;
  void *args[] = {&copy};
  scope.Check(cudaLaunchKernel(kernel, dim3(grid.x, grid.y), dim3(grid.block_x, grid.block_y), args,
                               0, scope.stream()));
}

#if MSHADOW_CUDA_LISTS
/// The launch of a list's calls: ListedLaunch::start.
template <typename Plan>
void StartListed(const char *rule, void (*kernel)(), const ListedTable &table, const Grid &grid,
                 void *stream) {
  ListedCalls<Plan> calls = {static_cast<uint4 *>(table.rows), table.blocks, {}};
  if constexpr (ScalarsOfPlan<Plan>::kHas) {
    std::memcpy(&calls.scalars, table.scalars, sizeof calls.scalars);
  }
  StartKernel(LaunchScope(rule, stream), reinterpret_cast<void (*)(ListedCalls<Plan>)>(kernel),
              grid, calls);
}
#endif

/// Starts the kernel of one call. While the calling thread adds to a list, hands the launch to
/// that. \param kernel returns the kernel for OneCall or ListedCalls: `kernel(OneCall<Plan>())`
/// \param teams how many thread groups there are; 0 if \p grid says where each element is
template <typename Kernel, typename Plan>
void StartCall(const char *rule, const LaunchScope &scope, const Kernel &kernel, const Grid &grid,
               [[maybe_unused]] index_t teams, const Plan &plan) {
  if (IsListing()) {
#if MSHADOW_CUDA_LISTS
    const auto listed = reinterpret_cast<void (*)()>(kernel(ListedCalls<Plan>()));
    const size_t scalars =
        ScalarsOfPlan<Plan>::kHas ? sizeof(typename ListedCalls<Plan>::Scalars::Type) : 0;
    return AddToList({rule, &plan, sizeof(Plan), ScalarsOfPlan<Plan>::At(plan), scalars, listed,
                      StartListed<Plan>, grid, static_cast<int64_t>(teams)});
#else
    ThrowNoLists(rule);
#endif
  }
  const OneCall<Plan> call = {plan};
  StartKernel(scope, kernel(call), grid, call);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_CALL_CUH_
