// SPDX-License-Identifier: Apache-2.0
/// \file launch_memory.h
/// Memory of the CPU for what a launch keeps from one pass to the next.
#ifndef MSHADOW_LAUNCH_MEMORY_H_
#define MSHADOW_LAUNCH_MEMORY_H_

#include <cstddef>

#include "mshadow/base.h"

namespace mshadow {

/// Memory of the calling thread, which grows with the first launches and stays for later ones:
///
///     LaunchMemory memory;
///     float *sums = memory.Take<float>(count);  // until `memory` goes
///
/// One may be made while another is there: a rule of several stages keeps tensors while its kernels
/// run. What they take stays taken until the first one goes.
class LaunchMemory {
 public:
  MSHADOW_CINLINE LaunchMemory() {}
  MSHADOW_CINLINE ~LaunchMemory() {
    if (is_used_) Release();
  }
  LaunchMemory(const LaunchMemory &) = delete;
  LaunchMemory &operator=(const LaunchMemory &) = delete;

  /// \p count elements, aligned to cache lines, not initialised.
  /// \throws std::bad_alloc
  template <typename T>
  MSHADOW_CINLINE T *Take(index_t count) {
    return static_cast<T *>(TakeBytes(static_cast<size_t>(count) * sizeof(T)));
  }

 private:
  void *TakeBytes(size_t bytes);
  void Release() noexcept;

  bool is_used_ = false;  // many launches turn out to need none
};

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_MEMORY_H_
