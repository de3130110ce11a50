// SPDX-License-Identifier: Apache-2.0
#include "passes/merge_instances.h"

#include <gtest/gtest.h>

#include <optional>

#include "ir/printer.h"
#include "ir/verifier.h"
#include "ir_text.h"

namespace {

using mgen_test::ParseGood;
using mgen_test::Trim;

/// In: a rule's instances, as the front end gives them. Out: the merged rule.
struct MergeRow {
  const char *name;
  std::vector<const char *> in;
  const char *out;
};

std::vector<mgen::Rule> ParseAll(const std::vector<const char *> &texts) {
  std::vector<mgen::Rule> rules;
  for (const char *text : texts) rules.push_back(ParseGood(text));
  return rules;
}

const std::vector<MergeRow> kRows = {
    {"casts that are identities in some instance",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  tensor m: f32 dim
  scalar lr: f32 = 0.5
  let rate: f32 = mul(lr, 2.0f32)
  stage
    1: m = add(m, w)  ; "m += w"
    2: w = sub(w, mul(lr, m))
    3: w *= lr
)",
      R"(
rule R<xpu, dim, DType> [f16]
  tensor w: f16 dim
  tensor m: f32 dim
  scalar lr: f32 = 0.5
  let rate: f32 = mul(lr, 2.0f32)
  stage
    1: m = add(m, cast<f32>(w))
    2: w = cast<f16>(sub(cast<f32>(w), mul(lr, m)))
    3: w *= cast<f16>(lr)
)",
      R"(
rule R<xpu, dim, DType> [f64]
  tensor w: f64 dim
  tensor m: f32 dim
  scalar lr: f32 = 0.5
  let rate: f32 = mul(lr, 2.0f32)
  stage
    1: m = add(m, cast<f32>(w))
    2: w = cast<f64>(sub(cast<f32>(w), mul(lr, m)))
    3: w *= cast<f64>(lr)
)"},
     R"(
rule R<xpu, dim, DType> [f32] [f16] [f64]
  tensor w: DType dim
  tensor m: f32 dim
  scalar lr: f32 = 0.5
  let rate: f32 = mul(lr, 2.0f32)
  stage
    1: m = add(m, cast<f32>(w))  ; "m += w"
    2: w = cast<DType>(sub(cast<f32>(w), mul(lr, m)))
    3: w *= cast<DType>(lr)
)"},
    {"views are merged in their types and scalars",
     {R"ir(
rule R<xpu, DType> [f32]
  tensor w: f32 2
  const tensor g: f32 2
  view m: f32 2 = "f(tcast<$0>(tcast<$1>($2) * $3))" type f32, type f32, g, 0.5f32
  stage
    1: w = m
)ir",
      R"ir(
rule R<xpu, DType> [f16]
  tensor w: f16 2
  const tensor g: f16 2
  view m: f16 2 = "f(tcast<$0>(tcast<$1>($2) * $3))" type f16, type f32, g, 0.5f32
  stage
    1: w = m
)ir"},
     R"ir(
rule R<xpu, DType> [f32] [f16]
  tensor w: DType 2
  const tensor g: DType 2
  view m: DType 2 = "f(tcast<$0>(tcast<$1>($2) * $3))" type DType, type f32, g, 0.5f32
  stage
    1: w = m
)ir"},
    {"literals that each instance has converted for itself",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  stage
    1: w = mul(0.5f32, w)
    2: w = mul(0.044715f32, w)
    3: w = mul(cast<f32>(0.1f64), w)
)",
      R"(
rule R<xpu, dim, DType> [f16]
  tensor w: f16 dim
  stage
    1: w = mul(0.5f16, w)
    2: w = mul(cast<f16>(0.044715f32), w)
    3: w = mul(cast<f16>(0.1f64), w)
)",
      R"(
rule R<xpu, dim, DType> [f64]
  tensor w: f64 dim
  stage
    1: w = mul(0.5f64, w)
    2: w = mul(0.044714998453855515f64, w)
    3: w = mul(0.1f64, w)
)"},
     R"(
rule R<xpu, dim, DType> [f32] [f16] [f64]
  tensor w: DType dim
  stage
    1: w = mul(literal<DType>(0.5), w)
    2: w = mul(literal<DType>(0.044714998453855515), w)
    3: w = mul(literal<DType>(0.1), w)
)"},
    {"literals of float and integer instances",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  stage
    1: w = mul(2.0f32, w)
    2: w = mul(0.5f32, w)
)",
      R"(
rule R<xpu, dim, DType> [i32]
  tensor w: i32 dim
  stage
    1: w = mul(2i32, w)
    2: w = mul(cast<i32>(0.5f32), w)
)",
      R"(
