// SPDX-License-Identifier: Apache-2.0
/// \file launch.h
/// The part of a kernel's launch that does not depend on the kernel; and what a list (list.h) knows
/// of a launch that it keeps.
#ifndef MSHADOW_CUDA_LAUNCH_H_
#define MSHADOW_CUDA_LAUNCH_H_

#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/workspace.h"
#include "mshadow/emitted/listed.h"

namespace mshadow {
namespace cuda {

/// How a kernel spreads over a device. Emitted files hold a Tuning for each rule, which you may
/// change.
struct Tuning {
  int threads;  ///< the threads of a block: a power of two, at most 1024
  int lanes;    ///< the elements of a vector at most: a power of two
  int vectors;  ///< how many vectors a thread loads before it computes: the fewer tensors a rule
                ///< reads, the more
  int waves;    ///< the grid has at most this many times the blocks that the device holds at once;
                ///< beyond that, a thread takes several elements
};

/// Numbers of blocks, and of threads in a block.
struct Grid {
  unsigned x, y;
  unsigned block_x, block_y;
};

/// A grid for rows x cols elements, \p lanes elements of a row for each thread. A block takes
/// several rows if they are too short for its threads.
/// \param resident how many threads the device holds at once
Grid MakeGrid(const Tuning &tuning, index_t rows, index_t cols, int lanes,
              index_t resident) noexcept;

/// One launch: the stream's device is current while this lives.
class LaunchScope {
 public:
  /// \param rule for messages
  /// \param stream a Stream<gpu> *, null for the current device's default stream
  LaunchScope(const char *rule, void *stream);

  CUstream_st *stream() const { return stream_; }
  Grid MakeGrid(const Tuning &tuning, index_t rows, index_t cols, int lanes) const;
  /// Checks what cudaLaunchKernel returned. If MSHADOW_CUDA_SYNC is 1 in the environment, also
  /// waits for the kernel, so that the call that launched it reports its errors.
  /// \throws Error that names the rule
  void Check(int status) const;

 private:
  const char *rule_;
  CUstream_st *stream_;
  int device_;
  DeviceScope scope_;
};

/// How a call of a list spreads over the blocks of a launch. It follows the call's Plan in the
/// table of the launch.
struct ListedGrid {
  unsigned width, height;    ///< blocks of the call
  unsigned log2_threads_x;   ///< threads in a row of a block, where elements have rows
  unsigned has_own_scalars;  ///< 1: those of its Plan; 0: those that the calls share
  unsigned finished;         ///< blocks of the call that are done; 0 between launches
  unsigned unused[3];        ///< to a multiple of 16 bytes
};
/// Which call a block of a launch belongs to, and its index among the blocks of this call.
struct ListedBlock {
  unsigned call, index;
};

/// Where a ListedGrid lies after a Plan of \p plan_bytes, and how many bytes both take.
constexpr size_t ListedGridAt(size_t plan_bytes) { return (plan_bytes + 15) / 16 * 16; }
constexpr size_t ListedRowBytes(size_t plan_bytes) {
  return ListedGridAt(plan_bytes) + sizeof(ListedGrid);
}

/// The Plans of the calls of one launch.
struct ListedTable {
  void *rows;                 ///< on the device
  const ListedBlock *blocks;  ///< on the device
  const void *scalars;        ///< on the host
};

/// A launch that a list keeps.
struct ListedLaunch {
  const char *rule;
  const void *plan;
  size_t bytes;
  size_t scalars_at, scalars_bytes;  ///< of the scalars in the Plan; no bytes: there are none
  void (*kernel)();                  ///< for ListedCalls<Plan>
  /// Launches the kernel for all calls of a table.
  /// \param stream a Stream<gpu> *, null for the current device's default stream
  void (*start)(const char *rule, void (*kernel)(), const ListedTable &table, const Grid &grid,
                void *stream);
  Grid grid;      ///< of a launch of this call alone
  int64_t teams;  ///< thread groups of block_x threads, in each of grid.y chunks; 0: there are none
};

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_LAUNCH_H_
