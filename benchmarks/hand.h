// SPDX-License-Identifier: Apache-2.0
/// \file hand.h
/// What the hand-written loops share: restrict pointers, scalars by position, small functions.
#ifndef MSHADOW_BENCHMARKS_HAND_H_
#define MSHADOW_BENCHMARKS_HAND_H_

#include <cmath>
#include <vector>

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
inline float Min(float a, float b) { return b < a ? b : a; }
inline float Sign(float a) { return a > 0.0f ? 1.0f : (a < 0.0f ? -1.0f : 0.0f); }
inline float Shrink(float a, float t) { return a > t ? a - t : (a < -t ? a + t : 0.0f); }

inline float Identity(float x) { return x; }
inline float Relu(float x) { return x < 0.0f ? 0.0f : x; }

constexpr float kRootHalf = 0.70710678118654752f;
constexpr float kInvRootTwoPi = 0.39894228040143268f;
inline float Gelu(float x) { return 0.5f * x * (1.0f + std::erf(x * kRootHalf)); }
inline float GeluGrad(float g, float x) {
  return g *
         (0.5f * (1.0f + std::erf(x * kRootHalf)) + x * kInvRootTwoPi * std::exp(-0.5f * x * x));
}

/// Memory that a caller would keep from one call to the next.
inline float *Scratch(int64_t count) {
  static thread_local std::vector<float> memory;
  if (memory.size() < static_cast<size_t>(count)) memory.resize(static_cast<size_t>(count));
  return memory.data();
}

constexpr int kParts = 32;  // sums that a compiler may keep side by side

/// The sum of f(i), i from 0 to count.
template <typename F>
float Sum(int64_t count, const F &f) {
  float parts[kParts] = {};
  int64_t i = 0;
  for (; i + kParts <= count; i += kParts) {
    for (int k = 0; k < kParts; ++k) parts[k] += f(i + k);
  }
  float sum = 0.0f;
  for (; i < count; ++i) sum += f(i);
  for (float part : parts) sum += part;
  return sum;
}

inline float Largest(Read x, int64_t count) {
  float parts[kParts];
  for (float &part : parts) part = x[0];
  int64_t i = 0;
  for (; i + kParts <= count; i += kParts) {
    for (int k = 0; k < kParts; ++k) parts[k] = Max(parts[k], x[i + k]);
  }
  float top = x[0];
  for (; i < count; ++i) top = Max(top, x[i]);
  for (float part : parts) top = Max(top, part);
  return top;
}

/// Calls f(y, offset of the row) for each row that begins in [begin, end).
template <typename F>
void ForEachRow(const Call &call, int64_t begin, int64_t end, const F &f) {
  const int64_t last = (end + call.cols - 1) / call.cols;
  for (int64_t y = (begin + call.cols - 1) / call.cols; y < last; ++y) f(y, y * call.cols);
}

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_HAND_H_
