// SPDX-License-Identifier: Apache-2.0
// Where packets stand, in each region.
#include <mshadow/packet/begin_strict.h>
#include <mshadow/packet/scalar.h>

#include "results.h"

namespace packet_test {
namespace {

namespace scalar_region {
using namespace mshadow::packet::scalar;
#include "places_cases.inc"
}  // namespace scalar_region

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "places_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "places_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>

TEST(Places, Avx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this CPU has no AVX2";
  avx2::RunPlacesTests();
}
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "places_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>

TEST(Places, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL)";
  }
  avx512::RunPlacesTests();
}
#endif

TEST(Places, Scalar) { scalar_region::RunPlacesTests(); }
TEST(Places, Baseline) { baseline::RunPlacesTests(); }

}  // namespace
}  // namespace packet_test
