// SPDX-License-Identifier: Apache-2.0
// Blocks of short rows, in each vector region.
#include <mshadow/packet/begin_strict.h>

#include "results.h"

namespace packet_test {
namespace {

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "row_block_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "row_block_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>

TEST(RowBlock, Avx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this CPU has no AVX2";
  avx2::RunRowBlockTests();
}
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "row_block_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>

TEST(RowBlock, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL)";
  }
  avx512::RunRowBlockTests();
}
#endif

TEST(RowBlock, Baseline) { baseline::RunRowBlockTests(); }

}  // namespace
}  // namespace packet_test