rule R<xpu, dim, DType> [f16]
  tensor w: f16 dim
  stage
    1: w = mul(2.0f16, w)
    2: w = mul(0.5f16, w)
)"},
     R"(
rule R<xpu, dim, DType> [f32] [i32] [f16]
  tensor w: DType dim
  stage
    1: w = mul(literal<DType>(2.0), w)
    2: w = mul(cast<DType>(0.5f32), w)
)"},
    {"constants of each instance's own type",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  stage
    1: w = select(gt(w, 0.5f32), w, 0.5f32)
    2: w = mul(w, 0.1f32)
    3: w = add(w, -0.3f32)
    4: w = select(gt(w, 7.5f32), -0.0f32, w)
)",
      R"(
rule R<xpu, dim, DType> [u8]
  tensor w: u8 dim
  stage
    1: w = select(gt(cast<i32>(w), cast<i32>(cast<u8>(0.5f32))), w, cast<u8>(0.5f32))
    2: w = cast<u8>(mul(cast<f32>(w), cast<f32>(cast<u8>(0.1f32))))
    3: w = cast<u8>(add(cast<i32>(w), neg(cast<i32>(cast<u8>(0.3f32)))))
    4: w = select(gt(cast<i32>(w), 7i32), 0u8, w)
)"},
     R"(
rule R<xpu, dim, DType> [f32] [u8]
  tensor w: DType dim
  stage
    1: w = select(gt(cast<promoted<DType>>(w), cast<promoted<DType>>(0.5f32)), w, cast<DType>(0.5f32))
    2: w = cast<DType>(mul(cast<f32>(w), cast<f32>(cast<DType>(0.1f32))))
    3: w = add(w, cast<DType>(-0.3f32))
    4: w = select(gt(cast<promoted<DType>>(w), cast<promoted<DType>>(7.5f32)), literal<DType>(-0.0), w)
)"},
    {"constants in float of a type that is float or half",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  stage
    1: w = mul(w, 0.1f32)
)",
      R"(
rule R<xpu, dim, DType> [f16]
  tensor w: f16 dim
  stage
    1: w = cast<f16>(mul(cast<f32>(w), cast<f32>(neg(cast<f16>(-0.1f32)))))
)"},
     R"(
rule R<xpu, dim, DType> [f32] [f16]
  tensor w: DType dim
  stage
    1: w = cast<DType>(mul(cast<f32>(w), cast<f32>(literal<DType>(0.10000000149011612))))
)"},
    {"int8_t computes in int where half_t computes in half_t",
     {R"(
rule R<xpu, dim, DType> [i8]
  tensor w: i8 dim
  stage
    1: w = cast<i8>(select(gt(cast<i32>(w), 100i32), mul(cast<i32>(w), 300i32), cast<i32>(w)))
)",
      R"(
rule R<xpu, dim, DType> [f16]
  tensor w: f16 dim
  stage
    1: w = select(gt(cast<f32>(w), 100.0f32), mul(w, 44.0f16), w)
)"},
     R"(
rule R<xpu, dim, DType> [i8] [f16]
  tensor w: DType dim
  stage
    1: w = select(gt(cast<promoted<DType>>(w), literal<promoted<DType>>(100)), mul(w, literal<DType>(44)), w)
)"},
    {"a round trip through the element type",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor m: f32 dim
  const tensor g: f32 dim
  stage
    1: m = add(m, m)
    2: m = add(m, cast<f32>(cast<f64>(m)))
)",
      R"(
rule R<xpu, dim, DType> [f64]
  tensor m: f32 dim
  const tensor g: f64 dim
  stage
    1: m = add(m, cast<f32>(cast<f64>(m)))
    2: m = add(m, cast<f32>(cast<f64>(m)))
)",
      R"(
rule R<xpu, dim, DType> [bf16]
  tensor m: f32 dim
  const tensor g: bf16 dim
  stage
    1: m = add(m, cast<f32>(cast<bf16>(m)))
    2: m = add(m, cast<f32>(cast<f64>(cast<bf16>(m))))
)"},
     R"(
