// SPDX-License-Identifier: Apache-2.0
// Fused kernels against the reference interpreter: every element of every written tensor lies
// within the error bound that the interpreter computes from the rule's meaning. What "same bits"
// cannot see, a mistake that the fused and the unfused rule share, shows here.
//
// The rules' meaning comes from the generator (--dump-after=check_extents), before any pass that
// plans or rearranges: kMeaning names that text.
#include "oracle.h"

#include <gtest/gtest.h>
#include <mshadow/isa.h>

namespace mshadow_test {

extern const char *const kMeaning;  // in a file that oracle.cmake makes for each program

namespace {

class OracleTest : public testing::Test {
 protected:
  // Not of the suite: what fails there leaves its tests skipped.
  void SetUp() override {
    rules_ = ReadRules(kMeaning);
#ifdef MSHADOW_TEST_ULPS
    approximation_ulps = MSHADOW_TEST_ULPS;
#endif
  }

  const mgen::Rule &RuleOf(const RuleEntry &entry) const {
    const std::string name = std::string(entry.info->name_space) + "::" + entry.info->name;
    return rules_.at(name);
  }

 private:
  std::map<std::string, mgen::Rule> rules_;
};

TEST_F(OracleTest, EveryElementIsWithinItsBound) {
  const RuleTable table = FusedRules();
  ASSERT_FALSE(table.empty());
  int64_t elements = 0;
  int64_t undecided = 0;
  for (const RuleEntry &entry : table) {
    const Oracle oracle(RuleOf(entry), entry);
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const bool is_mixed = seed % 2 == 1 && !oracle.HasWideIntegers();
      const Outcome outcome = oracle.Compare(is_mixed ? Data::kMixed : Data::kTame, seed);
      EXPECT_EQ(outcome.mistake, "") << entry.Name() << ", seed " << seed;
      elements += outcome.elements;
      undecided += outcome.undecided;
    }
  }
  RecordProperty("elements", static_cast<int>(elements));
  RecordProperty("undecided", static_cast<int>(undecided));
  // An oracle that does not decide finds nothing.
  EXPECT_LT(undecided, elements / 5);
}

#ifdef MSHADOW_TEST_ULPS
/// The control of --numerics=fast: some rule is not what correctly rounded quotients and roots
/// give, but on the baseline, which gains nothing by others.
TEST_F(OracleTest, FindsApproximations) {
  if (mshadow::ActiveIsa() == mshadow::Isa::kAvx2) {
    GTEST_SKIP() << "rsqrtps, all that AVX2 approximates by, differs from processor to processor: "
                    "on some, two steps give the exact root of every element here";
  }
  approximation_ulps = 0;
  int found = 0;
  for (const RuleEntry &entry : FusedRules()) {
    const Oracle oracle(RuleOf(entry), entry);
    found += oracle.Compare(Data::kTame, 0).mistake.empty() ? 0 : 1;
  }
  EXPECT_EQ(found > 0, mshadow::ActiveIsa() != mshadow::Isa::kBaseline);
}
#endif

/// The control: where scalars are off by a hundredth, rules are found out. Not all of them: a
/// scalar may be a threshold that no element is near.
TEST_F(OracleTest, FindsWrongScalars) {
  int found = 0;
  int tried = 0;
  for (const RuleEntry &entry : FusedRules()) {
    bool has_float_scalar = false;
    for (const mshadow::ParamInfo &param : *entry.info) {
      has_float_scalar = has_float_scalar || (!param.is_tensor && param.type == mshadow::kFloat32);
    }
    if (!has_float_scalar || (!entry.types.empty() && entry.types[0] != mshadow::kFloat32))
      continue;
    ++tried;
    const Oracle oracle(RuleOf(entry), entry);
    found += oracle.Compare(Data::kTame, 0, 1.01).mistake.empty() ? 0 : 1;
  }
  EXPECT_GT(tried, 0);
  EXPECT_GE(found, tried / 4);
}

}  // namespace
}  // namespace mshadow_test
