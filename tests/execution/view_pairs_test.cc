// SPDX-License-Identifier: Apache-2.0
// Functions that read elements at other places, one around another: fused, the bits of the unfused
// rule.
#include <gtest/gtest.h>

#include <cstring>

#include "view_pairs_cases.h"

namespace {

TEST(ViewPairs, SameBits) {
  const std::vector<PairResult> fused = FusedPairs(), unfused = UnfusedPairs();
  ASSERT_GT(fused.size(), 60u);
  ASSERT_EQ(fused.size(), unfused.size());
  for (size_t i = 0; i < fused.size(); ++i) {
    ASSERT_EQ(fused[i].elements.size(), unfused[i].elements.size()) << fused[i].name;
    EXPECT_EQ(std::memcmp(fused[i].elements.data(), unfused[i].elements.data(),
                          fused[i].elements.size() * sizeof(float)),
              0)
        << fused[i].name;
  }
}

}  // namespace
