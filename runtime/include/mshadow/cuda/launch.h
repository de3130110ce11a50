// SPDX-License-Identifier: Apache-2.0
/// \file launch.h
/// The part of a kernel's launch that does not depend on the kernel.
#ifndef MSHADOW_CUDA_LAUNCH_H_
#define MSHADOW_CUDA_LAUNCH_H_

#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/workspace.h"

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

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_LAUNCH_H_
