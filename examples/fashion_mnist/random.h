// SPDX-License-Identifier: Apache-2.0
/// \file random.h
/// Random numbers that are the same on every machine: splitmix64 (Steele, Lea & Flood 2014).
#ifndef EXAMPLES_FASHION_MNIST_RANDOM_H_
#define EXAMPLES_FASHION_MNIST_RANDOM_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace demo {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [-1, 1), a multiple of 2^-23.
  float Symmetric() {
    return static_cast<float>(static_cast<int64_t>(Next() >> 40) - (int64_t{1} << 23)) * 0x1p-23f;
  }
  /// Fisher and Yates' shuffle.
  void Shuffle(std::vector<int> *items) {
    for (size_t i = items->size(); i > 1; --i) std::swap((*items)[i - 1], (*items)[Next() % i]);
  }

 private:
  uint64_t state_;
};

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_RANDOM_H_
