// SPDX-License-Identifier: Apache-2.0
// Emission as a whole. What the texts look like is in tests/golden.
#include "backends/backends.h"

#include <gtest/gtest.h>

#include <map>

#include "ir/parser.h"
#include "passes/expand_savers.h"
#include "passes/forward.h"
#include "passes/plan.h"
#include "passes/schedule.h"
#include "passes/share.h"
#include "passes/unswitch.h"

namespace mgen {
namespace {

Plan PlanOf(const std::string &text) {
  const Rule rule = ExpandSavers(ParseRule(text));
  return SchedulePlan(Share(MakePlan(rule, ForwardTemporaries(rule))));
}

const char kScale[] =
    "rule nn::Scale<xpu, dim, DType> [f32] [f16]\n"
    "  spec \"specs/scale.h\"\n"
    "  doc \"Multiplies.\"\n"
    "  tensor x: DType dim\n"
    "  scalar a: f32 = 2\n"
    "  stage\n"
    "    1: x *= cast<DType>(a)  ; \"x *= a\"\n";

std::map<std::string, std::string> Emit(const std::vector<Plan> &plans, EmitOptions options = {}) {
  options.base = "base";
  std::map<std::string, std::string> texts;
  for (const OutputKind &kind : OutputKinds()) {
    if (kind.emit == nullptr) continue;
    for (OutputFile &file : kind.emit(plans, options)) {
      EXPECT_TRUE(texts.emplace(file.name, file.text).second) << file.name;
    }
  }
  return texts;
}

bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Backends, FilesOfASpecAndOfTheTarget) {
  std::string names;
  for (const auto &[name, text] : Emit({PlanOf(kScale)})) names += name + " ";
  EXPECT_EQ(names,
            "base.h base.py base.pyi base_c.cc base_c.h scale.blob.cc scale.blob.h scale.gen.cc "
            "scale.gen.cu scale.gen.h scale.loop.inc scale.map.inc ");
}

TEST(Backends, TheSameBytesEveryTime) { EXPECT_EQ(Emit({PlanOf(kScale)}), Emit({PlanOf(kScale)})); }

TEST(Backends, LinesFit) {
  for (const auto &[name, text] : Emit({PlanOf(kScale)})) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      EXPECT_TRUE(line.size() <= 100 || Has(line, "#error")) << name << ": " << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << name << ": " << line;
      begin = end + 1;
    }
    // Python has two empty lines between definitions.
    EXPECT_FALSE(Has(text, Has(name, ".py") ? "\n\n\n\n" : "\n\n\n")) << name;
    EXPECT_EQ(text.back(), '\n') << name;
  }
}

TEST(Backends, OptionsDecideRegionsKernelsLicenceAndNamespace) {
  EmitOptions options;
  options.isa = {"baseline", "avx2"};
  options.cuda = false;
  options.license = "// Ours.";
  options.wrap = {"a", "b"};
  const auto texts = Emit({PlanOf(kScale)}, options);
  const std::string &source = texts.at("scale.gen.cc");
  EXPECT_EQ(source.rfind("// Ours.\n// scale.gen.cc -- ", 0), 0u);
  EXPECT_TRUE(Has(source, "MSHADOW_HAS_AVX2"));
  EXPECT_FALSE(Has(source, "AVX512"));
  EXPECT_FALSE(Has(source, "LaunchScaleKernel"));
  EXPECT_TRUE(Has(source,
                  "namespace a {\nnamespace b {\nnamespace nn {\n"
                  "inline namespace fused_r@@@@@@@@ {"));
  EXPECT_TRUE(Has(texts.at("scale.gen.h"), "using ::nn::Scale;"));
  EXPECT_TRUE(
      Has(texts.at("base.h"), "using base_rules = mshadow::TypeList<::a::b::nn::ScaleRule>;"));
}

TEST(Backends, TheFunctionForPackedArgumentsGivesWayToARule) {
  Plan scale = PlanOf(kScale), packed = scale;
  packed.rule.name = "Scale_packed";
  const auto texts = Emit({packed, scale});
  EXPECT_TRUE(Has(texts.at("base_c.h"), "mshadow_status nn_Scale_packed(const mshadow_tensor *x"));
  EXPECT_TRUE(Has(texts.at("base_c.cc"), "mshadow_status nn_Scale_packed_packed(const "));
  EXPECT_TRUE(Has(texts.at("base_c.cc"), "mshadow_status nn_Scale_packed_(const mshadow_argument"));
  EXPECT_TRUE(Has(texts.at("base.py"), "_Rule(\"nn_Scale\", \"nn_Scale_packed_\", \"Scale\""));
}

