// SPDX-License-Identifier: Apache-2.0
#include "passes/flatten.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/printer.h"
#include "ir_text.h"
#include "passes/fuse_kernels.h"
#include "passes/isolate_slices.h"
#include "passes/split_stages.h"

namespace {

using mgen::Rule;
using mgen_test::ParseGood;

constexpr char kParams[] = R"ir(
rule R<xpu> []
  tensor out: f32 4
  tensor other: f32 4
  const tensor in: f32 4
  const tensor gain: f32 4
  const tensor bias: f32 1
  const tensor index: i32 1
  scalar n: i32
  scalar c: bool
)ir";

constexpr char kMatrices[] = R"ir(
  temporary h: f32 4 shape(in)
  part h_matrix: f32 2 reshaped = "$0.FlatTo2D()" h
  part out_matrix: f32 2 reshaped = "$0.FlatTo2D()" out
)ir";

Rule Flat(const std::string &declared, const std::string &body) {
  std::string text = std::string(kParams) + mgen_test::Trim(declared) + "  stage\n" + body;
  Rule rule = ParseGood(text);
  mgen::Flatten(&rule);
  return rule;
}

/// The text of a rule from its temporaries on.
std::string TextOf(const Rule &rule) {
  const std::string text = mgen::Print(rule);
  const size_t end_of_params = text.find("scalar c: bool\n");
  return text.substr(end_of_params + 15);
}

std::string Flattened(const std::string &body, const std::string &declared = kMatrices) {
  return TextOf(Flat(declared, body));
}

/// What the pass makes of `body`, without the lines before the body.
std::string BodyOf(const std::string &body, const std::string &declared = kMatrices) {
  const std::string text = Flattened(body, declared);
  return text.substr(text.find("  stage\n") + 8);
}

/// How many kernels the rule is.
size_t KernelsOf(const std::string &body, const std::string &declared = kMatrices) {
  Rule rule = Flat(declared, body);
  mgen::IsolateSlices(&rule);
  mgen::SplitStages(&rule);
  mgen::FuseKernels(&rule);
  return rule.stages.size();
}

constexpr char kSoftmax[] = "    1: h = mul(in, gain)\n    2: out_matrix = exp(h_matrix)\n";

TEST(Flatten, MakesAStatementOneOverMatrices) {
  EXPECT_EQ(Flattened(kSoftmax),
            "  temporary h: f32 2 shape(in_matrix)\n"
            "  part h_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" h\n"
            "  part out_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" out\n"
            "  part in_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" in\n"
            "  part gain_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" gain\n"
            "  stage\n"
            "    1: h = mul(in_matrix, gain_matrix) flattened in, gain\n"
            "    2: out_matrix = exp(h)\n");
  EXPECT_EQ(KernelsOf(kSoftmax), 1U);
}

/// Scalars have numbers of their own, which are no tensors.
TEST(Flatten, KeepsScalars) {
  std::string declared = kMatrices;
  declared.insert(declared.find("  part h_matrix"), [] {
    std::string locals;
    for (int i = 0; i < 12; ++i) {
      const std::string number = std::to_string(i);
      locals += "  let s" + number + ": f32 = " + number + ".5f32\n";
    }
    return locals;
  }());
  std::string body = "    1: h = in\n    2: out_matrix = h_matrix", want = body;
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    body += "\n    " + std::to_string(i + 3) + ": h_matrix *= add(s" + number +
            ", cast<f32>(dim(in, 1)))";
    want += "\n    " + std::to_string(i + 3) + ": h *= add(s" + number +
            ", cast<f32>(dim(in, 1)))";
  }
  want.replace(want.find("h = in\n"), 7, "h = in_matrix flattened in\n");
  want.replace(want.find("= h_matrix"), 10, "= h");
  EXPECT_EQ(BodyOf(body + "\n", declared), want + "\n");
}

TEST(Flatten, OfEachSaverAndBranch) {
  EXPECT_EQ(BodyOf("    if c\n"
                   "      1: out += in\n"
                   "    else\n"
                   "      2: out *= select(lt(in, 0.0f32), gain, 1.0f32)\n"
                   "    3: out_matrix -= 1.0f32\n"),
            "    if c\n"
            "      1: out_matrix += in_matrix flattened out, in\n"
            "    else\n"
            "      2: out_matrix *= select(lt(in_matrix, 0.0f32), gain_matrix, 1.0f32) flattened "
            "out, in, gain\n"
            "    3: out_matrix -= 1.0f32\n");
}

TEST(Flatten, ReadsVectorsAlongTheLastDimension) {
  EXPECT_EQ(BodyOf("    1: out = add(mul(in, bias[axis(last)]), add(bias[axis(3)], bias[0i64]))"
                   " fitting size(gain), other\n"
                   "    2: out_matrix *= 2.0f32\n"),
            "    1: out_matrix = add(mul(in_matrix, bias[axis(last)]), add(bias[axis(last)], "
            "bias[0])) fitting other_matrix flattened out, other, in, gain\n"
            "    2: out_matrix *= 2.0f32\n");
}

