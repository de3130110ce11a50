// SPDX-License-Identifier: Apache-2.0
/// \file random.h
/// The tests' random numbers: SplitMix64 (Steele, Lea & Flood 2014), the same on every machine.
#ifndef MSHADOW_TESTS_EXECUTION_RANDOM_H_
#define MSHADOW_TESTS_EXECUTION_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace mshadow_test {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound); bound > 0.
  int Below(int bound) { return static_cast<int>(Next() % static_cast<uint64_t>(bound)); }
  /// True in `percent` of 100 draws.
  bool Chance(int percent) { return Below(100) < percent; }
  /// Uniform in [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  template <typename Container>
  const auto &Pick(const Container &values) {
    return values[static_cast<size_t>(Below(static_cast<int>(values.size())))];
  }

 private:
  uint64_t state_;
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_RANDOM_H_
