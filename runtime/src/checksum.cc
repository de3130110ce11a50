// SPDX-License-Identifier: Apache-2.0
#include "checksum.h"

#include <array>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

constexpr int kWord = 8;  ///< bytes that one step takes

/// tables[k][b]: what byte b contributes if k more bytes follow it in its word.
using Tables = std::array<std::array<uint64_t, 256>, kWord>;

constexpr Tables MakeTables() {
  constexpr uint64_t kPolynomial = 0xc96c5795d7870f42;
  Tables tables{};
  for (uint64_t byte = 0; byte < 256; ++byte) {
    uint64_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = rest;
  }
  for (size_t byte = 0; byte < 256; ++byte) {
    for (size_t k = 1; k < kWord; ++k) {
      const uint64_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

void Checksum::Add(const void *bytes, size_t size) {
  const unsigned char *at = static_cast<const unsigned char *>(bytes);
  uint64_t state = state_;
  for (; size >= kWord; size -= kWord, at += kWord) {
    uint64_t next = 0;
    for (size_t k = 0; k < kWord; ++k) {
      const uint64_t byte = ((state >> (8 * k)) & 0xff) ^ at[k];
      next ^= kTables[kWord - 1 - k][byte];
    }
    state = next;
  }
  for (; size > 0; --size, ++at) state = (state >> 8) ^ kTables[0][(state ^ *at) & 0xff];
  state_ = state;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
