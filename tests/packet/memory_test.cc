// SPDX-License-Identifier: Apache-2.0
// Loads, stores and mixtures of packets and scalars, in each region.
#include <mshadow/packet/begin_strict.h>
#include <mshadow/packet/scalar.h>
#include <mshadow/streaming.h>

#include <cstring>

#include "results.h"

namespace packet_test {
namespace {

namespace scalar_region {
using namespace mshadow::packet::scalar;
#include "memory_cases.inc"
}  // namespace scalar_region

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "memory_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "memory_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>

TEST(Memory, Avx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this CPU has no AVX2";
  avx2::RunMemoryTests();
}
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "memory_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>

TEST(Memory, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL)";
  }
  avx512::RunMemoryTests();
}
#endif

TEST(Memory, Scalar) { scalar_region::RunMemoryTests(); }
TEST(Memory, Baseline) { baseline::RunMemoryTests(); }

// The lanes that LanesToBoundary gives end where a packet begins that straddles no cache line.
template <int N, typename T>
void ExpectBoundaries() {
  alignas(64) static const T memory[256] = {};
  constexpr uintptr_t kPacket = N * sizeof(T) < 64 ? N * sizeof(T) : 64;
  for (int i = 0; i < 2 * N; ++i) {
    const int64_t lanes = mshadow::packet::LanesToBoundary<N>(memory + i, 16 * N);
    EXPECT_GE(lanes, 0);
    EXPECT_LT(lanes, N);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory + i + lanes) % kPacket, 0u) << i;
    EXPECT_EQ(mshadow::packet::LanesToBoundary<N>(memory + i, 16 * N - 1), 0) << "too few";
  }
}

TEST(Memory, Boundaries) {
  ExpectBoundaries<16, float>();
  ExpectBoundaries<8, float>();
  ExpectBoundaries<4, float>();
  ExpectBoundaries<16, uint16_t>();
  ExpectBoundaries<16, double>();
  ExpectBoundaries<8, double>();
}

}  // namespace
}  // namespace packet_test
