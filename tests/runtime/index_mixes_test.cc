// SPDX-License-Identifier: Apache-2.0
#include "index_mixes.h"

#include <limits>
#include <type_traits>

#include "testing.h"

namespace {

TEST(IndexMixes, CompileAndMeanTheSame) { EXPECT_NO_THROW(index_mixes::OfEveryType()); }

TEST(IndexMixes, MinAndMaxCompareNumbers) {
  const mshadow::index_t three = 3;
  if (std::is_signed<mshadow::index_t>::value) {
    const mshadow::index_t negative = three - 4;
    EXPECT_EQ(std::min(negative, 5U), negative);
    EXPECT_EQ(std::max(5U, negative), 5U);
    EXPECT_EQ(std::max(negative, size_t{7}), size_t{7});
    EXPECT_EQ(std::min(size_t{7}, negative), negative);
  } else {
    EXPECT_EQ(std::min(three, -1), -1);
    EXPECT_EQ(std::max(-1, three), three);
  }
  const auto largest = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(std::max(three, largest), largest);
  EXPECT_EQ(std::min(largest, three), three);
  static_assert(std::max(mshadow::index_t{3}, short{4}) == 4, "a constant expression");
}

}  // namespace
