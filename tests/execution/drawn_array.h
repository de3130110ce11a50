// SPDX-License-Identifier: Apache-2.0
/// \file drawn_array.h
/// Random arrays of the interpreter: what random_bits, random_uniform, random_normal and
/// random_bernoulli mean. Written from the paper of Philox and from the documentation.
#ifndef MSHADOW_TESTS_EXECUTION_DRAWN_ARRAY_H_
#define MSHADOW_TESTS_EXECUTION_DRAWN_ARRAY_H_

#include <array>
#include <cstdint>
#include <string>

#include "indexed_array.h"

namespace mshadow_test {

/// A block of Philox4x32-10.
std::array<uint32_t, 4> PhiloxOf(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// What random elements depend on.
struct Drawing {
  uint64_t seed, sequence;
  double probability = 0;  ///< of a 1, for random_bernoulli
};

/// \param name the function: "random_bits", …
/// \throws std::invalid_argument for another function
Array DrawnArray(const std::string &name, const Index &shape, mgen::ScalarKind kind,
                 const Drawing &drawing);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_DRAWN_ARRAY_H_
