// SPDX-License-Identifier: Apache-2.0
/// \file user.cuh
/// For kernels that users of mshadow wrote: sizes of blocks and grids, and a check of these sizes.
/// The library's own kernels use launch.h.
#ifndef MSHADOW_CUDA_USER_CUH_
#define MSHADOW_CUDA_USER_CUH_

#include <cuda_runtime.h>

#include <string>

#include "mshadow/detail/exception.h"

namespace mshadow {
namespace cuda {

constexpr int kMemUnitBits = 5;  ///< of a warp's threads
constexpr int kMemUnit = 1 << kMemUnitBits;
constexpr int kMemUnitMask = kMemUnit - 1;
constexpr int kBaseThreadBits = 8;  ///< of a block's threads
constexpr int kBaseThreadNum = 1 << kBaseThreadBits;
constexpr int kMaxThreadsPerBlock = 1024;
constexpr int kBaseGridNum = 1024;
constexpr int kMaxGridNum = 65535;  ///< in y and z; in x there may be 2^31 - 1 blocks
constexpr int kMaxGridDim = 65535;

/// \p xsize rounded up to whole warps if it has at least two.
inline index_t GetAlignStride(index_t xsize) {
  if (xsize < 2 * kMemUnit) return xsize;
  return (xsize + kMemUnit - 1) / kMemUnit * kMemUnit;
}

/// \throws Error, which begins with \p what, if a kernel cannot be launched with these sizes
inline void CheckLaunchParam(dim3 grid, dim3 block, const char *what = "") {
  const unsigned threads = block.x * block.y * block.z;
  if (threads > static_cast<unsigned>(kMaxThreadsPerBlock) || grid.x > 2147483647u ||
      grid.y > static_cast<unsigned>(kMaxGridDim) || grid.z > static_cast<unsigned>(kMaxGridDim)) {
    throw Error(std::string(what) + ": expected at most 1024 threads and a grid of at most " +
                "2^31 - 1, 65535, 65535 blocks, got " + std::to_string(threads) + " threads and " +
                std::to_string(grid.x) + ", " + std::to_string(grid.y) + ", " +
                std::to_string(grid.z) + " blocks");
  }
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_USER_CUH_
