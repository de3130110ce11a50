// SPDX-License-Identifier: Apache-2.0
/// \file philox.h
/// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
/// numbers: as easy as 1, 2, 3" (2011). A block of four words is a function of a counter and a key.
#ifndef MSHADOW_PHILOX_H_
#define MSHADOW_PHILOX_H_

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The constants of the generator.
struct Philox {
  static constexpr int kRounds = 10;
  static constexpr int kWords = 4;  ///< words of a block
  static constexpr uint32_t kMultiplier0 = 0xD2511F53u, kMultiplier1 = 0xCD9E8D57u;
  static constexpr uint32_t kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
};

/// Four random words.
struct PhiloxBlock {
  uint32_t word0, word1, word2, word3;

  /// \param number 0 to 3
  MSHADOW_XINLINE uint32_t Word(unsigned number) const {
    const uint32_t even = (number & 2u) != 0 ? word2 : word0;
    const uint32_t odd = (number & 2u) != 0 ? word3 : word1;
    return (number & 1u) != 0 ? odd : even;
  }
  /// Words 2 number and 2 number + 1, the second above the first.
  MSHADOW_XINLINE uint64_t Pair(unsigned number) const {
    const uint32_t low = number != 0 ? word2 : word0, high = number != 0 ? word3 : word1;
    return uint64_t{high} << 32 | low;
  }
};

/// \param low, high the two halves of the counter
MSHADOW_XINLINE PhiloxBlock Philox4x32(uint64_t low, uint64_t high, uint64_t key) {
  PhiloxBlock block = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                       static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
  auto key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < Philox::kRounds; ++round) {
    const uint64_t product0 = uint64_t{Philox::kMultiplier0} * block.word0;
    const uint64_t product1 = uint64_t{Philox::kMultiplier1} * block.word2;
    block = {static_cast<uint32_t>(product1 >> 32) ^ block.word1 ^ key0,
             static_cast<uint32_t>(product1),
             static_cast<uint32_t>(product0 >> 32) ^ block.word3 ^ key1,
             static_cast<uint32_t>(product0)};
    key0 += Philox::kWeyl0;
    key1 += Philox::kWeyl1;
  }
  return block;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_PHILOX_H_
