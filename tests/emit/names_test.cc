// SPDX-License-Identifier: Apache-2.0
#include "emit/names.h"

#include <gtest/gtest.h>

#include "emit/output_file.h"

namespace mgen {
namespace {

TEST(Names, Identifiers) {
  for (const char *name : {"a", "weight", "_a", "Adam2", "a_b", "beta1"}) {
    EXPECT_TRUE(IsIdentifier(name)) << name;
  }
  for (const char *name :
       {"", "1a", "a b", "a-b", "a__b", "_A", "_", "int", "and", "co_await", "a\n", "a;", "b\\", "\"",
        "\xce\xb2", "a*/", "unix"}) {
    EXPECT_FALSE(IsIdentifier(name)) << name;
  }
  EXPECT_TRUE(IsIdentifier(std::string(64, 'a')));
  EXPECT_FALSE(IsIdentifier(std::string(65, 'a')));
  EXPECT_THROW(CheckIdentifier("while", "rule"), EmitError);
}

TEST(Names, Cases) {
  EXPECT_EQ(CamelCase("one_minus_beta1"), "OneMinusBeta1");
  EXPECT_EQ(GuardName("specs/optim/adamw.gen.h"), "SPECS_OPTIM_ADAMW_GEN_H_");
  EXPECT_EQ(GuardName("3d/a.h"), "GEN_3D_A_H_");
  EXPECT_EQ(Stem("specs/optim/adamw.h"), "adamw");
  EXPECT_EQ(Stem("adamw"), "adamw");
  EXPECT_EQ(Directory("specs/optim/adamw.h"), "specs/optim/");
  EXPECT_EQ(Directory("adamw.h"), "");
}

TEST(Names, PathsThatCanBeQuoted) {
  EXPECT_EQ(CheckPath("specs/a-b_c.h"), "specs/a-b_c.h");
  for (const char *path : {"", "/abs/a.h", "a\"b.h", "a\\b.h", "a\nb.h", "a*/b.h", "a\xe2\x80\xae.h"}) {
    EXPECT_THROW(CheckPath(path), EmitError) << path;
  }
}

TEST(Names, AScopeKeepsNamesApart) {
  Scope scope({"s", "N"});
  EXPECT_EQ(scope.Take("weight"), "weight");
  EXPECT_EQ(scope.Take("s"), "s_");
  EXPECT_EQ(scope.Take("weight"), "weight_");
  EXPECT_EQ(scope.Take("weight"), "weight_2");
  EXPECT_EQ(scope.Take("s_"), "s_1");
}

TEST(Names, Lists) {
  EXPECT_EQ(JoinAnd({}), "");
  EXPECT_EQ(JoinAnd({"a"}), "a");
  EXPECT_EQ(JoinAnd({"a", "b"}), "a and b");
  EXPECT_EQ(JoinAnd({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace mgen
