// SPDX-License-Identifier: Apache-2.0
#include "driver/sha256.h"

#include <array>
#include <cstdint>

namespace mgen {
namespace {

constexpr int kBlockBytes = 64;
constexpr int kRounds = 64;

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
constexpr std::array<uint32_t, kRounds> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t RotateRight(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

using State = std::array<uint32_t, 8>;

/// FIPS 180-4, 6.2.2, step 3, for one t; \p input is the round's constant plus its word.
inline void Round(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                  uint32_t g, uint32_t *h, uint32_t input) {
  const uint32_t s1 = RotateRight(e, 6) ^ RotateRight(e, 11) ^ RotateRight(e, 25);
  const uint32_t t1 = *h + s1 + ((e & f) ^ (~e & g)) + input;
  const uint32_t s0 = RotateRight(a, 2) ^ RotateRight(a, 13) ^ RotateRight(a, 22);
  *d += t1;
  *h = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
}

/// FIPS 180-4, 6.2.2: one block into the state.
void Compress(const unsigned char *block, State *state) {
  std::array<uint32_t, kRounds> w;
  for (int t = 0; t < 16; ++t) {
    w[t] = uint32_t{block[4 * t]} << 24 | uint32_t{block[4 * t + 1]} << 16 |
           uint32_t{block[4 * t + 2]} << 8 | uint32_t{block[4 * t + 3]};
  }
  for (int t = 16; t < kRounds; ++t) {
    const uint32_t s0 = RotateRight(w[t - 15], 7) ^ RotateRight(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const uint32_t s1 = RotateRight(w[t - 2], 17) ^ RotateRight(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  State s = *state;
  for (int t = 0; t < kRounds; t += 8) {  // the variables change places, so that no value does
    Round(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], kRoundConstants[t] + w[t]);
    Round(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], kRoundConstants[t + 1] + w[t + 1]);
    Round(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], kRoundConstants[t + 2] + w[t + 2]);
    Round(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], kRoundConstants[t + 3] + w[t + 3]);
    Round(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], kRoundConstants[t + 4] + w[t + 4]);
    Round(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], kRoundConstants[t + 5] + w[t + 5]);
    Round(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], kRoundConstants[t + 6] + w[t + 6]);
    Round(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], kRoundConstants[t + 7] + w[t + 7]);
  }
  for (size_t i = 0; i < s.size(); ++i) (*state)[i] += s[i];
}

/// FIPS 180-4, 5.1.1: what follows the last whole block, one or two blocks long.
std::string PaddedTail(std::string_view data) {
  std::string tail(data.substr(data.size() / kBlockBytes * kBlockBytes));
  tail += '\x80';
  while (tail.size() % kBlockBytes != kBlockBytes - 8) tail += '\0';
  const uint64_t bits = uint64_t{data.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift);
  return tail;
}

void CompressAll(std::string_view blocks, State *state) {
  for (size_t i = 0; i + kBlockBytes <= blocks.size(); i += kBlockBytes) {
    Compress(reinterpret_cast<const unsigned char *>(blocks.data()) + i, state);
  }
}

}  // namespace

std::string Sha256(std::string_view data) {
  // FIPS 180-4, 5.3.3: the fractional parts of the square roots of the first eight primes.
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  CompressAll(data, &state);
  CompressAll(PaddedTail(data), &state);
  std::string hex;
  for (const uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15];
  }
  return hex;
}

}  // namespace mgen
