// SPDX-License-Identifier: Apache-2.0
// The shipped rules whose tensors have shapes of their own: fused, the bits of the unfused rule.
#include "own_shapes.h"

#include <gtest/gtest.h>

#include <set>

#include "instance_table.h"
#include "values.h"

namespace mshadow_test {
namespace {

TEST(OwnShapes, SameBits) {
  const std::vector<OwnShapesResult> fused = FusedOwnShapes(), unfused = UnfusedOwnShapes();
  ASSERT_EQ(fused.size(), unfused.size());
  for (size_t i = 0; i < fused.size(); ++i) {
    ASSERT_EQ(fused[i].elements.size(), unfused[i].elements.size()) << fused[i].call;
    for (size_t k = 0; k < fused[i].elements.size(); ++k) {
      ASSERT_TRUE(SameBits(fused[i].elements[k], unfused[i].elements[k]))
          << fused[i].call << ", result " << i << ", element " << k << ": " << fused[i].elements[k]
          << " and " << unfused[i].elements[k];
    }
  }
}

/// No rule is left out of the tables for nothing.
TEST(OwnShapes, AllAreHere) {
  std::set<std::string> called;
  for (const OwnShapesResult &result : FusedOwnShapes()) {
    called.insert(result.call.substr(0, result.call.find(',')));
  }
  for (std::string_view rule : kOwnShapes) EXPECT_EQ(called.count(std::string(rule)), 1u) << rule;
}

}  // namespace
}  // namespace mshadow_test
