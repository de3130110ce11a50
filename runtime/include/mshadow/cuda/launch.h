// SPDX-License-Identifier: Apache-2.0
/// \file launch.h
/// The part of a kernel's launch that does not depend on the kernel.
#ifndef MSHADOW_CUDA_LAUNCH_H_
#define MSHADOW_CUDA_LAUNCH_H_

#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/workspace.h"

namespace mshadow {
namespace cuda {

/// How a kernel spreads over a device. Emitted files hold one for each rule, to be read and
/// changed.
struct Tuning {
  int threads;  ///< of a block: a power of two, at most 1024
  int lanes;    ///< elements of a vector at most: a power of two
  int vectors;  ///< that a thread loads before it computes: more where a rule reads few tensors
  int waves;    ///< blocks are at most this many times what the device holds; then threads go round
};

/// Numbers of blocks, and of threads in a block.
struct Grid {
  unsigned x, y;
  unsigned block_x, block_y;
};

/// A grid for rows x cols elements, \p lanes elements of a row for each thread. Rows shorter than a
/// block's threads share it. \p resident: how many threads the device holds at once.
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
  /// \p status is cudaLaunchKernel's answer. With MSHADOW_CUDA_SYNC=1 in the environment also
  /// waits, so that an error inside the kernel is reported by the call that launched it. \throws
  /// Error naming the rule
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