TEST(Backends, NothingOfASpecEndsAComment) {
  Plan plan = PlanOf(kScale);
  plan.rule.doc = {"*/ int evil; /*", "spliced \\",
                   "?"
                   "?/"};
  plan.rule.stages[0].body[0].text = "x = 1 */\nint evil; \\";
  const std::string header = Emit({plan}).at("scale.gen.h");
  EXPECT_FALSE(Has(header, "*/"));
  EXPECT_FALSE(Has(header, "\\\n"));
  EXPECT_FALSE(Has(header, "\nint evil"));
}

TEST(Backends, NamesAreChecked) {
  const auto broken = [](auto &&change) {
    Plan plan = PlanOf(kScale);
    change(&plan);
    return [plan] { Emit({plan}); };
  };
  const std::string evil = "x; int evil";
  EXPECT_THROW(broken([&](Plan *p) { p->rule.name = evil; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->rule.namespaces = {evil}; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->rule.params[0].name = evil; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->operands[0].name = evil; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->scalars[0].name = evil; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->rule.template_params[2].name = evil; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->rule.spec = "a\"\n#include \"b.h"; })(), EmitError);
  EXPECT_THROW(broken([&](Plan *p) { p->rule.spec = "/abs/scale.h"; })(), EmitError);
}

// `n + 1 < m` as the spec's own `if`, and as a part of an element that is the same for all.
const char kOwnCondition[] =
    "rule R<xpu> []\n"
    "  spec \"specs/r.h\"\n"
    "  tensor x: f32 1\n"
    "  scalar n: i32\n"
    "  scalar m: i32\n"
    "  stage\n"
    "    if lt(add(n, 1i32), m)\n"
    "      1: x = neg(x)\n";
const char kConditionOfElement[] =
    "rule R<xpu> []\n"
    "  spec \"specs/r.h\"\n"
    "  tensor x: f32 1\n"
    "  scalar n: i32\n"
    "  scalar m: i32\n"
    "  stage\n"
    "    1: x = select(lt(add(n, 1i32), m), neg(x), x)\n";

TEST(Backends, AConditionIsComputedWhereItWasWritten) {
  // Both become a condition of the loop, and only the second wraps as elements do.
  const Plan own = Unswitch(PlanOf(kOwnCondition)), moved = Unswitch(PlanOf(kConditionOfElement));
  ASSERT_EQ(own.conditions.size(), 1u);
  ASSERT_EQ(moved.conditions.size(), 1u);
  EXPECT_FALSE(own.conditions[0].of_element);
  EXPECT_TRUE(moved.conditions[0].of_element);
  const std::string own_text = Emit({own}).at("r.gen.cc"),
                    moved_text = Emit({moved}).at("r.gen.cc");
  EXPECT_TRUE(Has(own_text, " = n + 1 < m;")) << own_text;
  EXPECT_FALSE(Has(own_text, "scalar_names.inc"));
  EXPECT_TRUE(Has(moved_text, " = Lane(Cast<int32_t>(")) << moved_text;
  EXPECT_TRUE(Has(moved_text, "scalar_names.inc>  // integers wrap"));
  EXPECT_FALSE(Has(moved_text, "n + 1 < m"));
}

const char kSameTypes[] =
    "rule R<xpu, AType, BType> [f32, f32] [f64, f64]\n"
    "  spec \"specs/r.h\"\n"
    "  tensor out: AType 1\n"
    "  tensor in: AType 1\n"
    "  stage\n"
    "    1: out = neg(in)\n";

TEST(Backends, ATypeThatNoCallSaysIsTheOneThatItIsEqualTo) {
  EXPECT_TRUE(Has(Emit({PlanOf(kSameTypes)}).at("r.gen.h"),
                  "template <typename xpu, typename AType, typename BType = AType>\n"));
}

TEST(Backends, EachKindHasHelpAndFiles) {
  for (const OutputKind &kind : OutputKinds()) {
    EXPECT_FALSE(kind.name.empty());
    EXPECT_FALSE(kind.help.empty());
    EXPECT_FALSE(kind.per_spec.empty() && kind.per_target.empty());
  }
}

/// One pass over the table from its end adds all that kinds bring.
TEST(Backends, AKindIsBehindTheOneThatItBrings) {
  std::set<std::string> before = {""};
  for (const OutputKind &kind : OutputKinds()) {
    EXPECT_EQ(before.count(kind.brings), 1u) << kind.name;
    before.insert(kind.name);
  }
}

}  // namespace
}  // namespace mgen
