// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/tuning.h"

#include <algorithm>

namespace mgen {
namespace {

// A thread that loads less than this before it computes leaves too little in flight to reach the
// memory's bandwidth (an H200 wants 48 KB for each of its 2048-thread multiprocessors).
constexpr int kBytesInFlight = 32;
constexpr int kVectorBytes = 16;
constexpr int kThreads = 256;
constexpr int kWaves = 32;

/// Each operand that is read brings 16 bytes or more.
int VectorsInFlight(const Plan &plan) {
  int loaded = 0;
  for (const Operand &operand : plan.operands) {
    if (operand.load && operand.map == IndexMap::kIdentity) loaded += kVectorBytes;
  }
  return loaded == 0 || plan.uses_math ? 1 : std::max(1, kBytesInFlight / loaded);
}

}  // namespace

KernelTuning TuningOf(const Plan &plan) {
  // An elementary function is a hundred instructions for each lane: more of them would cost
  // registers and code, and bring nothing where arithmetic is the limit.
  return {kThreads, plan.uses_math ? 4 : 16, VectorsInFlight(plan), kWaves};
}

}  // namespace mgen
