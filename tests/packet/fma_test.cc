// SPDX-License-Identifier: Apache-2.0
// The fused multiply-add of every region, by instruction and in software, bit for bit: against each
// other, and against the C library's.
#define MSHADOW_TEST_CASES "fma_cases.inc"
#define MSHADOW_TEST_SUITE FusedMultiplyAdd

#include <memory>

#include "fma_operands.h"
#include "regions.inc"

namespace packet_test {
namespace {

template <typename T>
void ExpectSoftwareIsExact() {
  const Triples<T> &triples = Triples<T>::All();
  int wrong = 0;
  for (size_t i = 0; i < triples.a.size() && wrong < 10; ++i) {
    const T a = triples.a[i], b = triples.b[i], c = triples.c[i];
    const T got = Canonical(mshadow::packet::SoftwareFma(a, b, c));
    const T want = Canonical(std::fma(a, b, c));
    const bool same = std::memcmp(&got, &want, sizeof(T)) == 0;
    EXPECT_TRUE(same) << std::hexfloat << a << " * " << b << " + " << c << " is " << got << ", not "
                      << want;
    wrong += same ? 0 : 1;
  }
}

TEST(FusedMultiplyAdd, InSoftwareOfFloat) { ExpectSoftwareIsExact<float>(); }
TEST(FusedMultiplyAdd, InSoftwareOfDouble) { ExpectSoftwareIsExact<double>(); }

}  // namespace
}  // namespace packet_test