rule R<xpu, dim, DType> [f32] [f64] [bf16]
  tensor m: f32 dim
  const tensor g: DType dim
  stage
    1: m = add(m, cast<f32>(cast<DType>(m)))
    2: m = add(m, cast<f32>(cast<f64>(cast<DType>(m))))
)"},
    {"half computes in float where double computes in double",
     {R"(
rule R<xpu, dim, DType> [f16]
  tensor out: f16 dim
  const tensor in: f16 dim
  stage
    1: out = select(lt(cast<f32>(in), 0.0f32), 0.0f16, in)
    2: out = cast<f16>(exp(cast<f32>(in)))
    3: out = cast<f16>(mul(cast<f32>(in), cast<f32>(in)))
    4: out = select(isnan(cast<f32>(in)), in, out)
    5: out = cast<f16>(select(lt(cast<f32>(in), 0.5f32), cast<f32>(in), 1.0f32))
)",
      R"(
rule R<xpu, dim, DType> [f64]
  tensor out: f64 dim
  const tensor in: f64 dim
  stage
    1: out = select(lt(in, 0.0f64), 0.0f64, in)
    2: out = exp(in)
    3: out = cast<f64>(mul(cast<f32>(in), cast<f32>(in)))
    4: out = select(isnan(in), in, out)
    5: out = select(lt(in, 0.5f64), in, 1.0f64)
)",
      R"(
rule R<xpu, dim, DType> [f32]
  tensor out: f32 dim
  const tensor in: f32 dim
  stage
    1: out = select(lt(in, 0.0f32), 0.0f32, in)
    2: out = exp(in)
    3: out = mul(in, in)
    4: out = select(isnan(in), in, out)
    5: out = select(lt(in, 0.5f32), in, 1.0f32)
)"},
     R"(
rule R<xpu, dim, DType> [f16] [f64] [f32]
  tensor out: DType dim
  const tensor in: DType dim
  stage
    1: out = select(lt(in, literal<DType>(0.0)), literal<DType>(0.0), in)
    2: out = cast<DType>(exp(cast<promoted<DType>>(in)))
    3: out = cast<DType>(mul(cast<f32>(in), cast<f32>(in)))
    4: out = select(isnan(in), in, out)
    5: out = select(lt(in, literal<DType>(0.5)), in, literal<DType>(1.0))
)"},
    {"a narrow integer compares as int",
     {R"(
rule R<xpu, dim, DType> [i8]
  tensor out: i8 dim
  stage
    1: out = select(lt(cast<i32>(out), 0i32), 0i8, out)
)",
      R"(
rule R<xpu, dim, DType> [i64]
  tensor out: i64 dim
  stage
    1: out = select(lt(out, 0i64), 0i64, out)
)"},
     R"(
rule R<xpu, dim, DType> [i8] [i64]
  tensor out: DType dim
  stage
    1: out = select(lt(cast<promoted<DType>>(out), literal<promoted<DType>>(0)), literal<DType>(0), out)
)"},
    {"two type parameters",
     {R"(
rule R<xpu, dim, A, B> [f32, f16]
  tensor a: f32 dim
  const tensor b: f16 dim
  stage
    1: a = cast<f32>(b)
)",
      R"(
rule R<xpu, dim, A, B> [f32, i8]
  tensor a: f32 dim
  const tensor b: i8 dim
  stage
    1: a = cast<f32>(b)
)"},
     R"(
rule R<xpu, dim, A, B> [f32, f16] [f32, i8]
  tensor a: A dim
  const tensor b: B dim
  stage
    1: a = cast<A>(b)
)"},
    {"one instance: tensors are of the type parameter, scalars are not",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  scalar lr: f32 = 0.1
  scalar step: i32
  let rate: f32 = mul(lr, cast<f32>(step))
  stage
    if gt(lr, 0.0f32)
      1: w = sub(w, mul(rate, add(w, 1.0f32)))
    2: w *= rate
)"},
     R"(
rule R<xpu, dim, DType> [f32]
  tensor w: DType dim
  scalar lr: f32 = 0.1
  scalar step: i32
  let rate: f32 = mul(lr, cast<f32>(step))
  stage
    if gt(lr, 0.0f32)
      1: w = sub(w, mul(cast<DType>(rate), add(w, literal<DType>(1.0))))
    2: w *= cast<DType>(rate)
)"},
    {"one instance with types that the front end has marked",
     {R"(
rule R<xpu, dim, DType> [f32]
  tensor w: DType dim
  tensor m: f32 dim
  scalar lr: f32
  stage
    1: m = add(m, cast<f32>(w))
    2: w = cast<DType>(sub(cast<f32>(w), mul(lr, m)))
)"},
     R"(
rule R<xpu, dim, DType> [f32]
  tensor w: DType dim
  tensor m: f32 dim
  scalar lr: f32
  stage
    1: m = add(m, cast<f32>(w))
    2: w = cast<DType>(sub(cast<f32>(w), mul(lr, m)))
)"},
    {"no type parameter",
     {R"(
rule R<xpu> []
  tensor w: f32 2
  stage
    1: w = add(w, 1.0f32)
)"},
     R"(
rule R<xpu> []
  tensor w: f32 2
  stage
    1: w = add(w, 1.0f32)
)"},
};

