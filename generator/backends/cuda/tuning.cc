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

/// A view that reduces is loops and trees for each lane, one for any rank what it is for each rank.
/// Lanes beside each other would be as many copies of that, which take nvcc minutes; threads beside
/// each other read memory as well.
bool HasLongViews(const Plan &plan) {
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const View *view = plan.ViewOf(static_cast<int>(i));
    if (view == nullptr) continue;
    const bool is_for_any_rank = plan.rule.params[plan.operands[i].param].rank == Param::kRankParam;
    if (is_for_any_rank || view->text.find("mshadow::expr::reduce_") != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

KernelTuning TuningOf(const Plan &plan) {
  // An elementary function is a hundred instructions for each lane: more of them would cost
  // registers and code, and bring nothing where arithmetic is the limit.
  const int lanes = HasLongViews(plan) ? 1 : plan.uses_math ? 4 : 16;
  return {kThreads, lanes, VectorsInFlight(plan), kWaves};
}

}  // namespace mgen
