// SPDX-License-Identifier: Apache-2.0
/// \file hand.h
/// What the hand-written loops share: restrict pointers, scalars by position, small functions.
#ifndef MSHADOW_BENCHMARKS_HAND_H_
#define MSHADOW_BENCHMARKS_HAND_H_

#include <cmath>

#include "contender.h"

namespace mshadow_bench {

using Written = float *__restrict;
using Read = const float *__restrict;

/// The scalars of a call in order: `Scalars s(call); const float lr = s();`.
class Scalars {
 public:
  explicit Scalars(const Call &call) : next_(call.scalars) {}
  float operator()() { return static_cast<float>(*next_++); }

 private:
  const double *next_;
};

inline float Square(float a) { return a * a; }
inline float Clip(float a, float bound) { return a > bound ? bound : (a < -bound ? -bound : a); }
inline float ClipUnlessNegative(float a, float bound) { return bound < 0.0f ? a : Clip(a, bound); }
inline float Max(float a, float b) { return a < b ? b : a; }
inline float Sign(float a) { return a > 0.0f ? 1.0f : (a < 0.0f ? -1.0f : 0.0f); }
inline float Shrink(float a, float t) { return a > t ? a - t : (a < -t ? a + t : 0.0f); }

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_HAND_H_