TEST(MergeInstances, Table) {
  for (const MergeRow &row : kRows) {
    SCOPED_TRACE(row.name);
    mgen::Diagnostics diagnostics;
    const std::optional<mgen::Rule> merged = mgen::MergeInstances(ParseAll(row.in), diagnostics);
    EXPECT_EQ(mgen_test::PrintAll(diagnostics), "");
    ASSERT_TRUE(merged.has_value());
    EXPECT_EQ(mgen::Problems(*merged), std::vector<std::string>());
    EXPECT_EQ(mgen::Print(*merged), Trim(row.out));
  }
}

/// The front end drops identities: so does this, for one marked instance.
TEST(MergeInstances, FindsCastsThatAMarkedTypeNeeds) {
  mgen::Rule rule = ParseGood(R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  tensor m: f32 dim
  scalar lr: f32
  stage
    1: m = add(m, w)
    2: w = sub(w, mul(lr, m))
)");
  rule.params[0].type.param = 0;
  mgen::Diagnostics diagnostics;
  const std::optional<mgen::Rule> merged = mgen::MergeInstances({rule}, diagnostics);
  ASSERT_TRUE(merged.has_value());
  EXPECT_EQ(mgen::Problems(*merged), std::vector<std::string>());
  EXPECT_EQ(mgen::Print(*merged), Trim(R"(
rule R<xpu, dim, DType> [f32]
  tensor w: DType dim
  tensor m: f32 dim
  scalar lr: f32
  stage
    1: m = add(m, cast<f32>(w))
    2: w = cast<DType>(sub(cast<f32>(w), mul(lr, m)))
)"));
}

TEST(MergeInstances, ReportsWhatDiffers) {
  const char *first = R"(
rule R<xpu, dim, DType> [f32]
  tensor w: f32 dim
  scalar lr: f32
  stage
    1: w = add(w, 0.5f32)
    2: w *= w
)";
  const std::vector<std::pair<const char *, const char *>> rows = {
      {"    1: w = sub(w, 0.5f16)\n    2: w *= w\n", "sub takes the place of add"},
      {"    1: w = add(w, 0.25f16)\n    2: w *= w\n", "a constant has another value"},
      {"    1: w = add(0.5f16, w)\n    2: w *= w\n", "a literal takes the place of a tensor"},
      {"    1: w = cast<f16>(add(cast<f64>(w), 0.5f64))\n    2: w *= w\n",
       "a tensor has type double, in the other instance float"},
      {"    1: w = add(w, 0.5f16)\n    2: w += w\n", "this is another statement"},
      {"    1: w = add(w, 0.5f16)\n", "it has other statements"},
      {"    if gt(lr, 0.0f32)\n      1: w = w\n    2: w *= w\n", "this is another statement"},
  };
  for (const auto &[body, what] : rows) {
    SCOPED_TRACE(body);
    const std::string second =
        "rule R<xpu, dim, DType> [f16]\n  tensor w: f16 dim\n  scalar lr: f32\n  stage\n";
    mgen::Diagnostics diagnostics;
    EXPECT_FALSE(mgen::MergeInstances({ParseGood(first), ParseGood(second + body)}, diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(
        diagnostics.all()[0].text,
        "rule 'R' differs between mshadow::half::half_t and float: for mshadow::half::half_t, " +
            std::string(what));
    EXPECT_EQ(diagnostics.all()[0].notes.size(), 2u);
  }
}

/// Of several instances the two that differ are named.
TEST(MergeInstances, BlamesTheTypesThatDiffer) {
  const auto rule = [](const std::string &kind, const std::string &value) {
    return ParseGood("rule R<xpu, dim, DType> [" + kind + "]\n  tensor w: " + kind +
                     " dim\n  stage\n    1: w = " + value + "\n");
  };
  mgen::Diagnostics diagnostics;
  EXPECT_FALSE(mgen::MergeInstances(
      {rule("f64", "add(w, 0.5f64)"), rule("i8", "cast<i8>(div(add(cast<i32>(w), 1i32), 3i32))"),
       rule("f32", "add(w, 0.5f32)"), rule("f16", "div(add(w, 1.0f16), 3.0f16)")},
      diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].text,
            "rule 'R' differs between int8_t and double: for int8_t, div takes the place of add");
  EXPECT_FALSE(mgen::MergeInstances(
      {rule("f16", "div(add(w, 1.0f16), 3.0f16)"), rule("f32", "div(add(w, 1.0f32), 3.0f32)"),
       rule("i8", "cast<i8>(div(add(cast<i32>(w), 1i32), 3i32))")},
      diagnostics));
  EXPECT_EQ(diagnostics.all()[1].text,
            "rule 'R' differs between int8_t and mshadow::half::half_t: for int8_t, a tensor has "
            "type int32_t, in the other instance mshadow::half::half_t");
}

}  // namespace
