// SPDX-License-Identifier: Apache-2.0
/// \file tuning.h
/// The numbers of one element-wise kernel's launch, as plain data: emitted, and explained.
#ifndef MSHADOW_GENERATOR_BACKENDS_CUDA_TUNING_H_
#define MSHADOW_GENERATOR_BACKENDS_CUDA_TUNING_H_

#include "ir/plan.h"

namespace mgen {

struct KernelTuning {
  int threads;  ///< of a block
  int lanes;    ///< elements of a vector at most
  int vectors;  ///< that a thread loads before it computes
  int waves;    ///< blocks at most, in what the device runs at once
};
KernelTuning TuningOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CUDA_TUNING_H_