/// A statement that uses no tensor as a matrix follows those that share a tensor with it.
TEST(Flatten, FollowsTensors) {
  const std::string body = "    1: other = in\n"
                           "    2: h = mul(other, gain)\n"
                           "    3: out_matrix = h_matrix\n";
  EXPECT_EQ(BodyOf(body),
            "    1: other_matrix = in_matrix flattened other, in\n"
            "    2: h = mul(other_matrix, gain_matrix) flattened other, in, gain\n"
            "    3: out_matrix = h\n");
  EXPECT_EQ(KernelsOf(body), 1U);
}

/// What stays in its own shape keeps all that share a tensor with it.
TEST(Flatten, KeepsAllIfOneStays) {
  for (const char *value :
       {"mul(h, bias[axis(1)])", "mul(h, index<f32>(in, 1))", "mul(h, flipped)", "flipped",
        "sum<by lanes>(h)", "scan<sum>(h)", "mul(h, gain[axis(1), axis(0), axis(2), axis(3)])"}) {
    const std::string body = "    1: h = mul(in, gain)\n    2: other = " + std::string(value) +
                             "\n    3: out_matrix = h_matrix\n    4: out += other\n";
    const std::string declared =
        std::string(kMatrices) +
        "  view flipped: f32 4 = \"mshadow::expr::flip($0, $1)\" in, 1i32\n";
    EXPECT_EQ(BodyOf(body, declared), body) << value;
  }
}

TEST(Flatten, NeedsAStatementOverMatrices) {
  const std::string body = "    1: h = mul(in, gain)\n    2: out = exp(h)\n";
  EXPECT_EQ(BodyOf(body), body);
  EXPECT_EQ(BodyOf("    1: other = gain\n    2: out_matrix *= 2.0f32\n"),
            "    1: other = gain\n    2: out_matrix *= 2.0f32\n");
}

/// A vector of all elements, or a reshape, has no rows of the tensor.
TEST(Flatten, LeavesOtherShapes) {
  const std::string body = "    1: h = mul(in, gain)\n    2: out_vector *= 2.0f32\n";
  EXPECT_EQ(BodyOf(body, std::string(kMatrices) +
                             "  part out_vector: f32 1 reshaped = \"$0.FlatTo1D()\" out\n"),
            body);
}

/// A temporary that something needs in its own shape stays one of rank 4.
TEST(Flatten, LeavesTemporariesWithOtherUses) {
  const std::string view = "  view flipped: f32 4 = \"mshadow::expr::flip($0, $1)\" h, 1i32\n";
  EXPECT_EQ(BodyOf(std::string(kSoftmax) + "    3: other = flipped\n",
                   std::string(kMatrices) + view),
            "    1: h_matrix = mul(in_matrix, gain_matrix) flattened in, gain\n"
            "    2: out_matrix = exp(h_matrix)\n"
            "    3: other = flipped\n");
  const std::string own = "  temporary h: f32 4 shape(2i64, dim(in, 1), 3i64, dim(in, 3))\n"
                          "  part h_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" h\n"
                          "  part out_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" out\n";
  EXPECT_EQ(BodyOf(kSoftmax, own),
            "    1: h_matrix = mul(in_matrix, gain_matrix) flattened in, gain, h\n"
            "    2: out_matrix = exp(h_matrix)\n");
}

TEST(Flatten, LeavesMoreTensorsThanALaunchCompares) {
  std::string declared, sum = "in";
  for (int i = 0; i < 16; ++i) {
    const std::string name = "t" + std::to_string(i);
    declared += "  temporary " + name + ": f32 4 shape(" + std::to_string(i + 1) +
                "i64, 1i64, 1i64, 1i64)\n";
    sum = "add(" + sum + ", " + name + ")";
  }
  declared += "  part out_matrix: f32 2 reshaped = \"$0.FlatTo2D()\" out\n";
  const std::string body =
      "    1: other = " + sum + "\n    2: out_matrix *= 2.0f32\n    3: out = other\n";
  EXPECT_EQ(BodyOf(body, declared), body);
}

/// Where the fused kernel would be illegal, there are two, as without the pass.
TEST(Flatten, LeavesKernelsApart) {
  std::string body = "    1: h = in\n";
  for (int i = 0; i < 6; ++i) {
    const std::string condition = "    if lt(n, " + std::to_string(i) + "i32)\n";
    const std::string number = "      " + std::to_string(i + 2) + ": ";
    body += condition + number + (i < 3 ? "h *= gain\n" : "out_matrix += h_matrix\n");
    if (i == 0) EXPECT_EQ(KernelsOf(body + "    9: out_matrix = h_matrix\n"), 1U);
  }
  EXPECT_EQ(KernelsOf(body), 2U);
  EXPECT_EQ(KernelsOf("    1: h = in\n    boundary\n    2: out_matrix = h_matrix\n"), 2U);
}

}  // namespace
